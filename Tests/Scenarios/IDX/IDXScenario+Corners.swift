// Conditions of the Identity Engine one by one: each of these flows makes both sides of a few of them matter.

import EventStore
import FlowRecording
import Foundation
import IDX
import OIDC
import SimulatedOrg

extension IDXScenario {
  static let corners: [IDXScenario] = [
    pollsInTrouble, startsGivenUp, limitsTold, putOffMeanwhile, formsFilled, formsAnswered, pagesRead, placesRead,
    fieldsRead,
    answersTaken, tokensChecked, tokensLater, optionsGiven, elsewhere,
  ]

  private static func anyhow(_ operation: () async throws -> Void) async {
    do { try await operation() } catch {}
  }

  private static func flow(
    _ stage: IDXStage, issuer: String = Stage.orgURL + "/oauth2/default",
    scopes: String = "openid profile offline_access", parameters: [String: String]? = nil, origins: [String]? = nil,
    algorithms: [String] = ["RS256", "ES256"], isExtended: Bool = false
  ) -> InteractionCodeFlow {
    InteractionCodeFlow(
      issuer: URL(string: issuer) ?? stage.org.url, clientId: OrgClient.sample.id, scopes: scopes,
      redirectUri: URL(string: OrgClient.sample.redirectURIs[0]) ?? stage.org.url, additionalParameters: parameters,
      allowedOrigins: origins, extendedUserAgent: isExtended, idTokenAlgorithms: algorithms,
      environment: stage.environment)
  }

  private static func json(_ status: Int, _ body: String, _ headers: HTTPField...) -> ChangedAnswers.Change {
    .answer(
      HTTPResponse(
        status: status, headers: [HTTPField("Content-Type", "application/json")] + headers, body: Array(body.utf8)))
  }

