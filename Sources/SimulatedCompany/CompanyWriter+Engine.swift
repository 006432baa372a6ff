// Sign-ins with the Identity Engine.

import EventStore
import FlowRecording

extension CompanyWriter {
  mutating func engine(_ flow: PlannedFlow, _ employee: Employee, _ offset: Int) -> [NewRecord] {
    var script = script(
      "idx", flow, employee,
      ["issuer": "https://acme.example/oauth2/default", "clientId": "0oa1sampleapp0000001", "scope": "openid"], offset)
    var call = script.call("start", [:])
    script.draw("userAgent", .string(Self.userAgent))
    script.exchange(
      "/oauth2/default/v1/interact", body: ["client_id": "0oa1sampleapp0000001"],
      answer: ["interaction_handle": "$secret.interactionHandle.1$"], after: latency(), requestID: requestID())
    script.exchange(
      "/idp/idx/introspect", body: ["interactionHandle": "$secret.interactionHandle.1$"],
      answer: ["stateHandle": "$secret.stateHandle.1$"], after: latency(), requestID: requestID())
    var shown = offered(&script, ["identify", "unlock-account", "cancel"], nil, [:])
    script.returned(call, .status)
    script.wait(milliseconds: random.within(2_000...9_000))
    call = script.call(
      "proceed",
      [
        "form": "remediation/0", "name": "identify",
        "fields": [["at": "0", "name": "identifier", "value": .string(employee.login)]],
      ], on: shown)
    step(&script, "/idp/idx/identify")
    shown = offered(
      &script, ["challenge-authenticator", "cancel"], "identify",
      ["current": "okta_password", "user": .string(employee.login)])
    script.returned(call, .status)
    password(&script, flow.play, employee, shown)
    return script.records
  }

  mutating func step(_ script: inout FlowScript, _ path: String, status: Int = 200) {
    script.exchange(
      path, body: ["stateHandle": "$secret.stateHandle.1$"], status: status,
      answer: ["stateHandle": "$secret.stateHandle.1$", "version": "1.0.0"], after: latency(), requestID: requestID())
  }

  mutating func offered(
    _ script: inout FlowScript, _ names: [String], _ chosen: String?, _ summary: JSON
  ) -> Int {
    let revision = script.revision
    script.make(
      "remediation.changed",
      .members([
        ("offered", .array(names.map(JSON.string))), ("chosen", chosen.map(JSON.string)), ("summary", summary),
      ]))
    return revision
  }

  mutating func answer(_ script: inout FlowScript, _ number: Int, on shown: Int) -> Int {
    script.wait(milliseconds: random.within(3_000...15_000))
    return script.call(
      "proceed",
      [
        "form": "remediation/0", "name": "challenge-authenticator",
        "fields": [
          [
            "at": "0/0", "name": "credentials.passcode", "secret": true,
            "value": .string("$secret.passcode.\(number)$"),
          ]
        ],
      ], on: shown)
  }

  mutating func wrong(
    _ script: inout FlowScript, _ current: String, _ key: String, _ text: String, _ employee: Employee
  ) -> Int {
    step(&script, "/idp/idx/challenge/answer", status: 401)
    let shown = offered(
      &script, ["challenge-authenticator", "cancel"], "challenge-authenticator",
      ["current": .string(current), "user": .string(employee.login)])
    script.make("message.shown", ["class": "ERROR", "key": .string(key), "text": .string(text)])
    return shown
  }

  mutating func password(_ script: inout FlowScript, _ play: Play, _ employee: Employee, _ first: Int) {
    var shown = first
    if play == .wrongPassword || play == .wrongPasswordFirst {
      let call = answer(&script, 1, on: shown)
      shown = wrong(&script, "okta_password", "errors.E0000004", "Authentication failed", employee)
      script.returned(call, .status)
      if play == .wrongPassword { return release(&script, "abandoned") }
    }
    let call = answer(&script, 2, on: shown)
    step(&script, "/idp/idx/challenge/answer")
    let factor = employee.factor
    guard factor != "none" else { return success(&script, "okta_password", "challenge-authenticator", call, employee) }
    let key = factor == "sms" ? "phone_number" : factor == "totp" ? "google_otp" : "okta_verify"
    let names = factor == "push" ? ["challenge-poll", "cancel"] : ["challenge-authenticator", "cancel"]
    shown = offered(
      &script, names, "challenge-authenticator",
      ["current": .string(key), "answered": "okta_password", "user": .string(employee.login)])
    script.returned(call, .status)
    if play == .abandoned { return release(&script, "abandoned") }
    if factor == "push" {
      enginePush(&script, play, employee, shown)
    } else {
      engineCode(&script, play, employee, key, shown)
    }
  }

  mutating func engineCode(
    _ script: inout FlowScript, _ play: Play, _ employee: Employee, _ key: String, _ first: Int
  ) {
    var shown = first
    if play == .wrongCodeFirst {
      let call = answer(&script, 3, on: shown)
      shown = wrong(&script, key, "api.authn.error.PASSCODE_INVALID", "Your code doesn't match", employee)
      script.returned(call, .status)
    }
    let call = answer(&script, 4, on: shown)
    step(&script, "/idp/idx/challenge/answer")
    success(&script, key, "challenge-authenticator", call, employee)
  }

  mutating func enginePush(_ script: inout FlowScript, _ play: Play, _ employee: Employee, _ shown: Int) {
    let call = script.call("startPolling", ["name": "challenge-poll"], on: shown)
    let polls = play == .pushTimedOut ? 12 : random.within(1...4)
    for _ in 0..<polls {
      script.timer(milliseconds: 4_000, for: "poll")
      step(&script, "/idp/idx/authenticators/poll")
    }
    guard play == .pushRejected || play == .pushTimedOut else {
      return success(&script, "okta_verify", "challenge-poll", call, employee)
    }
    _ = offered(
      &script, ["resend", "cancel"], "challenge-poll", ["current": "okta_verify", "user": .string(employee.login)])
    let key =
      play == .pushRejected
      ? "api.authn.poll.error.push_rejected" : "authfactor.challenge.okta_verify_push.timed_out"
    script.make("message.shown", ["class": "ERROR", "key": .string(key), "text": "The push was not approved."])
    script.returned(call, .status)
    release(&script, "abandoned")
  }

  mutating func success(
    _ script: inout FlowScript, _ answered: String, _ chosen: String, _ call: Int, _ employee: Employee
  ) {
    let shown = offered(
      &script, ["cancel", "issue"], chosen,
      ["answered": .string(answered), "user": .string(employee.login), "success": true])
    script.returned(call, .status)
    let exchange = script.call("exchangeCode", [:], on: shown)
    script.exchange(
      "/oauth2/default/v1/token", body: ["grant_type": "interaction_code"],
      answer: ["token_type": "Bearer", "expires_in": 3_600, "access_token": "$secret.accessToken.1$"], after: latency(),
      requestID: requestID())
    script.make(
      "token.issued",
      [
        "tokenType": "Bearer", "expiresIn": 3_600, "scope": "openid",
        "tokens": ["access_token": "$secret.accessToken.1$"],
      ])
    script.returned(exchange, .done)
    script.end("success")
  }
}
