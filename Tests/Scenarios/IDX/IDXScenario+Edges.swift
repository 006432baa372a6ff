// Calls of the Identity Engine in orders and at times that a sign-in seldom meets.

import EventStore
import FlowRecording
import Foundation
import IDX
import SimulatedOrg

extension IDXScenario {
  static let edges: [IDXScenario] = [
    retriedThrice, answerPutOff, longPoll, pollEnds, pollBegunAnew, nothingUnderWay, cancelledStart, redirectsRead,
    restored, slashOfIssuer, keysNever, tokensUnusable,
  ]

  private static func anyhow(_ operation: () async throws -> Void) async {
    do { try await operation() } catch {}
  }

  private static let limit = #"{"errorCode":"E0000047","errorSummary":"Too many requests","errorId":"oae-limit"}"#

  private static func limited(_ seconds: Int) -> ChangedAnswers.Change {
    .answer(
      HTTPResponse(
        status: 429,
        headers: [
          HTTPField("Content-Type", "application/json"), HTTPField("X-Okta-Request-Id", "req-of-the-limit"),
          HTTPField("Retry-After", "\(seconds)"),
        ], body: Array(limit.utf8)))
  }

  /// A form is put off four times, a second each, which is once too often.
  static let retriedThrice = IDXScenario("idx-edge-retried-thrice", org(.named("password"), [user()])) { stage in
    let stage = changing(stage) { request, count in
      request.url.hasSuffix("/identify") && count < 4 ? limited(1) : .none
    }
    let response = try await stage.begin().start()
    let form = try remediation(.identify, of: response)
    try IDXPerson().fill(form, of: response, at: stage.org)
    await anyhow { try await stage.firingTimers { _ = try await form.proceed() } }
    try expect(try await lead(from: response, on: stage) != nil, "no tokens")
  }

  /// An answer to a challenge is refused for now, with a response; it is not sent again.
  static let answerPutOff = IDXScenario("idx-edge-answer-put-off", org(.named("password"), [user()])) { stage in
    let stage = changing(stage) { request, count in
      guard request.url.hasSuffix("/challenge/answer"), count == 0 else { return .none }
      let body = """
        {"version":"1.0.0","messages":{"type":"array","value":[{"message":"Too many attempts","class":"ERROR",\
        "i18n":{"key":"tooManyRequests"}}]}}
        """
      return .answer(
        HTTPResponse(
          status: 429, headers: [HTTPField("Content-Type", "application/json"), HTTPField("Retry-After", "5")],
          body: Array(body.utf8)))
    }
    let first = try await stage.begin().start()
    let form = try remediation(.identify, of: first)
    try IDXPerson().fill(form, of: first, at: stage.org)
    let response = try await form.proceed()
    let challenge = try remediation(.challengeAuthenticator, of: response)
    try IDXPerson().fill(challenge, of: response, at: stage.org)
    await anyhow { _ = try await challenge.proceed() }
  }

  private static func pollPage(_ refresh: String, number: Int = 0, kind: String = "email", expires: String) -> Page {
    let poll = form("poll", more: refresh.isEmpty ? "" : "\"refresh\":\(refresh)")
    let current = """
      {"type":"\(kind)","key":"okta_email","id":"aut1","displayName":"Mail \(number)","methods":[{"type":"email"}],\
      "poll":\(poll),"resend":\(form("resend"))}
      """
    return (
      200,
      """
      {"version":"1.0.0","stateHandle":"handle-of-the-pages","expiresAt":"\(expires)","intent":"LOGIN",\
      "remediation":{"type":"array","value":[\(form("challenge-authenticator")),\(form("challenge-poll"))]},\
      "currentAuthenticator":{"type":"object","value":\(current)},"cancel":\(form("cancel"))}
      """
    )
  }

  /// A mail that is waited for, an hour and no longer; polls become rarer, some are lost.
  static let longPoll = IDXScenario("idx-edge-long-poll", org(.named("password"), [user()])) { stage in
    let far = "2026-01-16T09:00:00.000Z"
    var stage = answering(
      stage,
      [pollPage("", expires: far), pollPage("9000", expires: far), pollPage("0.5", expires: far)]
        + (0..<30).map { pollPage($0 == 0 ? "120000" : "59000", number: $0, expires: far) })
    stage = changing(stage) { request, count in
      guard request.url.hasSuffix("/idp/idx/poll") else { return .none }
      switch count {
      case 1: return .failure(TransportError(.timedOut, "The request timed out."))
      case 2: return .failure(TransportError(.cannotResolveHost, "The host name cannot be resolved."))
      case 3: return .failure(TransportError(.connectionLost, "The connection broke."))
      case 4: return limited(2)
      default: return .none
      }
    }
    let flow = stage.begin()
    let response = try await flow.start()
    guard let pollable = response.authenticators.current?.pollable else { return }
    let playing = stage
    await anyhow { _ = try await playing.firingTimers { try await pollable.startPolling() } }
    withExtendedLifetime(flow) {}
  }

