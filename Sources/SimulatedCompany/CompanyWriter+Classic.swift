// Sign-ins, recoveries, and unlocks with the classic API.

import EventStore
import FlowRecording

extension CompanyWriter {
  mutating func classic(_ flow: PlannedFlow, _ employee: Employee, _ offset: Int) -> [NewRecord] {
    var script = script(
      "authn", flow, employee, ["org": "https://acme.example", "pollMilliseconds": 5_000], offset)
    switch flow.play {
    case .recovery: recover(&script, employee)
    case .unlock: unlock(&script, employee)
    case .success, .wrongPasswordFirst, .wrongPassword, .lockedOut, .abandoned, .wrongCodeFirst, .pushRejected,
      .pushTimedOut, .pushApproved, .connectionLost, .rateLimited, .tokens, .device:
      signIn(&script, flow.play, employee)
    }
    return script.records
  }

  mutating func authenticate(_ script: inout FlowScript, _ employee: Employee, _ number: Int) -> Int {
    let call = script.call(
      "authenticate",
      ["username": .string(employee.login), "password": .string("$secret.password.\(number)$")])
    if number == 1 { script.draw("userAgent", .string(Self.userAgent)) }
    return call
  }

  mutating func refused(
    _ script: inout FlowScript, _ call: Int, _ path: String, code: String, status: Int, body: JSON
  ) {
    script.exchange(
      path, body: body, status: status,
      answer: ["errorCode": .string(code), "errorSummary": "Refused", "errorId": .string("oae\(hex(12))")],
      after: latency(), requestID: requestID())
    script.returned(
      call,
      .failed(code: "serverRespondedWithError", details: ["errorCode": .string(code), "httpStatus": .int(status)]))
  }

  func transaction(_ status: String, _ employee: Employee, factor: String? = nil, result: String? = nil) -> JSON {
    .members([
      ("status", .string(status)), ("stateToken", status == "SUCCESS" ? nil : "$secret.stateToken.1$"),
      ("sessionToken", status == "SUCCESS" ? "$secret.sessionToken.1$" : nil),
      ("factorResult", result.map(JSON.string)),
      (
        "_embedded",
        .members([
          ("user", ["id": .string("00u\(employee.device)"), "profile": ["login": .string(employee.login)]]),
          ("factor", factor.map { ["factorType": .string($0), "provider": "OKTA"] }),
        ])
      ),
    ])
  }

  mutating func changed(
    _ script: inout FlowScript, _ status: String, after previous: String?, _ employee: Employee, factor: String? = nil,
    result: String? = nil, call: Int?
  ) {
    let factors: JSON? = factor.map { [["type": .string($0), "provider": "OKTA", "id": "fac1"]] }
    script.make(
      "status.changed",
      .members([
        ("status", .string(status)), ("previous", previous.map(JSON.string)),
        (
          "summary",
          .members([
            ("user", .string(employee.login)), ("factorResult", result.map(JSON.string)), ("factors", factors),
            ("links", ["cancel"]), ("stateToken", status == "SUCCESS" ? nil : "$secret.stateToken.1$"),
            ("sessionToken", status == "SUCCESS" ? "$secret.sessionToken.1$" : nil),
          ])
        ),
      ]))
    if let call { script.returned(call, .status) }
  }

  func wireFactor(_ factor: String) -> String { factor == "totp" ? "token:software:totp" : factor }

  mutating func signIn(_ script: inout FlowScript, _ play: Play, _ employee: Employee) {
    var call = authenticate(&script, employee, 1)
    let body: JSON = ["username": .string(employee.login), "password": "$secret.password.1$"]
    switch play {
    case .wrongPassword, .wrongPasswordFirst:
      refused(&script, call, "/api/v1/authn", code: "E0000004", status: 401, body: body)
      script.wait(milliseconds: random.within(3_000...20_000))
      if play == .wrongPassword { return release(&script, "failed") }
      call = authenticate(&script, employee, 2)
    case .rateLimited:
      refused(&script, call, "/api/v1/authn", code: "E0000047", status: 429, body: body)
      return release(&script, "failed")
    case .connectionLost:
      script.failingExchange("/api/v1/authn", body: body, code: .connectionLost, after: random.within(1_000...9_000))
      script.returned(call, .failed(code: "connectionError", details: ["code": "connectionLost", "detail": "Broke."]))
      return release(&script, "failed")
    case .lockedOut:
      script.exchange(
        "/api/v1/authn", body: body, answer: ["status": "LOCKED_OUT"], after: latency(), requestID: requestID())
      changed(&script, "LOCKED_OUT", after: nil, employee, call: call)
      return release(&script, "lockedOut")
    case .success, .abandoned, .wrongCodeFirst, .pushRejected, .pushTimedOut, .pushApproved, .recovery, .unlock,
      .tokens,
      .device:
      break
    }
    let factor = employee.factor
    let next = factor == "none" ? "SUCCESS" : "MFA_REQUIRED"
    script.exchange(
      "/api/v1/authn", body: body,
      answer: transaction(next, employee, factor: factor == "none" ? nil : wireFactor(factor)),
      after: latency(), requestID: requestID())
    changed(
      &script, next, after: nil, employee, factor: factor == "none" ? nil : wireFactor(factor), call: call)
    guard factor != "none" else { return script.end("success") }
    if play == .abandoned { return release(&script, "abandoned") }
    script.wait(milliseconds: random.within(500...4_000))
    if factor == "push" { push(&script, play, employee) } else { code(&script, play, employee, wireFactor(factor)) }
  }

  mutating func release(_ script: inout FlowScript, _ outcome: String) {
    script.wait(milliseconds: random.within(1_000...30_000))
    _ = script.call("release", [:])
    script.end(outcome)
  }

