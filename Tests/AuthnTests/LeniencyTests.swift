import EventStore
import FlowRecording
import Foundation
import Testing

@testable import Authn

/// What the original got wrong or did not do (authn, «[gap]»), and what servers send in more than one form.
@Suite struct LeniencyTests {
  @Test("a link never leads from https down to http")
  func downgrade() async throws {
    let script = Script(
      Wire.transaction("RECOVERY", links: [("next", Wire.link("http://acme.example/api/v1/authn/recovery/answer"))]))
    let recovery: OktaAuthStatusRecovery = try await script.status()
    let error = try await failure { () async throws(OktaError) in try await recovery.recoverWithAnswer("tea") }
    guard case .invalidResponse = error else { throw error }
    #expect(script.transport.requests.count == 1)
    try await script.expectWhole(recovery)
  }

  @Test("to another host goes the state token alone, and what was entered only if the origin is listed")
  func origins() async throws {
    let body = Wire.transaction(
      "RECOVERY",
      links: [
        ("next", Wire.link("https://sso.example/answer")), ("cancel", Wire.link("https://sso.example/cancel")),
      ])
    let open = Script(body, Wire.success)
    let recovery: OktaAuthStatusRecovery = try await open.status()
    let error = try await failure { () async throws(OktaError) in try await recovery.recoverWithAnswer("tea") }
    guard case .invalidResponse = error else { throw error }
    #expect("\(error.localizedDescription)".contains("https://sso.example"), "\(error.localizedDescription)")
    #expect("\(error.localizedDescription)".contains("allowedOrigins"))
    #expect(open.transport.requests.count == 1)
    try await recovery.cancel()
    #expect(open.transport.requests.last?.url == "https://sso.example/cancel")
    #expect(
      open.recorder.records(of: recovery.flowID).contains {
        if case .requestSent(let sent) = $0.event { sent.foreignOrigin == "https://sso.example" } else { false }
      })
    try await open.expectWhole(recovery)
    for (origins, sent) in [
      (["https://sso.example"], 2), (["https://SSO.example:443"], 2), (["https://other.example"], 1),
    ] {
      let script = Script(body, Wire.success)
      let recovery: OktaAuthStatusRecovery = try await script.status(origins: origins)
      _ = try? await recovery.recoverWithAnswer("tea")
      #expect(script.transport.requests.count == sent)
      try await script.expectWhole(recovery)
    }
  }

  @Test("a link for a browser is never posted to")
  func browserLink() async throws {
    let script = Script(
      Wire.transaction("PASSWORD_EXPIRED", links: [("next", Wire.link("https://pw.example/change", allow: "GET"))]))
    let expired: OktaAuthStatusPasswordExpired = try await script.status()
    let error = try await failure { () async throws(OktaError) in
      try await expired.changePassword(oldPassword: "a", newPassword: "b")
    }
    guard case .wrongStatus = error else { throw error }
    #expect(script.transport.requests.count == 1)
  }

  @Test("the methods of a link may be one word instead of a list, in any case")
  func methods() async throws {
    let cases: [(JSON, Int)] = [("GET", 1), ("POST", 2), ("post", 2), (["post"], 2), (["get"], 1)]
    for (allow, requests) in cases {
      let link: JSON = [
        "href": .string(Script.org + "/api/v1/authn/recovery/answer"), "name": "answer", "hints": ["allow": allow],
      ]
      let script = Script(Wire.transaction("RECOVERY", links: [("next", link)]), Wire.success)
      let recovery: OktaAuthStatusRecovery = try await script.status()
      #expect(recovery.links?.next?.allow.count == 1, "\(allow.text)")
      _ = try? await recovery.recoverWithAnswer("tea")
      #expect(script.transport.requests.count == requests, "\(allow.text)")
      try await script.expectWhole(recovery)
    }
  }

  @Test(
    "links are followed also if the relay state, or what nothing declares, is an address of the org",
    arguments: ["", "/", "/api/v1/authn", "/api/v1/authn/factors/fct1/verify"])
  func addressesBesideLinks(path: String) async throws {
    let other: JSON = ["href": .string(Script.org + path)]
    let factor = Wire.factor(
      "token:software:totp", links: [("self", other), ("verify", Wire.link("/factors/fct1/verify"))])
    let body = Wire.transaction(
      "MFA_REQUIRED", embedded: [("factors", [factor])], links: [("self", other), ("cancel", Wire.cancel)],
      [("relayState", .string(Script.org + "/"))])
    let script = Script(body, Wire.success)
    let required: OktaAuthStatusFactorRequired = try await script.status()
    #expect(required.model.json == body)
    let totp = try #require(required.availableFactors.first as? OktaFactorTotp)
    _ = try await totp.select(passCode: "123456")
    #expect(script.transport.requests.last?.url == Script.factorURL + "/fct1/verify")
    try await script.expectWhole(required)
  }

  @Test("what a person entered, and the state token, are never posted to a link for a browser")
  func browserLinks() async throws {
    let browser = Wire.link("https://acme.example/login/step-up/redirect", name: "redirect", allow: "GET")
    let stepUp = Script(Wire.transaction("UNAUTHENTICATED", links: [("next", browser)]))
    let start: OktaAuthStatusUnauthenticated = try await stepUp.status()
    var error = try await failure { () async throws(OktaError) in
      try await start.authenticate(username: "ann", password: "Horse-7")
    }
    guard case .wrongStatus = error else { throw error }
    #expect(stepUp.transport.requests.count == 1)
    try await stepUp.expectWhole(start)
    // A poll that is answered with such a link is the last.
    let waiting = Wire.transaction(
      "MFA_CHALLENGE", embedded: [("factor", Wire.factor("push", links: []))], links: [("next", browser)],
      [("factorResult", "WAITING")])
    let polls = Script(Wire.waiting(), waiting)
    let challenge: OktaAuthStatusFactorChallenge = try await polls.status()
    error = try await failure { () async throws(OktaError) in
      try await challenge.verifyFactor(passCode: nil, answerToSecurityQuestion: nil)
    }
    guard case .wrongStatus = error else { throw error }
    #expect(polls.transport.requests.count == 2)
    try await polls.expectWhole(challenge)
    // A recovery token is not sent there, nor does a cancel go.
    let recovery = Script(
      Wire.transaction(
        "RECOVERY", token: nil, links: [("next", Wire.link("/recovery", name: "recovery", allow: "GET"))],
        [("recoveryToken", "recovery-token-1")]))
    let status: OktaAuthStatusRecovery = try await recovery.status()
    error = try await failure { () async throws(OktaError) in try await status.recoverWithToken("recovery-token-1") }
    guard case .wrongStatus = error else { throw error }
    #expect(recovery.transport.requests.count == 1)
    let locked = Script(
      Wire.transaction("LOCKED_OUT", token: nil, links: [("cancel", Wire.link("/cancel", allow: "GET"))]))
    let lockedOut: OktaAuthStatusLockedOut = try await locked.status()
    error = try await failure { () async throws(OktaError) in try await lockedOut.cancel() }
    guard case .wrongStatus = error else { throw error }
    #expect(locked.transport.requests.count == 1)
  }

  @Test("security questions are listed while a call changes the transaction, and hold none back")
  func questionsBeside() async throws {
    let factor = Wire.factor(
      "question", links: [("enroll", Wire.link("/factors")), ("questions", Wire.link("/questions", allow: "GET"))])
    let enroll = Wire.transaction(
      "MFA_ENROLL", embedded: [("factors", [factor])], links: [("cancel", Wire.cancel), ("skip", Wire.link("/skip"))])
    let (questions, skipped) = (ScriptedTransport.Hold(), ScriptedTransport.Hold())
    let script = Script([
      Script.answer(enroll), Script.answer([["question": "a", "questionText": "b"]], hold: questions),
      Script.answer(Wire.success, hold: skipped), Script.answer([["question": "c", "questionText": "d"]]),
    ])
    let status: OktaAuthStatusFactorEnroll = try await script.status()
    let question = try #require(status.availableFactors.first as? OktaFactorQuestion)
    let first = Task { try await question.downloadSecurityQuestions().map(\.question) }
    _ = await script.transport.requests(atLeast: 2)
    let skip = Task { try await status.skipEnrollment().statusType }
    _ = await script.transport.requests(atLeast: 3)
    #expect(try await question.downloadSecurityQuestions().map(\.question) == ["c"])
    questions.release()
    #expect(try await first.value == ["a"])
    skipped.release()
    #expect(try await skip.value == .success)
    try await script.expectWhole(status)
  }

  @Test("flags are merged into a query: others kept, the same one replaced where it stands")
  func queries() {
    let items = [AuthnQueryItem(name: "autoPush", value: true), AuthnQueryItem(name: "rememberDevice", value: false)]
    let cases = [
      ("https://a.example/v", "https://a.example/v?autoPush=true&rememberDevice=false"),
      ("https://a.example/v?", "https://a.example/v?autoPush=true&rememberDevice=false"),
      ("https://a.example/v?x=1&rememberDevice=true&y", "https://a.example/v?x=1&rememberDevice=false&y&autoPush=true"),
      ("https://a.example/v#f", "https://a.example/v?autoPush=true&rememberDevice=false#f"),
    ]
    for (url, merged) in cases { #expect(AuthnQueryItem.merge(items, into: url) == merged) }
    #expect(AuthnQueryItem.merge([], into: "https://a.example/v?") == "https://a.example/v?")
  }

  @Test("nothing is sent of what is not given: no password, no context, no profile")
  func nothingEmpty() async throws {
    let enroll = Wire.transaction(
      "MFA_ENROLL", embedded: [("factors", [Wire.factor("push", links: [("enroll", Wire.link("/factors"))])])])
    let script = Script(Wire.success, enroll, Wire.success)
    let start = script.begin()
    _ = try await start.authenticate(username: "ann", password: nil, options: OktaAuthenticationOptions())
    let options: JSON = ["multiOptionalFactorEnroll": true, "warnBeforePasswordExpired": true]
    #expect(try script.lastBody == ["options": options, "username": "ann"])
    let status = try #require(
      try await start.authenticate(username: "ann", password: "x") as? OktaAuthStatusFactorEnroll)
    let push = try #require(status.availableFactors.first as? OktaFactorPush)
    _ = try await push.enroll()
    #expect(try script.lastBody == ["factorType": "push", "provider": "OKTA", "stateToken": "state-token-1"])
  }

  @Test(
    "a device token that could add a cookie of its own is refused, and nothing is sent",
    arguments: ["a; sid=stolen", "a\r\nX-Other: b", "", String(repeating: "a", count: 33), "g\u{00E9}rard"])
  func deviceToken(token: String) async throws {
    var options = OktaAuthenticationOptions()
    options.deviceToken = token
    let script = Script(Wire.success)
    let start = script.begin()
    do {
      _ = try await start.authenticate(username: "ann", password: "x", options: options)
      Issue.record("it was taken")
    } catch OktaError.invalidParameters(let text) { #expect(text.contains("32")) }
    #expect(script.transport.requests.isEmpty)
    try await script.expectWhole(start)
  }

  @Test("a device token goes as cookie and as context, a fingerprint as header, relay state and audience in the body")
  func options() async throws {
    var options = OktaAuthenticationOptions()
    options.deviceToken = "device-1"
    options.deviceFingerprint = "finger-1"
    options.relayState = "/relay"
    options.audience = "app-1"
    options.warnBeforePasswordExpired = false
    let script = Script(Wire.waiting(), Wire.success)
    let start = script.begin()
    let status = try await start.authenticate(username: "ann", password: "x", options: options)
    let sent = try #require(script.transport.requests.first)
    #expect(sent.headers.contains(HTTPField("Cookie", "DT=device-1")))
    #expect(sent.headers.contains(HTTPField("X-Device-Fingerprint", "finger-1")))
    let body = try JSON(parsing: sent.body ?? [])
    #expect(body["context"] == ["deviceToken": "device-1"])
    #expect(body["relayState"] == "/relay")
    #expect(body["audience"] == "app-1")
    #expect(body["options"]?["warnBeforePasswordExpired"] == false)
    _ = try await status.factors.first.map { $0 as? OktaFactorPush }??.verify()
    #expect(script.transport.requests.last?.headers.contains(HTTPField("Cookie", "DT=device-1")) == true)
    let written = script.recorder.records(of: start.flowID).map { $0.event.data.text }.joined()
    for secret in ["device-1", "finger-1"] { #expect(!written.contains(secret)) }
    try await script.expectWhole(status)
  }

  @Test("a recovery by a trusted application redeems its token by its link, and sends nothing beside it")
  func trustedRecovery() async throws {
    let script = Script(
      [
        "status": "RECOVERY", "recoveryToken": "recovery-1", "recoveryType": "PASSWORD",
        "_links": ["next": Wire.link("/recovery/token", name: "recovery")],
      ], Wire.transaction("PASSWORD_RESET", links: [("next", Wire.link("/credentials/reset_password"))]))
    let recovery: OktaAuthStatusRecovery = try await script.status()
    let reset = try await recovery.recoverWithToken(try #require(recovery.recoveryToken))
    #expect(reset is OktaAuthStatusPasswordReset)
    #expect(try script.lastBody == ["recoveryToken": "recovery-1"])
    try await script.expectWhole(reset)
  }

  @Test("cancel before a transaction, or in a step-up without a link, is done without a request")
  func nothingToCancel() async throws {
    let script = Script(Wire.transaction("UNAUTHENTICATED", links: [("next", Wire.link("", name: "authenticate"))]))
    let start = script.begin()
    try await start.cancel()
    #expect(script.transport.requests.isEmpty)
    let stepUp: OktaAuthStatusUnauthenticated = try await script.status()
    try await stepUp.cancel()
    #expect(script.transport.requests.count == 1)
    try await script.expectWhole(stepUp)
  }

  @Test("a superseded object may still be used; the org decides")
  func superseded() async throws {
    let required = Wire.required(Wire.factor("sms", links: [("verify", Wire.link("/factors/fct1/verify"))]))
    let script = Script([
      Script.answer(required), Script.answer(Wire.waiting()),
      Script.answer(["errorCode": "E0000079", "errorSummary": "Not allowed"], status: 403), Script.answer(Wire.success),
    ])
    let old: OktaAuthStatusFactorRequired = try await script.status()
    let sms = try #require(old.availableFactors.first)
    let challenge = try await old.selectFactor(sms)
    let error = try await failure { () async throws(OktaError) in try await old.selectFactor(sms) }
    guard case .serverRespondedWithError(let response) = error else { throw error }
    #expect(response.errorCode == "E0000079")
    _ = try await (challenge as? OktaAuthStatusFactorChallenge)?
      .verifyFactor(passCode: "1", answerToSecurityQuestion: nil)
    try await script.expectWhole(challenge)
  }

  @Test("a payload that JSON has no form for is refused before anything is sent")
  func payload() async throws {
    let script = Script(Wire.waiting(), Wire.success)
    let challenge: OktaAuthStatusFactorChallenge = try await script.status()
    let link = try #require(challenge.links?.next)
    let error = try await failure { () async throws(OktaError) in
      try await challenge.sendRequest(with: link, keyValuePayload: ["when": Date(timeIntervalSince1970: 0)])
    }
    guard case .invalidParameters = error else { throw error }
    #expect(script.transport.requests.count == 1)
    _ = try await challenge.sendRequest(
      with: link,
      keyValuePayload: [
        "text": "t", "flag": true, "number": 7, "half": 0.5, "none": NSNull(), "list": [1, "a"], "stateToken": "mine",
      ])
    #expect(
      try script.lastBody.sorted == [
        "flag": true, "half": .number("0.5"), "list": [1, "a"], "none": nil, "number": 7, "stateToken": "mine",
        "text": "t",
      ])
    let written = script.recorder.records(of: challenge.flowID).map { $0.event.data.text }.joined()
    #expect(!written.contains("\"half\""), "names in a payload are secrets by default")
    try await script.expectWhole(challenge)
  }

  @Test("password rules arrive, whatever form their values have; both kinds of policy in one object are both read")
  func policies() async throws {
    let policy: JSON = [
      "allowRememberDevice": true, "rememberDeviceLifetimeInMinutes": 15, "rememberDeviceByDefault": "false",
      "factorsPolicyInfo": ["opf1": ["autoPushEnabled": true]], "expiration": ["passwordExpireDays": "3"],
      "complexity": ["minLength": 8, "minSymbol": -1, "excludeUsername": "true", "excludeAttributes": ["firstName"]],
      "age": ["minAgeMinutes": 0, "historyCount": 4],
    ]
    let script = Script(Wire.transaction("PASSWORD_WARN", embedded: [("policy", policy)]))
    let warning: OktaAuthStatusPasswordWarning = try await script.status()
    #expect(warning.passwordExpiration?.passwordExpireDays == 3)
    #expect(warning.passwordComplexity?.excludeUsername == true)
    #expect(warning.passwordComplexity?.minSymbol == -1)
    #expect(warning.passwordComplexity?.excludeAttributes == ["firstName"])
    #expect(warning.passwordAge?.historyCount == 4)
    let remember = warning.model.embedded?.policy?.rememberDevice
    #expect(remember?.allowRememberDevice == true)
    #expect(remember?.rememberDeviceByDefault == false)
    #expect(remember?.autoPushEnabled == ["opf1": true])
  }

  @Test("a listener sees each request and may change it; its answer is a draw, masked, and replays without it")
  func listener() async throws {
    let script = Script(Wire.success)
    let seen = Locked<[String]>([])
    var environment = script.environment
    environment.requestListener = { request in
      seen.withLock { $0.append(request.url) }
      var request = request
      request.headers.append(HTTPField("Accept-Language", "de-canary-99"))
      request.url += "?odd=canary-query-12"
      guard let body = request.body, var json = try? JSON(parsing: body), case .object(var object) = json else {
        return request
      }
      object["audience"] = "canary-audience-34"
      json = .object(object)
      request.body = json.bytes
      return request
    }
    let url = try #require(URL(string: Script.org))
    _ = try await OktaAuthSdk.authenticate(with: url, username: "ann", password: "x", environment: environment)
    #expect(seen.withLock { $0 } == [Script.org + "/api/v1/authn"])
    let sent = try #require(script.transport.requests.first)
    #expect(sent.headers.last == HTTPField("Accept-Language", "de-canary-99"))
    #expect(sent.url == Script.org + "/api/v1/authn?odd=canary-query-12")
    let body = try JSON(parsing: try #require(sent.body))
    #expect(body["audience"] == "canary-audience-34")
    #expect(body["password"] == "x")
    let records = script.recorder.records(of: try #require(script.recorder.streams.first))
    let text = records.map(\.event.data.text).joined()
    #expect(!text.contains("canary"))
    #expect(text.contains("request.listener"))
    try expectReplays(script.recorder, "listener")
  }

  @Test("a listener that changes nothing draws nothing but null")
  func idleListener() async throws {
    let script = Script(Wire.success)
    var environment = script.environment
    environment.requestListener = { $0 }
    let url = try #require(URL(string: Script.org))
    _ = try await OktaAuthSdk.authenticate(with: url, username: "ann", password: "x", environment: environment)
    let records = script.recorder.records(of: try #require(script.recorder.streams.first))
    let draws = records.filter { $0.event.data["kind"] == "request.listener" }
    #expect(draws.map { $0.event.data["value"] } == [.null])
    try expectReplays(script.recorder, "listener")
  }

  @Test(
    "an error of the org says what to do next, and how long to wait",
    arguments: [
      ("E0000068", 403, OktaErrorAdvice.retryStep, nil as Int?), ("E0000109", 429, .waitThenRetry, 30),
      ("E0000118", 429, .waitThenRetry, 5), ("E0000011", 401, .startOver, nil),
      ("E0000079", 403, .startOver, nil), ("E0000022", 405, .checkConfiguration, nil),
      ("E0000009", 500, .tryLater, nil),
    ])
  func advice(code: String, status: Int, advice: OktaErrorAdvice, wait: Int?) async throws {
    let script = Script([Script.answer(["errorCode": .string(code), "errorSummary": "No"], status: status)])
    let start = script.begin()
    let error = try await failure { () async throws(OktaError) in
      try await start.authenticate(username: "ann", password: "x")
    }
    guard case .serverRespondedWithError(let response) = error else { throw error }
    #expect(response.advice == advice)
    #expect(response.retryAfterSeconds == wait)
    #expect(error.recoverySuggestion == (wait.map { "Wait \($0) seconds, then try again" } ?? advice.sentence))
    #expect(error.description == "Server responded with error: No")
  }

  @Test("recovery factors are kinds of factors")
  func recoveryFactors() {
    #expect(OktaRecoveryFactors.allCases.map { $0.toFactorType() } == [.email, .sms, .call])
  }

  @Test("a locked account is unlocked with relay state, and by trusted applications without a factor type")
  func unlocking() async throws {
    let locked: JSON = ["status": "LOCKED_OUT", "_links": ["next": Wire.link("/recovery/unlock", name: "unlock")]]
    let script = Script(locked, Wire.success)
    let status: OktaAuthStatusLockedOut = try await script.status()
    _ = try await status.unlock(username: "ann", factorType: nil, relayState: "relay-1")
    #expect(try script.lastBody == ["relayState": "relay-1", "username": "ann"])
  }

  @Test("a password is recovered without a factor type, which is left out")
  func recovering() async throws {
    let script = Script(Wire.success)
    _ = try await script.begin().recoverPassword(username: "ann", factorType: nil)
    #expect(try script.lastBody == ["username": "ann"])
  }

  @Test("an error keeps the HTTP status and the reason")
  func errorDetails() async throws {
    func error(_ answer: ScriptedTransport.Answer) async throws -> OktaError {
      try await failure { () async throws(OktaError) in
        try await Script([answer]).begin().authenticate(username: "ann", password: "x")
      }
    }
    let empty = try await error(.respond(with: HTTPResponse(status: 502, body: [])))
    guard case .emptyServerResponse = empty else { throw empty }
    #expect(empty.httpStatus == 502)
    #expect("\(empty)".contains("502"))
    let unreadable = try await error(.respond(with: HTTPResponse(status: 503, body: Array("<html>".utf8))))
    guard case .responseSerializationError = unreadable else { throw unreadable }
    #expect(unreadable.httpStatus == 503)
    let refused = try await error(Script.answer(["errorCode": "E0000004"], status: 401))
    #expect(refused.httpStatus == 401)
    let incomplete = try await error(Script.answer(Wire.transaction("MFA_CHALLENGE")))
    guard case .invalidResponse(let reason) = incomplete else { throw incomplete }
    #expect(reason == "MFA_CHALLENGE without a factor")
    #expect("\(incomplete)".contains(reason))
    #expect(incomplete.httpStatus == nil)
  }
}