  /// A transaction ends while it is polled, on the org's clock, which is an hour ahead.
  static let pollEnds = IDXScenario("idx-edge-poll-ends", org(.named("password"), [user()])) { stage in
    stage.org.advanceClock(by: 3600)
    let dated = { @Sendable (stage: IDXStage) in
      changing(stage) { request, _ in
        request.url.contains("/interact")
          ? .edit { $0.headers.append(HTTPField("Date", "Thu, 15 Jan 2026 10:00:00 GMT")) } : .none
      }
    }
    for expires in ["2026-01-15T10:00:06.000Z", "2026-01-15T09:30:00.000Z", "no date"] {
      let other = pollPage("4000", kind: "phone", expires: expires)
      let flow = dated(
        answering(stage, [pollPage("4000", expires: expires), pollPage("4000", expires: expires), other])
      ).begin()
      let response = try await flow.start()
      guard let pollable = response.authenticators.current?.pollable else { return }
      await anyhow { _ = try await stage.firingTimers { try await pollable.startPolling() } }
    }
  }

  /// A poll is stopped, begun again, and yields to another form; one that is over cannot be stopped.
  static let pollBegunAnew = IDXScenario("idx-edge-poll-begun-anew", org(.named("password"), [user()])) { stage in
    let far = "2026-01-16T09:00:00.000Z"
    let flow = answering(stage, [pollPage("4000", expires: far)]).begin()
    let response = try await flow.start()
    guard let pollable = response.authenticators.current?.pollable,
      let other = response.remediations[.challengePoll]?.pollable
    else { return }
    pollable.stopPolling()
    for next in [pollable, other] {
      let polling = Task { try? await next.startPolling() }
      await stage.time.waitForTimers()
      guard next.isPolling else { throw Scenario.Unexpected(description: "it polls") }
      next.stopPolling()
      _ = await polling.value
    }
    let first = Task { try? await pollable.startPolling() }
    await stage.time.waitForTimers()
    let second = Task { try? await other.startPolling() }
    _ = await first.value
    await stage.time.waitForTimers()
    _ = try await response.authenticators.current?.resendable?.resend()
    _ = await second.value
    _ = try await response.cancel()
    withExtendedLifetime(flow) {}
  }

  /// Calls of a flow that has not begun, or has nothing of the kind.
  static let nothingUnderWay = IDXScenario("idx-edge-nothing-under-way", org(.named("password"), [user()])) { stage in
    let flow = stage.begin()
    flow.reset()
    await anyhow { _ = try await flow.resume() }
    await anyhow {
      let url = URL(string: OrgClient.sample.redirectURIs[0] + "?state=none&interaction_code=none") ?? stage.org.url
      _ = try await flow.exchangeCode(redirect: url)
    }
    let response = try await flow.start()
    await anyhow { _ = try await response.exchangeCode() }
    await anyhow { _ = try await response.cancel() }
    flow.reset()
    flow.reset()
    await anyhow { _ = try await response.remediations[0]?.proceed() }
    await anyhow { _ = try await flow.resume() }
    await anyhow {
      _ = try await flow.start(options: [.state: "state-of-the-test", .recoveryToken: "token-of-the-mail"])
    }
    await anyhow { _ = try await flow.start(options: [.activationToken: "token-of-the-org", .maxAge: "60"]) }
    flow.cancel()
  }

  /// The task that begins a sign-in is cancelled before the org has answered, and another one begins.
  static let cancelledStart = IDXScenario("idx-edge-cancelled-start", org(.named("password"), [user()])) { stage in
    var stage = stage
    let held = HeldRequests(over: stage.environment.transport)
    stage.environment.transport = held
    held.hold()
    let flow = stage.begin()
    let starting = Task { try await flow.start() }
    while flow.session.flow.core.openCalls.isEmpty { await Task.yield() }
    starting.cancel()
    _ = await starting.result
    await anyhow { _ = try await flow.resume() }
    held.release(dropping: 1)
    let response = try await flow.start()
    try expect(try await lead(from: response, on: stage) != nil, "no tokens")
  }