  mutating func code(_ script: inout FlowScript, _ play: Play, _ employee: Employee, _ factor: String) {
    let path = "/api/v1/authn/factors/\(factor == "sms" ? "sms" : "ost")8wjpxJGBKiBPuaOyT/verify"
    var previous = "MFA_REQUIRED"
    if factor == "sms" {
      let call = script.call("selectFactor", ["factor": 0])
      script.exchange(
        path, body: ["stateToken": "$secret.stateToken.1$"],
        answer: transaction("MFA_CHALLENGE", employee, factor: factor), after: latency(), requestID: requestID())
      changed(&script, "MFA_CHALLENGE", after: previous, employee, factor: factor, call: call)
      previous = "MFA_CHALLENGE"
    }
    for attempt in 1...(play == .wrongCodeFirst ? 2 : 1) {
      script.wait(milliseconds: random.within(4_000...25_000))
      let arguments: JSON = ["passCode": .string("$secret.passCode.\(attempt)$")]
      let call =
        factor == "sms"
        ? script.call("verifyFactor", arguments)
        : script.call("selectFactor", ["factor": 0, "passCode": .string("$secret.passCode.\(attempt)$")])
      let body: JSON = ["stateToken": "$secret.stateToken.1$", "passCode": .string("$secret.passCode.\(attempt)$")]
      if play == .wrongCodeFirst, attempt == 1 {
        refused(&script, call, path, code: "E0000068", status: 403, body: body)
        continue
      }
      script.exchange(
        path, body: body, answer: transaction("SUCCESS", employee), after: latency(), requestID: requestID())
      changed(&script, "SUCCESS", after: previous, employee, call: call)
      script.end("success")
    }
  }

  mutating func push(_ script: inout FlowScript, _ play: Play, _ employee: Employee) {
    let path = "/api/v1/authn/factors/opf8wjpxJGBKiBPuaOyT/verify"
    let body: JSON = ["stateToken": "$secret.stateToken.1$"]
    let call = script.call("selectFactor", ["factor": 0])
    script.exchange(
      path, body: body, answer: transaction("MFA_CHALLENGE", employee, factor: "push", result: "WAITING"),
      after: latency(), requestID: requestID())
    changed(&script, "MFA_CHALLENGE", after: "MFA_REQUIRED", employee, factor: "push", result: "WAITING", call: nil)
    let polls = play == .pushTimedOut ? 12 : random.within(1...4)
    for _ in 0..<(polls - 1) {
      script.timer(milliseconds: 5_000, for: "poll")
      script.exchange(
        path, body: body, answer: transaction("MFA_CHALLENGE", employee, factor: "push", result: "WAITING"),
        after: latency(), requestID: requestID())
      script.make("factor.updated", ["result": "WAITING", "call": .int(call)])
    }
    script.timer(milliseconds: 5_000, for: "poll")
    guard play == .pushRejected || play == .pushTimedOut else {
      script.exchange(
        path, body: body, answer: transaction("SUCCESS", employee), after: latency(), requestID: requestID())
      changed(&script, "SUCCESS", after: "MFA_CHALLENGE", employee, call: call)
      return script.end("success")
    }
    let result = play == .pushRejected ? "REJECTED" : "TIMEOUT"
    script.exchange(
      path, body: body, answer: transaction("MFA_CHALLENGE", employee, factor: "push", result: result),
      after: latency(),
      requestID: requestID())
    script.make("factor.updated", ["result": .string(result), "call": .int(call)])
    changed(&script, "MFA_CHALLENGE", after: "MFA_CHALLENGE", employee, factor: "push", result: result, call: call)
    release(&script, "abandoned")
  }

  mutating func recover(_ script: inout FlowScript, _ employee: Employee) {
    begin("recoverPassword", at: "password", by: "SMS", within: 8_000...60_000, to: "PASSWORD_RESET", &script, employee)
    script.wait(milliseconds: random.within(8_000...60_000))
    let call = script.call("resetPassword", ["newPassword": "$secret.newPassword.1$"])
    script.exchange(
      "/api/v1/authn/credentials/reset_password", body: ["newPassword": "$secret.newPassword.1$"],
      answer: transaction("SUCCESS", employee), after: latency(), requestID: requestID())
    changed(&script, "SUCCESS", after: "PASSWORD_RESET", employee, call: call)
    script.end("success")
  }

  mutating func unlock(_ script: inout FlowScript, _ employee: Employee) {
    begin("unlockAccount", at: "unlock", by: "EMAIL", within: 20_000...90_000, to: "SUCCESS", &script, employee)
    script.end("success")
  }

  /// Requests a recovery through a factor, and answers with the code received.
  private mutating func begin(
    _ name: String, at path: String, by factor: String, within wait: ClosedRange<Int>, to status: String,
    _ script: inout FlowScript, _ employee: Employee
  ) {
    let user: JSON = ["username": .string(employee.login), "factorType": .string(factor)]
    var call = script.call(name, user)
    script.draw("userAgent", .string(Self.userAgent))
    script.exchange(
      "/api/v1/authn/recovery/" + path, body: user, answer: ["status": "RECOVERY_CHALLENGE"], after: latency(),
      requestID: requestID())
    changed(&script, "RECOVERY_CHALLENGE", after: nil, employee, call: call)
    script.wait(milliseconds: random.within(wait))
    call = script.call("verifyFactor", ["passCode": "$secret.passCode.1$"])
    script.exchange(
      "/api/v1/authn/recovery/factors/\(factor.lowercased())/verify", body: ["passCode": "$secret.passCode.1$"],
      answer: transaction(status, employee), after: latency(), requestID: requestID())
    changed(&script, status, after: "RECOVERY_CHALLENGE", employee, call: call)
  }
}