  private static func limited(_ headers: HTTPField...) -> ChangedAnswers.Change {
    json(429, #"{"errorCode":"E0000047","errorSummary":"Too many requests","errorId":"oae-limit"}"#).adding(headers)
  }

  /// A page whose current authenticator polls.
  private static func polled(
    _ refresh: String, expires: String = "2026-01-16T09:00:00.000Z", kind: String = "email", number: Int = 0,
    place: String = "currentAuthenticator"
  ) -> Page {
    let current = """
      {"type":"\(kind)","id":"aut1","displayName":"Mail \(number)","methods":[{"type":"email"}],\
      "poll":\(form("poll", more: refresh.isEmpty ? "" : "\"refresh\":\(refresh)")),"resend":\(form("resend"))}
      """
    return (
      200,
      """
      {"version":"1.0.0","stateHandle":"handle-of-the-pages","expiresAt":"\(expires)","intent":"LOGIN",\
      "remediation":{"type":"array","value":[\(form("challenge-authenticator")),\
      \(form("challenge-poll", more: "\"refresh\":3000"))]},\
      "\(place)":{"type":"object","value":\(current)},"cancel":\(form("cancel"))}
      """
    )
  }

  /// Polls that are put off, lost, refused, long, and overtaken by the end of the transaction, in all orders.
  static let pollsInTrouble = IDXScenario("idx-corner-polls", org(.named("password"), [user()])) { stage in
    let near = "2026-01-15T09:00:30.000Z"
    let slow = ChangedAnswers.Change.answer(
      HTTPResponse(
        status: 400,
        headers: [HTTPField("Content-Type", "application/json"), HTTPField("Date", "Thu, 15 Jan 2026 09:00:00 GMT")],
        body: Array(#"{"error":"slow_down"}"#.utf8)))
    @Sendable func lost(_ code: TransportError.Code) -> ChangedAnswers.Change {
      .failure(TransportError(code, "No answer."))
    }
    @Sendable func other(_ word: String) -> ChangedAnswers.Change { json(400, "{\"error\":\"\(word)\"}") }
    @Sendable func page(_ page: Page) -> ChangedAnswers.Change { json(page.status, page.body) }
    let courses: [[ChangedAnswers.Change]] = [
      [slow, lost(.timedOut), slow, lost(.cannotConnect), page(polled("2000")), lost(.tlsFailed)],
      [page(polled("2000")), lost(.malformedResponse)], [lost(.connectionLost), lost(.cancelled)],
      [page(polled("7200000")), page(polled("2000"))],
      [page(polled("-7")), page(polled("4e3")), page(polled("\"800\""))],
      [other("authorization_pending"), other("expired_token")],
      [slow, page(polled("60000", expires: near)), page(polled("2000"))],
      [page(polled("40000", expires: near)), page(polled("2000"))],
      [limited(HTTPField("Retry-After", "40")), page(polled("2000"))],
      [limited(HTTPField("Retry-After", "40")), limited(HTTPField("Retry-After", "40"))],
      [page(polled("2000", place: "currentAuthenticatorEnrollment")), page(polled("2000", kind: "phone"))],
      [page(polled("2000", place: "recoveryAuthenticator"))], [json(200, ""), page(polled("2000"))],
      [json(502, "<html>")],
      [page((200, #"{"version":"1.0.0"}"#))],
      [slow, json(200, #"{"error":7,"version":"1.0.0"}"#)],
    ]
    for course in courses {
      for isRemediation in [false, true] {
        let first = polled("1500")
        let stage = changing(stage) { request, count in
          guard request.url.contains("/idp/idx/") else { return .none }
          if request.url.hasSuffix("/introspect") { return page(first) }
          return count < course.count ? course[count] : page((200, Self.page([form("identify")]).body))
        }
        let flow = flow(stage)
        let response = try await flow.start()
        let pollable =
          isRemediation
          ? response.remediations[.challengePoll]?.pollable : response.authenticators.current?.pollable
        guard let pollable else { continue }
        await anyhow { _ = try await stage.firingTimers { try await pollable.startPolling() } }
      }
    }
  }

  /// A start is cancelled while the org is asked the second time: nothing of it is left. Another one is cancelled while
  /// it waits for a limit to end, and one is overtaken by a second.
  static let startsGivenUp = IDXScenario("idx-corner-starts-given-up", org(.named("password"), [user()])) { stage in
    var stage = stage
    let held = HeldRequests(over: stage.environment.transport)
    stage.environment.transport = held
    let holding = changing(stage) { request, count in
      if request.url.hasSuffix("/v1/interact") { held.hold() }
      return .none
    }
    for isOvertaken in [false, true] {
      let flow = holding.begin()
      let starting = Task { try await flow.start(options: [.state: "state-of-the-first"]) }
      guard await holdsSoon({ held.count > 0 }) else { throw Scenario.Unexpected(description: "nothing was sent") }
      held.releaseOne()
      guard await holdsSoon({ held.count > 0 }) else { throw Scenario.Unexpected(description: "nothing was sent") }
      if isOvertaken {
        let second = Task { try await flow.start() }
        _ = await starting.result
        guard await holdsSoon({ held.count > 1 }) else { throw Scenario.Unexpected(description: "nothing was sent") }
        held.release(dropping: 1)
        _ = await second.result
      } else {
        starting.cancel()
        _ = await starting.result
        held.release(dropping: 1)
      }
      await anyhow { _ = try await flow.resume() }
      withExtendedLifetime(flow) {}
    }
    let waiting = changing(stage) { request, count in
      request.url.hasSuffix("/v1/interact") && count < 2 ? limited(HTTPField("Retry-After", "30")) : .none
    }
    let flow = waiting.begin()
    let starting = Task { try await flow.start() }
    await waiting.time.waitForTimers()
    starting.cancel()
    _ = await starting.result
    let again = Task { try await flow.start() }
    await waiting.time.waitForTimers()
    flow.reset()
    _ = await again.result
    try expect(try await lead(from: try await flow.start(), on: stage) != nil, "no tokens")
  }

  /// Each step is limited, in every way that a server has; what waits is sent again under the name of its first try.
  static let limitsTold = IDXScenario("idx-corner-limits", org(.named("password"), [user()])) { stage in
    let date = HTTPField("Date", "Thu, 15 Jan 2026 10:00:00 GMT")
    let answers: [[HTTPField]] = [
      [HTTPField("Retry-After", "-5")], [HTTPField("Retry-After", "0")], [HTTPField("Retry-After", "7.5")],
      [HTTPField("Retry-After", "999999")], [HTTPField("Retry-After", "Thu, 15 Jan 2026 09:00:21 GMT")],
      [date, HTTPField("Retry-After", "Thu, 15 Jan 2026 10:00:12 GMT")],
      [date, HTTPField("X-Rate-Limit-Reset", "1768471213")], [HTTPField("X-Rate-Limit-Reset", "1768471213")],
      [date, HTTPField("X-Rate-Limit-Limit", "0"), HTTPField("X-Rate-Limit-Reset", "1768471213")],
    ]
    for place in ["/interact", "/introspect", "/identify", "/v1/token", "/keys", "/.well-known/"] {
      for headers in answers {
        var stage = changing(stage) { request, count in
          guard request.url.contains(place), count < 3 else { return .none }
          if count == 0 { return limited(HTTPField("X-Okta-Request-Id", "req-of-the-first")).adding(headers) }
          return limited(HTTPField("X-Okta-Request-Id", "req-of-\(count)"), HTTPField("Retry-After", "20"))
        }
        stage.environment[MetadataCacheSeam.self] = MetadataCache()
        stage.environment[KeyCacheSeam.self] = KeyCache()
        let playing = stage
        let flow = playing.begin()
        await anyhow {
          try await playing.firingTimers { _ = try await lead(from: try await flow.start(), on: playing) }
        }
      }
    }
  }

  /// While a form waits for a limit to end, other calls are refused; then it goes on.
  static let putOffMeanwhile = IDXScenario("idx-corner-put-off", org(.named("password"), [user()])) { stage in
    let stage = changing(stage) { request, count in
      guard request.url.hasSuffix("/identify"), count < 4 else { return .none }
      // The first three waits are too long together.
      return limited(HTTPField("Retry-After", count < 2 ? "20" : "21"))
    }
    let flow = stage.begin()
    let response = try await flow.start()
    let identify = try remediation(.identify, of: response)
    try IDXPerson().fill(identify, of: response, at: stage.org)
    let proceeding = Task { try await identify.proceed() }
    await stage.time.waitForTimers()
    await anyhow { _ = try await flow.resume() }
    await anyhow { _ = try await response.cancel() }
    await anyhow { _ = try await response.exchangeCode() }
    _ = try? await stage.firingTimers { try await proceeding.value }
    let again = Task { try await identify.proceed() }
    await stage.time.waitForTimers()
    again.cancel()
    _ = await again.result
    try expect(try await lead(from: response, on: stage) != nil, "no tokens")
  }

  private static let choices = """
    {"name":"authenticator","label":"Which one","options":[{"label":"Phone","value":{"form":{"value":[\
    {"name":"id","value":"aut1","mutable":false},{"name":"methodType","options":[{"label":"SMS","value":"sms"},\
    {"label":"Voice","value":"voice"},{"label":"Both","value":["sms","voice"]}]},{"name":"phoneNumber"}]}}},\
    {"label":"None","value":{"form":{"value":[]}}},{"label":"Mail","value":"email"},{"label":"Nothing"},\
    {"label":"Object","value":{"id":"aut2","methodType":"voice"}}]}
    """

  /// Every form is filled in again: options of each index, presets kept and taken back, fields without names, required
  /// ones left out, values of each type.
  static let formsFilled = IDXScenario("idx-corner-forms", org(.named("password"), [user()])) { stage in
    let fields = """
      {"name":"identifier","label":"Username","value":"ann@preset.example"},\
      {"name":"rememberMe","type":"boolean","value":"True"},\
      {"name":"consent","type":"boolean"},{"name":"fixed","type":"boolean","value":"yes","mutable":false},\
      {"name":"credentials","type":"object","form":{"value":[{"name":"passcode","secret":true},\
      {"name":"totp","secret":true}]}},\
      {"name":"userProfile","form":{"value":[]},"value":"profile-without-fields"},\
      {"form":{"value":[{"name":"city","value":"Vienna"},\
      {"name":"identifier","visible":false}]}},{"name":"captchaVerify",\
      "value":{"form":{"value":[{"name":"captchaToken"}]}}},\
      {"name":"scope","type":"array"},{"name":"factorId","type":"number","value":3},\
      {"name":"","value":{"channel":"sms"}},\(choices)
      """
    typealias Fill = @Sendable (Remediation) -> Void
    @Sendable func choose(_ index: Int, _ method: Int? = nil) -> Fill {
      {
        let option = $0["authenticator"]?.options?[index]
        $0["authenticator"]?.selectedOption = option
        if let method {
          option?.form?["methodType"]?.selectedOption = option?.form?["methodType"]?.options?[method]
          option?.form?["phoneNumber"]?.value = "+15551234567"
        }
      }
    }
    let nothing: (any FormValue)? = nil
    let fills: [Fill] = [
      choose(0), choose(0, 0), choose(0, 1), choose(0, 2), choose(1), choose(2), choose(3), choose(4),
      { $0["identifier"]?.value = nothing }, { $0["credentials.totp"]?.value = "123456" },
      { $0["credentials.passcode"]?.value = nothing },
      { $0["rememberMe"]?.value = false }, { $0["rememberMe"]?.value = "False" },
      { $0["rememberMe"]?.value = "perhaps" },
      { $0["consent"]?.value = "TRUE" }, { $0["consent"]?.value = 1 }, { $0["fixed"]?.value = true },
      { $0["scope"]?.value = ["openid", "profile"] }, { $0["scope"]?.value = [1, 2] }, { $0["factorId"]?.value = 7 },
      { $0["factorId"]?.value = 1.5 }, { $0["factorId"]?.value = Int8(9) }, { $0["factorId"]?.value = Double.infinity },
      { $0["captchaVerify.captchaToken"]?.value = "token-of-the-captcha" },
      { $0["identifier"]?.value = "ann@preset.example" },
      { $0["city"]?.value = "Graz" },
      {
        choose(0, 1)($0)
        choose(2)($0)
      },
      {
        choose(0, 1)($0)
        $0["authenticator"]?.selectedOption = nil
      },
    ]
    for fill in fills {
      let flow = answering(stage, [page([form("identify", fields)])]).begin()
      let response = try await flow.start()
      guard let identify = response.remediations[.identify] else { return }
      fill(identify)
      await anyhow { _ = try await identify.proceed() }
      await anyhow { _ = try await identify.proceed() }
    }
    let required = [
      "{\"name\":\"identifier\",\"required\":true}", "{\"label\":\"Nameless\",\"required\":true}",
      "{\"name\":\"credentials\",\"required\":true,\"form\":{\"value\":[{\"label\":\"Inner\",\"required\":true}]}}",
      "{\"name\":\"credentials\",\"required\":true,\"form\":{\"value\":[{\"name\":\"passcode\"}]}}",
      "{\"label\":\"Nameless\",\"value\":\"alone\"}", "{\"value\":{\"channel\":\"sms\"}}",
      "{\"name\":\"authenticator\",\"required\":true,\"options\":[{\"label\":\"One\","
        + "\"value\":{\"form\":{\"value\":[]}}}]}",
      "{\"name\":\"userProfile\",\"required\":true,\"form\":{\"value\":[]}}", "{\"required\":true}",
    ]
    for field in required {
      let flow = answering(stage, [page([form("identify", field)])]).begin()
      let response = try await flow.start()
      guard let identify = response.remediations[.identify] else { return }
      await anyhow { _ = try await identify.proceed() }
      identify["authenticator"]?.selectedOption = identify["authenticator"]?.options?[0]
      identify["identifier"]?.value = "ann@acme.example"
      await anyhow { _ = try await identify.proceed() }
    }
  }

  /// A form's answer is a challenge's, with messages of each weight; the one before it had a current authenticator, or
  /// none.
  static let formsAnswered = IDXScenario("idx-corner-messages", org(.named("password"), [user()])) { stage in
    @Sendable func message(_ weight: String, _ number: Int = 0) -> String {
      let known = weight.isEmpty ? "" : "\"class\":\"\(weight)\","
      return "{\"message\":\"About \(number)\",\(known)\"i18n\":{\"key\":\"key.\(number)\"}}"
    }
    @Sendable func messages(_ list: [String]) -> String {
      "\"messages\":{\"type\":\"array\",\"value\":[\(list.joined(separator: ","))]}"
    }
    @Sendable func current(_ place: String, _ members: String) -> String {
      "\"\(place)\":{\"type\":\"object\",\"value\":{\(members)}}"
    }
    let mail = "\"type\":\"email\",\"id\":\"aut1\",\"displayName\":\"Mail\""
    let befores = [
      current("currentAuthenticator", mail + ",\"key\":\"okta_email\""), current("currentAuthenticator", mail),
      current("currentAuthenticatorEnrollment", mail), current("recoveryAuthenticator", mail), "\"app\":null",
    ]
    let after = [
      messages([message("ERROR")]), messages([message("WARNING")]), messages([message("INFO"), message("", 1)]),
      messages((0..<120).map { message("INFO", $0) }), "\"messages\":null",
    ]
    for (number, before) in befores.enumerated() {
      for (place, more) in after.enumerated() where number < 2 || place < 2 {
        let name = place % 2 == 0 ? "challenge-authenticator" : "challenge-poll"
        let field = "{\"name\":\"identifier\",\(messages([message(place == 1 ? "ERROR" : "INFO", 200)]))}"
        for form in [name, "identify"] {
          let next = page([Self.form("identify", place == 4 ? field : "")], more + "," + befores[(number + 1) % 5])
          let flow = answering(stage, [page([Self.form(form)], before), next]).begin()
          let response = try await flow.start()
          await anyhow { _ = try await response.remediations[form]?.proceed() }
        }
      }
    }
  }

  /// Pages that are responses by one member alone, or by none; members that are null, errors beside them, forms in odd
  /// orders.
  static let pagesRead = IDXScenario("idx-corner-pages", org(.named("password"), [user()])) { stage in
    let identify = form("identify")
    let bodies = [
      "\"version\":\"1.0.0\"", "\"stateHandle\":\"handle-alone\"", "\"remediation\":{\"value\":[\(identify)]}",
      "\"remediation\":null", "\"messages\":{\"value\":[{\"message\":\"Alone\"}]}", "\"messages\":null",
      "\"cancel\":\(form("cancel"))",
      "\"successWithInteractionCode\":\(form("issue"))", "\"terminal\":{\"value\":{\"name\":\"done\"}}",
      "\"terminal\":null",
      "\"version\":null,\"stateHandle\":null",
      "\"version\":\"1.0.0\",\"errorCode\":\"E0000006\",\"errorSummary\":\"No\"",
      "\"version\":\"1.0.0\",\"error\":\"access_denied\"", "\"version\":\"1.0.0\",\"errorCode\":7",
      "\"version\":\"1.0.0\",\"cancel\":\(form("restart")),\"successWithInteractionCode\":\(form("cancel"))",
      "\"version\":\"1.0.0\",\"cancel\":\"none\",\"successWithInteractionCode\":[]",
      "\"version\":\"1.0.0\",\"remediation\":{\"value\":[7,\(form("cancel")),null,{\"href\":\"\",\"name\":7}]}",
      "\"version\":\"1.0.0\",\"cancel\":\(form("cancel")),\"successWithInteractionCode\":\(form("issue")),"
        + "\"remediation\":{\"value\":[\(identify)]}",
      "\"version\":\"1.0.0\",\"app\":{\"value\":{\"id\":\"0oa\",\"label\":\"Label\"}},"
        + "\"user\":{\"value\":{\"identifier\":\"ann\"}}",
      "\"version\":\"1.0.0\",\"expiresAt\":\"2026-01-15\",\"intent\":7,"
        + "\"captcha\":{\"value\":{\"id\":\"cap\",\"siteKey\":\"key\"}}",
      "\"version\":\"1.0.0\",\"captcha\":{\"value\":{\"id\":\"cap\",\"name\":\"Name\",\"siteKey\":\"key\","
        + "\"type\":\"OTHER\"}}",
      "\"version\":\"1.0.0\",\"captcha\":{\"value\":{\"id\":\"cap\"}}", "\"error\":\"invalid_request\"", "\"other\":7",
    ]
    for status in [200, 400, 500] {
      for body in bodies {
        let flow = answering(stage, [(status, "{\(body)}")]).begin()
        await anyhow {
          let response = try await flow.start()
          _ = try await response.cancel()
        }
      }
    }
    let many = "[" + String(repeating: "0,", count: 100_001) + "0]"
    await anyhow { _ = try await answering(stage, [(200, many)]).begin().start() }
    let large = answering(stage, [page([form("identify")]), (200, many)]).begin()
    let response = try await large.start()
    await anyhow { _ = try await response.remediations[0]?.proceed() }
  }

  /// One authenticator in several places, each of which says another part of it; details that are only almost there.
  static let placesRead = IDXScenario("idx-corner-places", org(.named("password"), [user()])) { stage in
    @Sendable func one(_ members: String, kind: String = "app", id: String? = "aut1") -> String {
      "{\"type\":\"\(kind)\",\(id.map { "\"id\":\"\($0)\"," } ?? "")\(members)}"
    }
    @Sendable func object(_ name: String, _ value: String) -> String {
      "\"\(name)\":{\"type\":\"object\",\"value\":\(value)}"
    }
    @Sendable func list(_ name: String, _ values: String...) -> String {
      "\"\(name)\":{\"type\":\"array\",\"value\":[\(values.joined(separator: ","))]}"
    }
    @Sendable func image(_ href: String, method: String = "embedded", type: String = "image/png") -> String {
      one(
        "\"methods\":[{\"type\":\"totp\"}],\"contextualData\":{\"sharedSecret\":\"secret-of-the-app\",\"qrcode\":"
          + "{\"method\":\"\(method)\",\"href\":\"\(href)\",\"type\":\"\(type)\"}}")
    }
    let complexity = "\"settings\":{\"complexity\":{\"minLength\":8}}"
    let duo = "\"contextualData\":{\"host\":\"api.duo.example\",\"signedToken\":\"token-of-duo\",\"script\":\"duo.js\"}"
    let key = """
      "key":"webauthn","contextualData":{"activationData":{"rp":{"id":"acme.example"},"user":{"id":"id-of-ann",\
      "name":"name-of-ann","displayName":"Ann"},"challenge":"Y2hhbGxlbmdlLTE_","pubKeyCredParams":[{"alg":-7},\
      {"alg":"no"}]},\
      "challengeData":{"challenge":"Y2hhbGxlbmdlLTI-","rpId":"login.acme.example","userVerification":"required"}}
      """
    let related = "\"relatesTo\":[\"$.enrollmentAuthenticator\",\"$.currentAuthenticator\"]"
    let keys = "\"relatesTo\":\"$.currentAuthenticator\""
    let places = [
      object("currentAuthenticator", one("\"displayName\":\"First\""))
        + ","
        + list(
          "authenticators", one("\"key\":\"google_otp\",\"methods\":[{\"type\":\"otp\"}],\"displayName\":\"Second\"")),
      object("currentAuthenticator", one("\"methods\":[]")) + ","
        + object("enrollmentAuthenticator", one("\"key\":\"okta_verify\"")),
      object("currentAuthenticatorEnrollment", one("\"profile\":\"none\""))
        + ","
        + list(
          "authenticatorEnrollments", one("\"profile\":{\"name\":\"Of the list\"}"),
          one("\"key\":\"custom_app\"", id: nil)),
      object("enrollmentAuthenticator", one("\"key\":\"okta_verify\"")) + ","
        + object("recoveryAuthenticator", one("\"key\":\"duo\"")),
      object("currentAuthenticator", image("data:image/png;charset=utf-8;base64,iVBORw0KGgo=")),
      object("currentAuthenticator", image("data:text/plain;base64,iVBORw0KGgo=")),
      object("currentAuthenticator", image("data:image/png,plain")),
      object("currentAuthenticator", image("data:image/png;base64,*=")),
      object("currentAuthenticator", image("data:image/png;base64,iVBORw0KGgo=", method: "link")),
      object("currentAuthenticator", image("data:image/png;base64,iVBORw0KGgo=", type: "")),
      object("currentAuthenticator", one(complexity)),
      object("currentAuthenticator", one(complexity, kind: "password")),
      object("currentAuthenticator", one("\"settings\":{\"complexity\":7,\"daysToExpiry\":3}", kind: "password")),
      object("currentAuthenticator", one("\"key\":\"duo\",\"methods\":[{\"type\":\"duo\"}]"))
        + "," + list("authenticators", one("\"key\":\"duo\",\(duo)")),
      object("currentAuthenticator", one("\"key\":\"duo\",\"methods\":[{\"type\":\"duo\"}],\(duo)", kind: "email")),
      object("currentAuthenticator", one("\"contextualData\":{\"correctAnswer\":null}"))
        + "," + list("authenticators", one("\"contextualData\":{\"correctAnswer\":\"42\"}")),
      object("currentAuthenticator", one(key, kind: "security_key")),
      object("currentAuthenticator", one(key.replacing("\"webauthn\"", with: "\"other\""), kind: "security_key")),
      object("currentAuthenticator", one("\"send\":{\"name\":\"send\"}"))
        + ","
        + list(
          "authenticators", one("\"send\":\(form("send")),\"poll\":\(form("poll")),\"recover\":\(form("recover"))")),
      object("currentAuthenticator", "[7]") + ","
        + list("authenticators", "7", one("\"allowedFor\":\"some\"", kind: "tac", id: "aut3"))
        + ",\"webauthnAutofillUIChallenge\":{\"value\":{\"challengeData\":{\"challenge\":\"Y2hhbGxlbmdlLTM\"}}}",
    ]
    let credentials = """
      {"name":"credentials","form":{"value":[{"name":"attestation","visible":false},\
      {"name":"clientData","visible":false},\
      {"name":"authenticatorData","visible":false},{"name":"signatureData","visible":false},\
      {"name":"userHandle","visible":false},\
      {"name":"transports","visible":false},{"name":"clientExtensions","visible":false}]}}
      """
    let forms = [
      form("enroll-authenticator", credentials, more: keys), form("challenge-authenticator", credentials, more: keys),
      form(
        "challenge-webauthn-autofillui-authenticator", credentials,
        more: "\"relatesTo\":[\"webauthnAutofillUIChallenge\"]"),
      form("enroll-poll", more: related), form("select-authenticator-enroll", more: related),
      form("identify", credentials, more: related),
    ]
    let turn: [@Sendable (Response) throws -> Remediation?] = [
      {
        let form = $0.remediations[.enrollAuthenticator]
        try form?.webAuthnRegistration?.register(
          attestation: Data("attestation".utf8), clientJSON: Data("{}".utf8), transports: ["usb", "nfc"],
          clientExtensions: "{\"a\":1}")
        return form
      },
      {
        let form = $0.remediations[.challengeAuthenticator]
        try form?.webAuthnAuthentication?.challenge(
          authenticatorData: Data("data".utf8), clientData: Data("{}".utf8), signatureData: Data("signature".utf8),
          userHandle: Data("handle-of-ann".utf8))
        return form
      },
      {
        let form = $0.remediations[.challengeWebAuthnAutofillUIAuthenticator]
        try form?.webAuthnAuthentication?.challenge(
          authenticatorData: Data("data".utf8), clientData: Data("{}".utf8), signatureData: Data("signature".utf8))
        return form
      },
    ]
    for place in places {
      for turn in turn {
        let flow = answering(stage, [page(forms, place)]).begin()
        let response = try await flow.start()
        await anyhow { _ = try await turn(response)?.proceed() }
        for _ in 0..<4 { await anyhow { _ = try await response.authenticators[0]?.sendable?.send() } }
        await anyhow { _ = try await response.authenticators[0]?.recoverable?.recover() }
      }
    }
  }

  /// Fields that are shown or hidden for each reason, values of each type, and names of each class.
  static let fieldsRead = IDXScenario("idx-corner-fields", org(.named("password"), [user()])) { stage in
    let shown = "\"visible\":true"
    let hidden = "\"visible\":false"
    let fields = [
      "{\"name\":\"credentials\",\(hidden),\"form\":{\"value\":[{\"name\":\"passcode\",\(shown)},"
        + "{\"name\":\"totp\",\(hidden)}]}}",
      "{\"name\":\"userProfile\",\(hidden),\"form\":{\"value\":[{\"name\":\"lastName\",\(hidden)}]}}",
      "{\"name\":\"authenticator\",\(hidden),\"options\":[{\"label\":\"One\",\"value\":\"sms\"}]}",
      "{\"name\":\"authenticator\",\(hidden),\"options\":[{\"label\":\"One\",\(hidden)},"
        + "{\"form\":{\"value\":[{\"name\":\"id\",\(shown)}]},\(hidden)}]}",
      "{\"name\":\"authenticator\",\(hidden),\"options\":[{\"label\":\"One\",\(hidden)}]}",
      "{\"name\":\"identifier\",\"mutable\":false}", "{\"name\":\"identifier\",\"mutable\":false,\"value\":\"ann\"}",
      "{\"name\":\"identifier\",\"mutable\":\"FALSE\",\"value\":\"ann\",\(shown)}",
      "{\"name\":\"identifier\",\"mutable\":\"never\"}",
      "{\"name\":\"identifier\",\(hidden),\"mutable\":true}", "{\"name\":\"scope\",\"value\":[1,2,3]}",
      "{\"name\":\"scope\",\"value\":[true,false]}", "{\"name\":\"scope\",\"value\":[1,\"two\"]}",
      "{\"name\":\"scope\",\"value\":[]}",
      "{\"name\":\"enrollmentId\",\"value\":1234567}", "{\"name\":\"enrollmentId\",\"value\":1.5}",
      "{\"name\":\"channel\",\"value\":\"sms\"}",
      "{\"name\":\"channel\",\"value\":\"Something long that is no word\"}",
      "{\"name\":\"unknownField\",\"value\":\"value-of-it\"}",
      "{\"name\":\"email\",\"value\":\"ann@acme.example\"}", "{\"name\":\"otp\",\"value\":\"123456\"}",
      "{\"name\":\"email\",\"secret\":true,\"value\":\"mail\"}",
      "{\"name\":\"consent\",\"value\":{\"id\":\"aut1\",\"channel\":\"sms\",\"other\":7}}",
      "{\"name\":\"userProfile.email\",\"value\":\"a@b.example\"}",
      "{\"label\":\"About Ann\",\"relatesTo\":\"$.authenticators.value[0]\"}",
      "{\"name\":\"title\",\"value\":null,\"required\":null}",
    ]
    let lists = "\"authenticators\":{\"value\":[{\"type\":\"email\",\"id\":\"aut1\"}]}"
    for field in fields {
      let forms = [form("identify", field, more: "\"relatesTo\":\"$.authenticators.value[0]\"")]
      let flow = answering(stage, [page(forms, lists)]).begin()
      let response = try await flow.start()
      guard let identify = response.remediations[.identify] else { return }
      for name in [
        "identifier", "scope", "enrollmentId", "channel", "unknownField", "email", "otp", "userProfile.email", "title",
      ] {
        identify[name]?.value = "typed into \(name)"
      }
      await anyhow { _ = try await identify.proceed() }
    }
  }

  /// Answers to forms whose type, place and method are written in odd ways; forms that are only chosen in lead away.
  static let answersTaken = IDXScenario("idx-corner-types", org(.named("password"), [user()])) { stage in
    let home = Stage.orgURL + "/idp/idx/"
    let members = [
      "\"href\":\"\(home)one\",\"accepts\":\"Application/X-WWW-Form-Urlencoded; charset=utf-8\"",
      "\"href\":\"\(home)two\",\"accepts\":\"application/json\",\"method\":\"Patch\"",
      "\"href\":\"\(home)three\",\"accepts\":\"text/plain, a/b\",\"method\":\"delete\"",
      "\"href\":\"\(home)four\",\"method\":\"get\"",
      "\"href\":\"\(home)five\",\"method\":\"\"", "\"href\":\"\(home)six\",\"method\":\"CONNECT\"",
      "\"href\":\"https://login.acme.example/idp/idx/one\"", "\"href\":\"https://ACME.example:443/idp/idx/one?a=b#c\"",
      "\"href\":\"https://login.acme.example:443/idp/idx/challenge/answer\"",
    ]
    for origins in [nil, [], ["https://LOGIN.acme.example"]] as [[String]?] {
      for member in members {
        for kind in 0..<3 {
          let field =
            kind == 2
            ? choices : "{\"name\":\"identifier\",\"label\":\"Username\"},{\"name\":\"title\",\"value\":\"a b~c&=+é\"}"
          let form = "{\"name\":\"identify\",\(member),\"value\":[\(field)]}"
          let stage = changing(answering(stage, [page([form])])) { request, _ in
            guard request.url.hasSuffix("/introspect") else { return .none }
            return .edit { response in
              response.headers += [
                HTTPField("Set-Cookie", "DT=device-of-the-org; Path=/"),
                HTTPField("Set-Cookie", "sid=of-the-org; Path=/"),
              ].dropFirst(kind)
            }
          }
          let flow = flow(stage, origins: origins)
          let response = try await flow.start()
          guard let identify = response.remediations[.identify] else { continue }
          if kind == 1 { identify["identifier"]?.value = Scenario.login }
          if kind == 2 { identify["authenticator"]?.selectedOption = identify["authenticator"]?.options?[2] }
          await anyhow { _ = try await identify.proceed() }
        }
      }
    }
  }

  /// Tokens whose ID token is checked with metadata and keys of each kind, on a clock that differs, for scopes of each
  /// order.
  static let tokensChecked = IDXScenario("idx-corner-tokens", org(.named("password"), [user()])) { stage in
    typealias Edit = @Sendable (inout HTTPResponse) -> Void
    // The server's clock is far ahead.
    let later: Edit = { response in
      response.headers.removeAll { $0.name.lowercased() == "date" }
      response.headers.append(HTTPField("Date", "Thu, 15 Jan 2026 09:02:03 GMT"))
    }
    let courses: [(place: String, edit: Edit)] = [
      ("/.well-known/", { $0.edit { $0["id_token_signing_alg_values_supported"] = nil } }),
      ("/.well-known/", { $0.edit { $0["id_token_signing_alg_values_supported"] = ["ES256"] } }),
      ("/.well-known/", { $0.edit { $0["id_token_signing_alg_values_supported"] = ["ES256", "RS256", "none"] } }),
      ("/.well-known/", { $0.status = 404 }), ("/.well-known/", { $0.body = Array("[]".utf8) }),
      ("/.well-known/", { $0.headers.append(HTTPField("Cache-Control", "max-age=77")) }),
      ("/keys", { $0.body = Array("{}".utf8) }), ("/keys", { $0.edit { $0["keys"] = [] } }),
      ("/keys", { $0.status = 404 }),
      ("/keys", { $0.headers.append(HTTPField("Cache-Control", "no-cache, max-age=88")) }),
      ("/keys", { $0.edit { $0["keys"] = ["kid": "one"] } }),
      ("/v1/token", { $0.edit { $0["id_token"] = "" } }), ("/v1/token", { $0.edit { $0["id_token"] = "no.token" } }),
      ("/v1/token", { $0.edit { $0["id_token"] = 7 } }),
      ("/v1/token", { $0.edit { $0["device_secret"] = "secret-of-the-device" } }),
      ("/v1/token", later), ("/keys", later), ("/.well-known/", later),
      ("/v1/token", { $0.edit { $0["scope"] = "openid" } }),
      ("/v1/token", { $0.edit { $0["scope"] = nil } }), ("/v1/token", { $0.edit { $0["refresh_token"] = nil } }),
      ("/v1/token", { $0.edit { $0["expires_in"] = nil } }), ("/v1/token", { $0.status = 201 }),
    ]
    let scopes = ["openid profile", "profile openid offline_access", "openid_connect profile", "profile"]
    for (number, course) in courses.enumerated() {
      for scope in number == 0 || course.place == "/v1/token" ? scopes : [scopes[number % 2]] {
        var changed = changing(stage) { request, _ in
          request.url.contains(course.place) ? .edit(course.edit) : .none
        }
        changed.environment[MetadataCacheSeam.self] = MetadataCache()
        changed.environment[KeyCacheSeam.self] = KeyCache()
        let flow = flow(changed, scopes: scope, algorithms: number == 1 ? ["RS256"] : ["RS256", "ES256", "ES512"])
        await anyhow { _ = try await lead(from: try await flow.start(), on: changed) }
      }
    }
  }

  /// The keys come later: the exchange of a form or of a redirect goes on without the spent code, and its redirect is
  /// looked at again; another sign-in starts again.
  static let tokensLater = IDXScenario("idx-corner-tokens-later", org(.named("social"), [user()])) { stage in
    let stage = changing(stage) { request, count in
      request.url.hasSuffix("/keys") && count < 2 ? json(count == 0 ? 503 : 200, "{}") : .none
    }
    let flow = stage.begin()
    let response = try await flow.start()
    guard let provider = response.remediations.allSocialIdps.first(where: { $0.service == .google }),
      let url = stage.org.visitProvider(provider.redirectUrl)
    else { throw Scenario.Unexpected(description: "no provider: \(response)") }
    let state = flow.context?.state ?? ""
    let wrong = URL(string: url.absoluteString.replacing(state, with: "state-of-another")) ?? url
    let denied = URL(string: OrgClient.sample.redirectURIs[0] + "?state=\(state)&error=access_denied") ?? url
    for redirect in [url, wrong, denied, url, url] {
      await anyhow { _ = try await flow.exchangeCode(redirect: redirect) }
    }
    await anyhow { _ = try await flow.resume() }
  }

  /// A start with every option, also as a context has them; what the configuration gives counts where a call gives
  /// nothing.
  static let optionsGiven = IDXScenario("idx-corner-options", org(.named("password"), [user()])) { stage in
    let parameters = [
      "nonce": "nonce-of-the-file", "max_age": "120", "acr_values": "urn:of:the:file", "login_hint": "ann",
    ]
    let options: [[InteractionCodeFlow.Option: Any]] = [
      [:], [.maxAge: 60], [.maxAge: "60"], [.nonce: "nonce-of-the-call", .acrValues: "urn:a urn:b"], [.maxAge: "soon"],
      [.omitDeviceToken: true], [.omitDeviceToken: false, .state: "state-of-the-call"],
    ]
    for given in [parameters, nil] {
      for options in options {
        var stage = stage
        stage.environment[MetadataCacheSeam.self] = MetadataCache()
        stage.environment[KeyCacheSeam.self] = KeyCache()
        let playing = stage
        let flow = flow(playing, parameters: given, isExtended: options.isEmpty)
        let taken = UncheckedOptions(values: options)
        await anyhow { _ = try await lead(from: try await flow.start(options: taken.values), on: playing) }
      }
    }
    let contexts = [
      InteractionCodeFlow.Context(
        recoveryToken: "token-of-the-mail", state: "state-of-the-context", maxAge: 90, acrValues: ["urn:a", "urn:b"]),
      InteractionCodeFlow.Context(state: "state-alone"), InteractionCodeFlow.Context(state: "state-2", maxAge: 1.4),
      InteractionCodeFlow.Context(state: "state-3", acrValues: ["urn:a"]),
    ]
    for context in contexts {
      for _ in 0..<6 {
        let flow = stage.begin()
        await anyhow { _ = try await flow.start(with: context) }
      }
    }
  }

  /// A context goes to another flow, and is taken back; a context that no sign-in has is not taken.
  static let elsewhere = IDXScenario("idx-corner-restored", org(.named("password"), [user()])) { stage in
    for options in [[.nonce: "nonce-of-the-test", .maxAge: 3600], [:]] as [[InteractionCodeFlow.Option: Any]] {
      let first = stage.begin()
      let taken = UncheckedOptions(values: options)
      _ = try await first.start(options: taken.values)
      let other = stage.begin()
      other.context = InteractionCodeFlow.Context(state: "state-of-none")
      await anyhow { _ = try await other.resume() }
      other.context = first.context
      let response = try await other.resume()
      other.context = nil
      await anyhow { _ = try await other.resume() }
      other.context = first.context
      await anyhow { _ = try await response.remediations[0]?.proceed() }
      let last = try await other.resume()
      await anyhow { _ = try await lead(from: last, on: stage) }
    }
  }
}

/// Options of a start on their way into a closure.
private struct UncheckedOptions: @unchecked Sendable {
  var values: [InteractionCodeFlow.Option: Any]
}

extension ChangedAnswers.Change {
  /// The answer with more headers.
  fileprivate func adding(_ headers: [HTTPField]) -> ChangedAnswers.Change {
    guard case .answer(var response) = self else { return self }
    response.headers += headers
    return .answer(response)
  }
}
