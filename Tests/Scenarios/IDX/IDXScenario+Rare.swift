// What goldens of the Identity Engine else never do. They are replayed, and not run through every battery.

import EventStore
import FlowRecording
import Foundation
import IDX
import SimulatedOrg

extension IDXScenario {
  /// The scenarios of `Recordings/` that are rare.
  public static let rare: [IDXScenario] =
    [
      slowDown, putOff, putOffForAMinute, confidential, wrongRedirect, failingOrg, beganTwice, coercions,
      idToken, idTokenRefused, keysLater,
    ] + odd + pages + edges + quotes + refused + corners + declared

  static func changing(
    _ stage: IDXStage, _ change: @escaping @Sendable (HTTPRequest, Int) -> ChangedAnswers.Change
  ) -> IDXStage {
    var stage = stage
    stage.environment.transport = ChangedAnswers(over: stage.environment.transport, change)
    return stage
  }

  /// Goes on to the poll of a push.
  static func pollable(
    _ stage: IDXStage, _ flow: InteractionCodeFlow
  ) async throws -> Capability.Pollable {
    var response = try await flow.start()
    while response.remediations[.challengePoll] == nil, let first = response.remediations[0] {
      response = try await step(first, of: response, on: stage)
    }
    guard let pollable = response.remediations[.challengePoll]?.pollable else {
      throw Scenario.Unexpected(description: "nothing to poll: \(response)")
    }
    return pollable
  }

