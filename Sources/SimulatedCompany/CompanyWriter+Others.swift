// Token renewals, and challenges on a device.

import EventStore
import FlowRecording

extension CompanyWriter {
  mutating func tokens(_ flow: PlannedFlow, _ employee: Employee, _ offset: Int) -> [NewRecord] {
    var script = script(
      "oidc", flow, employee, ["issuer": "https://acme.example/oauth2/default", "clientId": "0oa1sampleapp0000001"],
      offset)
    let drawn = "t-\(hex(20))"
    let id = flow.tokens.flatMap { ids[$0.number] } ?? drawn
    let call = script.call("renew", ["id": .string(id)])
    let isUnlucky = random.chance(perMille: 60)
    let isRefused = flow.tokens?.isRefused ?? isUnlucky
    script.exchange(
      "/oauth2/default/v1/token", body: ["grant_type": "refresh_token"], status: isRefused ? 400 : 200,
      answer: isRefused ? ["error": "invalid_grant"] : ["token_type": "Bearer"], after: latency(),
      requestID: requestID())
    if isRefused {
      let details: JSON = ["oauthCode": "invalid_grant", "httpStatus": 400]
      script.make(
        "token.refused",
        ["id": .string(id), "operation": "renew", "error": "errorFetchingFreshTokens", "details": details])
      script.returned(call, .failed(code: "errorFetchingFreshTokens", details: details))
      script.end("failed")
    } else {
      script.make(
        "token.refreshed",
        [
          "id": .string(id), "tokenType": "Bearer", "expiresIn": 3_600, "scope": "openid offline_access",
          "tokens": ["access_token": "$secret.accessToken.1$"],
        ])
      script.returned(call, .done)
      script.end("success")
    }
    return script.records
  }

  mutating func device(_ flow: PlannedFlow, _ employee: Employee, _ offset: Int) -> [NewRecord] {
    var script = script("device", flow, employee, ["org": "https://acme.example"], offset)
    let transaction: (String, JSON) = ("transactionId", .string("ft\(hex(18))"))
    func event(_ members: [(String, JSON)]) -> JSON {
      .members(([transaction] + members).map { ($0.0, JSON?.some($0.1)) })
    }
    var call = script.call("receive", ["source": "push"])
    script.make("challenge.received", ["source": "push"])
    script.make("challenge.parsed", event([("userName", .string(employee.login)), ("transactionType", "LOGIN")]))
    script.make("challenge.verified", event([("issuer", "https://acme.example")]))
    script.returned(call, .done)
    call = script.call("resolve", [:])
    script.make("consent.requested", event([("transactionType", "LOGIN")]))
    script.wait(milliseconds: random.within(2_000...20_000))
    let isApproved = random.chance(perMille: 950)
    _ = script.call("provideConsent", ["answer": isApproved ? "approved" : "denied"])
    script.make("consent.given", event([("answer", isApproved ? "approved" : "denied"), ("by", "person")]))
    script.make(
      "response.signed",
      event([
        ("keyType", "proofOfPossession"), ("kid", .string(employee.device)), ("consent", "APPROVED"),
        ("jti", .string(hex(8))), ("exp", 0), ("response", "$secret.response.1$"),
      ]))
    script.exchange(
      "/idp/authenticators/authxX2x4QHgSGkTQ0g4/transactions/verify",
      body: ["challengeResponse": "$secret.response.1$"],
      answer: [:], after: latency(), requestID: requestID())
    script.make("challenge.resolved", event([("outcome", isApproved ? "approved" : "denied")]))
    script.returned(call, .done)
    script.end(isApproved ? "approved" : "denied")
    return script.records
  }
}
