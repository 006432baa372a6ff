// What becomes of tokens from their issue to their end, as tests and golden recordings share it.

public import FlowRecording
import Foundation
public import OIDC

/// The life of tokens at a provider made for it.
public struct OIDCScenario: Sendable, CustomStringConvertible {
  /// The scenario's name, and its golden recording's.
  public var name: String
  /// Makes the provider.
  public var provider: @Sendable () -> TinyProvider
  /// Plays it.
  public var play: @Sendable (OIDCStage) async throws -> Void

  /// Makes a scenario.
  public init(
    _ name: String, provider: @escaping @Sendable () -> TinyProvider = { TinyProvider() },
    play: @escaping @Sendable (OIDCStage) async throws -> Void
  ) {
    self.name = name
    self.provider = provider
    self.play = play
  }

  /// The name.
  public var description: String { name }

  /// Plays the scenario on a stage of its own.
  ///
  /// - Returns: what the provider was asked.
  @discardableResult
  public func run(recorder: (any Recorder)?, seed: UInt64 = 7) async throws -> [HTTPRequest] {
    let provider = provider()
    let time = VirtualTime(start: Stage.start)
    let environment = FlowEnvironment(
      recorder: recorder, transport: VariedAnswers.over(provider), clock: time, entropy: SeededEntropy(seed: seed),
      timers: time,
      device: nil,
      userAgent: "FlowRecorder/0.1.0 Linux/6 Device/x86_64")
    let firing = Task {
      while await time.waitForTimers() { time.untilNextTimer.map { time.advance(milliseconds: $0) } }
    }
    defer { firing.cancel() }
    try await play(OIDCStage(environment))
    return provider.requests
  }
}

/// Where a scenario of tokens plays: memories, a store and a browser of its own.
public struct OIDCStage: Sendable {
  /// The seams.
  public let environment: FlowEnvironment
  /// The client.
  public let configuration: OktaAuthConfig
  /// The entry point.
  public let auth: OktaAppAuth

  /// Sets a stage over other seams, whose browser allows what is asked.
  public init(_ environment: FlowEnvironment) throws {
    var environment = environment
    environment[MetadataCacheSeam.self] = MetadataCache()
    environment[KeyCacheSeam.self] = KeyCache()
    environment[TokenStoreSeam.self] = MemoryTokenStore()
    environment[BrowserSeam.self] = ScriptedBrowser(listeningOn: "http://127.0.0.1:4711") {
      .success(Self.allowing($0))
    }
    self.environment = environment
    configuration = try OktaAuthConfig(with: [
      "issuer": TinyProvider.issuer, "clientId": "client-7", "redirectUri": "http://127.0.0.1/callback",
      "logoutRedirectUri": "http://127.0.0.1/goodbye", "scopes": "profile offline_access",
    ])
    auth = try OktaAppAuth(configuration: configuration, environment: environment)
  }

  /// Where the browser of a person is sent who allows what is asked.
  public static func allowing(_ url: String) -> String {
    let query = TinyProvider.query(url)
    let back = query["redirect_uri"] ?? query["post_logout_redirect_uri"] ?? ""
    return "\(back)?code=code-of-the-test&state=\(query["state"] ?? "")"
  }

  /// Signs in by a session token.
  public func signIn() async throws -> OktaAuthStateManager {
    try await auth.authenticate(withSessionToken: "session-canary")
  }
}