  /// The org asks twice to poll more rarely, and once changes the interval itself.
  static let slowDown = IDXScenario("idx-slow-down", org(.named("codes-only"), [user(push)])) { stage in
    let stage = changing(stage) { request, count in
      guard request.url.hasSuffix("/poll") else { return .none }
      func word(_ word: String) -> ChangedAnswers.Change {
        .answer(
          HTTPResponse(
            status: 400, headers: [HTTPField("Content-Type", "application/json")],
            body: Array(#"{"error":"\#(word)"}"#.utf8)))
      }
      switch count {
      case 0: return word("slow_down")
      case 1: return word("authorization_pending")
      case 2:
        return .edit { response in
          let text = String(decoding: response.body, as: UTF8.self)
          response.body = Array(text.replacing(/"refresh":\s*[0-9]+/, with: "\"refresh\":2500").utf8)
        }
      case 3: return word("slow_down")
      case 4: return word("authorization_pending")
      default: return .none
      }
    }
    stage.org.answerPush(for: Scenario.login, .approve, afterPolls: 7)
    let pollable = try await pollable(stage, stage.begin())
    let response = try await stage.firingTimers { try await pollable.startPolling() }
    try expect(try await lead(from: response, on: stage) != nil, "no tokens")
  }

  /// A form is put off three times before it is taken.
  static let putOff = IDXScenario("idx-put-off", org(.named("password"), [user()])) { stage in
    let stage = changing(stage) { request, count in
      guard request.url.hasSuffix("/identify"), count < 3 else { return .none }
      return .answer(.limited(HTTPField("Retry-After", "\(7 + count)")))
    }
    let token = try await stage.firingTimers {
      try await lead(from: try await stage.begin().start(), on: stage) != nil
    }
    try expect(token, "no tokens")
  }

  /// A form is put off for a minute, and then for a second more, which is too long.
  static let putOffForAMinute = IDXScenario("idx-put-off-for-a-minute", org(.named("password"), [user()])) { stage in
    let stage = changing(stage) { request, count in
      guard request.url.hasSuffix("/identify"), count < 2 else { return .none }
      return .answer(.limited(HTTPField("Retry-After", count == 0 ? "60" : "1")))
    }
    let response = try await stage.begin().start()
    let form = try remediation(.identify, of: response)
    try IDXPerson().fill(form, of: response, at: stage.org)
    let isRefused = await stage.firingRefused { _ = try await form.proceed() }
    try expect(isRefused, "the second wait is too long")
    try expect(try await lead(from: response, on: stage) != nil, "no tokens")
  }

  /// Goes on to the interaction code of a sign-in that was started with options for its ID token.
  private static func succeeded(_ stage: IDXStage, _ flow: InteractionCodeFlow) async throws -> Response {
    var response = try await flow.start(options: [.nonce: "nonce-of-the-test", .maxAge: 3600])
    while !response.isLoginSuccessful, let first = response.remediations[0] {
      response = try await step(first, of: response, on: stage)
    }
    return response
  }

  /// The ID token is checked with the keys of the server, its nonce and the age of the session too.
  static let idToken = IDXScenario("idx-id-token", org(.named("password"), [user()])) { stage in
    let flow = stage.begin()
    _ = try await succeeded(stage, flow).exchangeCode()
  }

  /// The ID token is for another client.
  static let idTokenRefused = IDXScenario("idx-id-token-refused", org(.named("password"), [user()])) { stage in
    let flow = stage.begin()
    let response = try await succeeded(stage, flow)
    stage.org.spoilTokens(.idToken(.claim("aud", "another-client")))
    do {
      _ = try await response.exchangeCode()
    } catch InteractionCodeFlowError.idTokenRefused {
      return
    }
    throw Scenario.Unexpected(description: "the ID token should have been refused")
  }

  /// The keys cannot be fetched at first; the exchange goes on later, without the spent code.
  static let keysLater = IDXScenario("idx-keys-later", org(.named("password"), [user()])) { stage in
    let stage = changing(stage) { request, count in
      guard request.url.hasSuffix("/keys"), count == 0 else { return .none }
      return .answer(HTTPResponse(status: 503, headers: [], body: []))
    }
    let flow = stage.begin()
    let response = try await succeeded(stage, flow)
    do {
      _ = try await response.exchangeCode()
      throw Scenario.Unexpected(description: "the keys should have been missing")
    } catch is InteractionCodeFlowError {}
    _ = try await response.exchangeCode()
  }

  /// A confidential client with parameters of its own, whose name goes into another header.
  static let confidential = IDXScenario("idx-confidential", org(.named("password"), [user()])) { stage in
    let flow = InteractionCodeFlow(
      issuer: URL(string: Stage.orgURL + "/oauth2/default/") ?? stage.org.url, clientId: OrgClient.sample.id,
      scopes: "openid profile offline_access",
      redirectUri: URL(string: OrgClient.sample.redirectURIs[0]) ?? stage.org.url,
      additionalParameters: ["login_hint": "ann+test@acme.example", "ui_locales": "de"],
      clientSecret: "secret-of-the-client",
      allowedOrigins: ["https://login.acme.example"], extendedUserAgent: true, environment: stage.environment)
    let response = try await flow.start(options: [
      .maxAge: 3600, .acrValues: "urn:okta:loa:1fa:any", .nonce: "nonce-of-the-test", .omitDeviceToken: true,
      .state: "state-of-the-test",
    ])
    _ = try await leadAnyhow(from: response, on: stage)
    flow.note("the password was \(Scenario.password)")
  }

  /// Goes on to the end, be it an error of the token endpoint.
  static func leadAnyhow(from response: Response, on stage: IDXStage) async throws -> Bool {
    do {
      return try await lead(from: response, on: stage) != nil
    } catch is InteractionCodeFlowError {
      return false
    }
  }

  /// A redirect of another sign-in, one with an error, and the right one.
  static let wrongRedirect = IDXScenario("idx-wrong-redirect", org(.named("social"), [user()])) { stage in
    let flow = stage.begin()
    let response = try await flow.start()
    guard let provider = response.remediations.allSocialIdps.first(where: { $0.service == .google }),
      let url = stage.org.visitProvider(provider.redirectUrl)
    else { throw Scenario.Unexpected(description: "no provider: \(response)") }
    let state = flow.context?.state ?? ""
    let wrong = [
      url.absoluteString.replacing(state, with: "state-of-another"),
      OrgClient.sample.redirectURIs[0] + "?state=\(state)&error=access_denied&error_description=The+user+refused",
      "com.another:/callback?state=\(state)&interaction_code=1234567890",
    ]
    for text in wrong {
      do {
        _ = try await flow.exchangeCode(redirect: URL(string: text) ?? url)
        throw Scenario.Unexpected(description: "the redirect should have been refused")
      } catch is InteractionCodeFlowError {}
    }
    _ = try await flow.exchangeCode(redirect: url)
  }

  /// The org fails with 500 at a form, with a page at another, and with an error at the exchange.
  static let failingOrg = IDXScenario("idx-failing-org", org(.named("password"), [user()])) { stage in
    let stage = changing(stage) { request, count in
      guard count == 0 else { return .none }
      if request.url.hasSuffix("/identify") {
        // A response of the engine, be it of a server in trouble.
        return .edit { $0.status = 500 }
      }
      if request.url.hasSuffix("/token") {
        return .answer(
          HTTPResponse(
            status: 400, headers: [HTTPField("Content-Type", "application/json")],
            body: Array(#"{"error":"invalid_grant","error_description":"The code is spent."}"#.utf8)))
      }
      return .none
    }
    let response = try await stage.begin().start()
    let form = try remediation(.identify, of: response)
    try IDXPerson().fill(form, of: response, at: stage.org)
    for _ in 0..<2 where try await isRefused({ _ = try await form.proceed() }) {}
    _ = try? await lead(from: response, on: stage)
  }

  private static func isRefused(_ operation: () async throws -> Void) async throws -> Bool {
    do {
      try await operation()
      return false
    } catch is InteractionCodeFlowError {
      return true
    }
  }

  /// One flow begins a second sign-in in the middle of the first; the cookie of the first does not go along.
  static let beganTwice = IDXScenario("idx-began-twice", org(.named("password"), [user()])) { stage in
    let stage = changing(stage) { _, _ in
      .edit {
        $0.headers.append(HTTPField("Set-Cookie", "idx=transaction-of-the-org; Path=/"))
        $0.headers.append(HTTPField("Set-Cookie", "DT=device-of-the-org; Path=/"))
        // What a field need not say.
        let text = String(decoding: $0.body, as: UTF8.self)
        $0.body = Array(text.replacing(/"required":\s*false,/, with: "").utf8)
      }
    }
    let flow = stage.begin()
    let first = try await flow.start()
    let form = try remediation(.identify, of: first)
    form["identifier"]?.value = Scenario.login
    _ = try await form.proceed()
    let response = try await flow.start()
    try expect(try await lead(from: response, on: stage) != nil, "no tokens")
    flow.reset()
  }

  /// Words and numbers in fields that are booleans and texts.
  static let coercions = IDXScenario("idx-coercions", org(.named("password-one-page"), [user()])) { stage in
    let response = try await stage.begin().start()
    let form = try remediation(.identify, of: response)
    form["identifier"]?.value = Scenario.login
    form["credentials.passcode"]?.value = Scenario.password
    form["rememberMe"]?.value = "TRUE"
    let next = try await form.proceed()
    try expect(try await lead(from: next, on: stage) != nil, "no tokens")
  }
}

extension IDXStage {
  /// Runs an operation with its timers; whether the SDK refuses it.
  fileprivate func firingRefused(_ operation: @escaping @Sendable () async throws -> Void) async -> Bool {
    do {
      try await firingTimers(during: operation)
      return false
    } catch {
      return error is InteractionCodeFlowError
    }
  }
}
