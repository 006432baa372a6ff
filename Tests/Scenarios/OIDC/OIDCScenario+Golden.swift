// One scenario for each way that tokens come, change and go.

import EventStore
import FlowRecording
import OIDC

extension OIDCScenario {
  /// The scenarios of `Recordings/`.
  public static let golden: [OIDCScenario] = [sessionToken, browser, device, life, refused, redirect]

  /// What no recording of these may show.
  public static let secrets = ["canary", "code-of-the-test", "WDJB-MJHT"]

  /// A session token becomes tokens.
  static let sessionToken = OIDCScenario("oidc-session-token") { _ = try await $0.signIn() }

  /// A person signs in in the browser, and out again.
  static let browser = OIDCScenario("oidc-browser") { stage in
    let manager = try await stage.auth.signInWithBrowser(additionalParameters: ["prompt": "login"])
    var state = manager.authState
    state.tokens.idToken = "e30.e30.canary"
    let signedIn = OktaAuthStateManager(
      authState: state, configuration: stage.configuration, environment: stage.environment)
    try await stage.auth.signOutOfOkta(signedIn)
  }

  /// A person signs in on another device, after a while.
  static let device = OIDCScenario("oidc-device") {
    let words = Words(["authorization_pending", "slow_down", "authorization_pending"])
    return TinyProvider(metadata: [("device_authorization_endpoint", .string(TinyProvider.home + "/device"))]) {
      request, response in
      guard request.url.hasSuffix("/token"), let word = words.next() else { return }
      response = .json(["error": .string(word)], status: 400)
    }
  } play: { stage in
    _ = try await stage.auth.signInOnDevice { _ in }
  }

  /// Tokens are stored, renewed, looked at, read by another process, revoked and removed.
  static let life = OIDCScenario("oidc-life") { stage in
    let manager = try await stage.signIn()
    try manager.writeToSecureStorageOrThrow()
    try await manager.renew()
    _ = try await manager.introspect(token: manager.accessToken)
    _ = try await manager.getUser()
    let read = try OktaAuthStateManager.readFromSecureStorageOrThrow(
      for: stage.configuration, environment: stage.environment)
    _ = await stage.auth.signOut(read ?? manager, options: [.revokeTokensOptions, .removeTokensFromStorage])
  }

  /// The server refuses to renew tokens, for good.
  static let refused = OIDCScenario("oidc-refused") {
    TinyProvider { request, response in
      guard TinyProvider.form(request)["grant_type"] == "refresh_token" else { return }
      response = .json(["error": "invalid_grant", "error_description": "The refresh token is spent."], status: 400)
    }
  } play: { stage in
    let manager = try await stage.signIn()
    do {
      try await manager.renew()
    } catch OktaError.errorFetchingFreshTokens {
      return
    }
    throw Scenario.Unexpected(description: "the renewal should have been refused")
  }

  /// A redirect of another sign-in is refused.
  static let redirect = OIDCScenario("oidc-state-mismatch") {
    TinyProvider { request, response in
      guard request.url.contains("/authorize") else { return }
      let back = TinyProvider.query(request.url)["redirect_uri"] ?? ""
      response.headers = [.init("Location", "\(back)?code=code-of-the-test&state=another")]
    }
  } play: { stage in
    do {
      _ = try await stage.signIn()
    } catch OktaError.stateMismatch {
      return
    }
    throw Scenario.Unexpected(description: "the redirect should have been refused")
  }
}

/// Words that are said once each.
private final class Words: Sendable {
  private let left: Locked<[String]>

  init(_ words: [String]) { left = Locked(words) }

  func next() -> String? { left.withLock { $0.isEmpty ? nil : $0.removeFirst() } }
}
