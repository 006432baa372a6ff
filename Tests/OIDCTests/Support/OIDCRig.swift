import EventStore
import FlowRecording
import FlowTestKit
import Foundation
import OIDC
import Replay
import Scenarios
import Testing

/// A client of a provider, with seams of its own, and the records of its flows.
struct OIDCRig {
  let provider: TinyProvider
  let recorder = MemoryRecorder()
  let store: any TokenStore
  let environment: FlowEnvironment
  let auth: OktaAppAuth

  static let start = Timestamp("2026-01-15T09:00:00Z") ?? Timestamp(microseconds: 0)
  static let redirectURI = "com.acme.app:/callback"

  init(
    _ provider: TinyProvider = TinyProvider(), browser: ScriptedBrowser? = nil,
    store: any TokenStore = MemoryTokenStore(),
    time: any FlowClock & FlowTimers = HurriedTime(start: Self.start), values: [String: String] = [:],
    secret: String? = nil
  ) throws {
    self.provider = provider
    self.store = store
    var environment = FlowEnvironment(
      recorder: recorder, transport: provider, clock: time, entropy: SeededEntropy(seed: 3), timers: time, device: nil,
      userAgent: "rig/1")
    environment[MetadataCacheSeam.self] = MetadataCache()
    environment[KeyCacheSeam.self] = KeyCache()
    environment[TokenStoreSeam.self] = store
    if let browser { environment[BrowserSeam.self] = browser }
    self.environment = environment
    var configuration = try OktaAuthConfig(
      with: [
        "issuer": TinyProvider.issuer + "/", "clientId": "client-7", "redirectUri": Self.redirectURI,
        "logoutRedirectUri": "com.acme.app:/goodbye", "scopes": "profile  offline_access",
      ].merging(values) { $1 })
    configuration.options.clientSecret = secret
    auth = try OktaAppAuth(configuration: configuration, environment: environment)
  }

  /// Signs in by a session token.
  func signIn() async throws -> OktaAuthStateManager { try await auth.authenticate(withSessionToken: "session-canary") }

  /// The flows so far.
  var flows: [RecordedFlow] {
    recorder.streams.map { RecordedFlow(stream: $0, records: recorder.records(of: $0)) }
  }

  /// The events of the last flow, by their types.
  var types: [String] { flows.last?.records.map(\.event.type) ?? [] }

  /// What is said of tokens in all flows: event type and data.
  var tokenEvents: [(type: String, data: JSON)] {
    flows.flatMap(\.records).compactMap { record in
      guard case .domain(let event) = record.event else { return nil }
      return (event.type, event.data)
    }
  }

  /// Every flow replays to the event, and no record has one of the tests' secrets.
  func expectReplay(sourceLocation: SourceLocation = #_sourceLocation) throws {
    let divergences = try Replay.replay(Recording(name: "rig", flows: flows))
    #expect(divergences.map(\.message) == [], sourceLocation: sourceLocation)
    for record in flows.flatMap(\.records) {
      let line = String(decoding: EventCoding.encode(record.event).data, as: UTF8.self)
      let shown = ["canary", "code-of-the-test", "WDJB-MJHT"].filter { line.contains($0) }
      #expect(shown == [], "\(record.event.type): \(line)", sourceLocation: sourceLocation)
    }
  }
}

/// The error of an operation; nil if it succeeds.
func failure<Value>(of operation: () async throws -> Value) async -> OktaError? {
  do {
    _ = try await operation()
    return nil
  } catch {
    return error as? OktaError
  }
}
