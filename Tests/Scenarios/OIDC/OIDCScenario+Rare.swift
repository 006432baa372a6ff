// What becomes of tokens at servers that are slow, strict or forgetful. They are replayed, and not run through every battery.

import EventStore
import FlowRecording
import OIDC

extension OIDCScenario {
  /// The scenarios of `Recordings/` that are rare.
  public static let rare: [OIDCScenario] =
    [patience, limited, limitedTwice, uncached, forged, pushed, busy, openQuery] + edges + refusals + declared

  /// Each request to an endpoint has its own answer, by its number.
  private static func answering(
    _ path: String, metadata: [(String, JSON?)] = [], _ answers: [HTTPResponse]
  ) -> TinyProvider {
    let count = Locked(0)
    return TinyProvider(metadata: metadata) { request, response in
      guard request.url.hasSuffix(path) else { return }
      let number = count.withLock { count in
        defer { count += 1 }
        return count
      }
      if number < answers.count { response = answers[number] }
    }
  }

  /// The server asks twice to ask more rarely, and fails once in between.
  static let patience = OIDCScenario("oidc-patience") {
    answering(
      "/token", metadata: [("device_authorization_endpoint", .string(TinyProvider.home + "/device"))],
      [
        .json(["error": "slow_down"], status: 400), .json(["error": "authorization_pending"], status: 400),
        .json(["error": "slow_down"], status: 400), .json(["error": "authorization_pending"], status: 400),
        .json(["error": "temporarily_unavailable"], status: 503),
      ])
  } play: { stage in
    _ = try await stage.auth.signInOnDevice { _ in }
  }

  /// The address of an endpoint ends with the mark of a query.
  static let openQuery = OIDCScenario("oidc-open-query") {
    TinyProvider(metadata: [("authorization_endpoint", .string(TinyProvider.home + "/authorize?"))])
  } play: { stage in
    _ = try await stage.signIn()
  }

  /// The browser is busy with a sign-in: a sign-out is refused as a whole, and then the sign-in is cancelled.
  static let busy = OIDCScenario("oidc-busy-browser") { stage in
    let gate = AsyncStream.makeStream(of: Void.self)
    let browser = ScriptedBrowser { _ in
      for await _ in gate.stream {}
      return .failure(DrawFailure(.cancelled))
    }
    var environment = stage.environment
    environment[BrowserSeam.self] = browser
    let manager = try await stage.signIn()
    let auth = try OktaAppAuth(configuration: stage.configuration, environment: environment)
    let signIn = Task { try await auth.signInWithBrowser() }
    while browser.pages.isEmpty { await Task.yield() }
    let parts: SignOutOptions = [.revokeAccessToken, .signOutFromOkta]
    guard await auth.signOut(manager, options: parts) == parts else {
      throw Scenario.Unexpected(description: "a sign-out should have been refused")
    }
    await withCheckedContinuation { done in auth.cancelBrowserSession { done.resume() } }
    guard case .failure = await signIn.result else {
      throw Scenario.Unexpected(description: "the sign-in should have been cancelled")
    }
    gate.continuation.finish()
  }

  /// The parameters of an authorization are pushed ahead, with letters in them that a form has to encode.
  static let pushed = OIDCScenario("oidc-pushed") {
    TinyProvider(metadata: [
      ("pushed_authorization_request_endpoint", .string(TinyProvider.home + "/par")),
      ("authorization_endpoint", .string(TinyProvider.home + "/authorize")),
    ])
  } play: { stage in
    let provider = stage.environment.transport as? TinyProvider
    var environment = stage.environment
    environment[BrowserSeam.self] = ScriptedBrowser(listeningOn: "http://127.0.0.1:4711") { _ in
      let pushed = provider?.requests.last { $0.url.hasSuffix("/par") }.map(TinyProvider.form) ?? [:]
      return .success("\(pushed["redirect_uri"] ?? "")?code=code-of-the-test&state=\(pushed["state"] ?? "")")
    }
    let parameters = ["login_hint": "ann+work&co@acme.example", "ui_locales": "de-AT en", "acr_values": "50%=ü~*"]
    let auth = try OktaAppAuth(configuration: stage.configuration, environment: environment)
    let manager = try await auth.signInWithBrowser(additionalParameters: parameters)
    try await manager.revoke(manager.accessToken)
    // The same in a URL.
    let configuration = stage.configuration.configuration(withAdditionalParams: parameters)
    let other = try OktaAppAuth(configuration: configuration, environment: stage.environment)
    _ = try await other.authenticate(withSessionToken: "session-canary")
  }

  /// The token endpoint puts the exchange off: twice, and then for too long.
  static let limited = OIDCScenario("oidc-limited") {
    answering(
      "/token",
      [
        .limited(HTTPField("Retry-After", "20")), .limited(HTTPField("Retry-After", "40")),
        .limited(HTTPField("Retry-After", "1")),
      ])
  } play: { stage in
    do {
      _ = try await stage.signIn()
    } catch OktaError.APIError {
      return
    }
    throw Scenario.Unexpected(description: "the third wait is too long")
  }

  /// The token endpoint puts the exchange off twice, each time by an answer with a name of its own, and then gives tokens.
  static let limitedTwice = OIDCScenario("oidc-limited-twice") {
    answering(
      "/token",
      [2, 3].map { seconds in
        var response = HTTPResponse.json(["errorCode": "E0000047"], status: 429)
        response.headers += [
          HTTPField("X-Okta-Request-Id", "request-\(seconds)"), HTTPField("Retry-After", "\(seconds)"),
        ]
        return response
      })
  } play: { stage in
    _ = try await stage.signIn()
  }

  /// Metadata that must not be kept, and a renewal that brings no new refresh token and fails the first time.
  static let uncached = OIDCScenario("oidc-uncached") {
    let renewals = Locked(0)
    return TinyProvider { request, response in
      if request.url.contains("/.well-known/") {
        response.headers.append(HTTPField("Cache-Control", "no-store, max-age=600"))
      }
      guard TinyProvider.form(request)["grant_type"] == "refresh_token" else { return }
      let number = renewals.withLock { count in
        defer { count += 1 }
        return count
      }
      response =
        number == 0
        ? .json(["error": "temporarily_unavailable"], status: 503)
        : .json(["access_token": "access-canary-renewed", "token_type": "bearer", "expires_in": "600"], status: 200)
    }
  } play: { stage in
    let manager = try await stage.signIn()
    try manager.writeToSecureStorageOrThrow()
    do {
      try await manager.renew()
      throw Scenario.Unexpected(description: "the first renewal should have failed")
    } catch OktaError.errorFetchingFreshTokens {
      try await manager.renew()
    }
    try await manager.revoke(manager.refreshToken)
  }

  /// An ID token that no key of the server has signed; the keys must not be kept.
  static let forged = OIDCScenario("oidc-forged") {
    TinyProvider { request, response in
      if request.url.hasSuffix("/jwks") { response.headers.append(HTTPField("Cache-Control", "no-store, max-age=600")) }
      guard request.url.hasSuffix("/token") else { return }
      response = .json([
        "access_token": "access-canary-1", "token_type": "Bearer", "expires_in": 3600,
        "id_token":
          "eyJhbGciOiJSUzI1NiIsImtpZCI6ImtleS0xIn0.eyJzdWIiOiJzdWJqZWN0LW9mLWFubiJ9.c2lnbmF0dXJlLW9mLW5vLW9uZQ",
      ])
    }
  } play: { stage in
    do {
      _ = try await stage.signIn()
    } catch is OktaError {
      return
    }
    throw Scenario.Unexpected(description: "the ID token should have been refused")
  }
}