  /// Redirects of each kind: to go on, refused, of another sign-in.
  static let redirectsRead = IDXScenario("idx-edge-redirects", org(.named("password"), [user()])) { stage in
    let flow = stage.begin()
    _ = try await flow.start()
    let state = flow.context?.state ?? ""
    let home = OrgClient.sample.redirectURIs[0]
    for query in [
      "state=\(state)&error=interaction_required&error_description=Go+on", "state=\(state)&error=access_denied",
      "state=\(state)", "error=access_denied", "state=another&error=interaction_required", "",
      "state=\(state)&error=server_error&error_description=100%25%20wrong",
    ] {
      await anyhow {
        let url = URL(string: query.isEmpty ? home : home + "?" + query) ?? stage.org.url
        _ = try await flow.exchangeCode(redirect: url)
      }
    }
  }

  /// A context goes to another process, with a nonce and an age of the session, which is resumed there.
  static let restored = IDXScenario("idx-edge-restored", org(.named("password"), [user()])) { stage in
    let flow = stage.begin()
    let first = try await flow.start(options: [.nonce: "nonce-of-the-test", .maxAge: 3600])
    let form = try remediation(.identify, of: first)
    form["identifier"]?.value = Scenario.login
    _ = try await form.proceed()
    let other = stage.begin()
    other.context = flow.context
    let response = try await other.resume()
    try expect(try await lead(from: response, on: stage) != nil, "no tokens")
  }

  /// The metadata name the issuer with a slash at its end, and then another issuer.
  static let slashOfIssuer = IDXScenario("idx-edge-slash-of-issuer", org(.named("password"), [user()])) { stage in
    let stage = changing(stage) { request, count in
      guard request.url.contains("/.well-known/") else { return .none }
      return .edit { response in
        response.edit {
          $0["issuer"] = .string(count == 1 ? "https://other.example" : Stage.orgURL + "/oauth2/default/")
        }
        response.headers.append(HTTPField("Cache-Control", count == 0 ? "no-store" : "public, s-maxage=5, max-age=600"))
      }
    }
    for _ in 0..<3 {
      let flow = stage.begin()
      await anyhow { _ = try await lead(from: try await flow.start(options: [.nonce: "nonce-of-the-test"]), on: stage) }
    }
  }

  /// The keys cannot be had; the sign-in is cancelled, and another one begins.
  static let keysNever = IDXScenario("idx-edge-keys-never", org(.named("password"), [user()])) { stage in
    let stage = changing(stage) { request, count in
      guard request.url.hasSuffix("/keys"), count == 0 else { return .none }
      return .answer(HTTPResponse(status: 503, headers: [], body: []))
    }
    let flow = stage.begin()
    await anyhow { _ = try await lead(from: try await flow.start(), on: stage) }
    flow.reset()
    try expect(try await lead(from: try await flow.start(), on: stage) != nil, "no tokens")
  }

  /// Token endpoints that answer with less, more and other than tokens.
  static let tokensUnusable = IDXScenario("idx-edge-tokens", org(.named("password"), [user()])) { stage in
    let answers: [(Int, String)] = [
      (200, #"{"token_type":"Bearer","expires_in":3600}"#),
      (200, #"{"access_token":"access-canary-1","token_type":"MAC","expires_in":3600}"#),
      (200, #"{"access_token":"access-canary-2","token_type":"Bearer","expires_in":"600"}"#), (200, "[]"), (200, ""),
      (400, #"{"error":"invalid_grant","error_description":"The code is spent.","errorId":"oae-9"}"#),
      (401, #"{"errorCode":"invalid_client","errorSummary":"No such client","errorId":"oae-8"}"#), (503, ""),
    ]
    for (status, body) in answers {
      let stage = changing(stage) { request, _ in
        guard request.url.hasSuffix("/v1/token") else { return .none }
        return .answer(
          HTTPResponse(
            status: status, headers: [HTTPField("Content-Type", "application/json")], body: Array(body.utf8)))
      }
      let flow = stage.begin()
      await anyhow { _ = try await lead(from: try await flow.start(), on: stage) }
    }
    // Without an ID token, which this scope does not ask for.
    let flow = InteractionCodeFlow(
      issuer: URL(string: Stage.orgURL + "/oauth2/default") ?? stage.org.url, clientId: OrgClient.sample.id,
      scopes: "profile offline_access", redirectUri: URL(string: OrgClient.sample.redirectURIs[0]) ?? stage.org.url,
      environment: stage.environment)
    let stage = changing(stage) { request, _ in
      guard request.url.hasSuffix("/v1/token") else { return .none }
      return .edit { $0.edit { $0["id_token"] = nil } }
    }
    await anyhow { _ = try await lead(from: try await flow.start(), on: stage) }
  }
}
