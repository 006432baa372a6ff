import EventStore
import FlowRecording
import Foundation
import OIDC
import Replay
import Scenarios
import SimulatedOrg
import Testing

@testable import IDX

/// Tokens of the Identity Engine become a manager of `OIDC`, which checks their ID token as that of any sign-in.
@Suite struct HandOverTests {
  private static let configuration = OrgConfiguration(
    users: [OrgUser(login: Scenario.login, password: Scenario.password)])

  @Test func `the ID token of an interaction code is checked, its nonce too if it is given`() async throws {
    let recorder = MemoryRecorder()
    let stage = try await IDXStage(Self.configuration, recorder: recorder)
    let flow = stage.begin()
    let first = try await flow.start(options: [.nonce: "nonce-canary-of-the-test"])
    let token = try #require(try await IDXScenario.lead(from: first, on: stage))
    var environment = stage.environment
    environment[MetadataCacheSeam.self] = MetadataCache()
    environment[KeyCacheSeam.self] = KeyCache()
    environment[TokenStoreSeam.self] = MemoryTokenStore()
    var configuration = try OktaAuthConfig(with: [
      "issuer": flow.client.issuer.absoluteString, "clientId": flow.client.clientId,
      "redirectUri": flow.redirectUri.absoluteString, "scopes": "openid profile offline_access",
    ])
    // The Identity Engine of this org signs with an elliptic curve.
    configuration.options.idTokenAlgorithms = ["ES256"]
    let client = configuration
    func outcome(_ token: Token, nonce: String?) async -> String {
      do {
        let manager = try await OktaAuthStateManager(
          token: token, configuration: client, nonce: nonce, environment: environment)
        return manager.idToken == token.idToken && manager.accessToken == token.accessToken ? "taken" : "changed"
      } catch {
        return error.failure?.idToken.map { "\($0.claim) \($0.rule.rawValue)" } ?? "\(error)"
      }
    }
    let said1 = await outcome(token, nonce: "nonce-canary-of-the-test")
    #expect(said1 == "taken")
    let said2 = await outcome(token, nonce: "another")
    #expect(said2 == "nonce mismatch")
    let said3 = await outcome(token, nonce: nil)
    #expect(said3 == "taken")
    var other = token
    other.accessToken += "x"
    let said4 = await outcome(other, nonce: nil)
    #expect(said4 == "at_hash mismatch")
    // The keys of the server are fetched once, by a recorded request; the verdict is a draw, so that a replay needs no keys.
    let flows = recorder.streams.filter { $0.hasPrefix("oidc/") }
      .map { RecordedFlow(stream: $0, records: recorder.records(of: $0)) }
    let requests = flows.flatMap(\.records).count { $0.event.type == RequestSent.type }
    #expect(flows.count == 4 && requests == 2)
    #expect(try Replay.replay(Recording(name: "hand-over", flows: flows)).map(\.message) == [])
    let log = flows.flatMap(\.records).map { String(decoding: EventCoding.encode($0.event).data, as: UTF8.self) }
    for secret in [token.accessToken, token.idToken, "nonce-canary-of-the-test"].compactMap({ $0 }) {
      #expect(!log.contains { $0.contains(secret) })
    }
    await stage.org.stop()
  }

  @Test(
    arguments: [
      (nil, nil), (OrgTokenDefect.idToken(.claim("nonce", "other")), "nonce mismatch"),
      (.idToken(.wrongSignature), "signature signature"), (.idToken(.claim("aud", "other")), "aud mismatch"),
    ] as [(OrgTokenDefect?, String?)])
  func `a response becomes a manager, or an error if its ID token is not right`(
    defect: OrgTokenDefect?, expected: String?
  ) async throws {
    let recorder = MemoryRecorder()
    var stage = try await IDXStage(Self.configuration, recorder: recorder)
    stage.environment[MetadataCacheSeam.self] = MetadataCache()
    stage.environment[KeyCacheSeam.self] = KeyCache()
    let store = MemoryTokenStore()
    stage.environment[TokenStoreSeam.self] = store
    var options = OktaAuthOptions()
    options.idTokenAlgorithms = ["ES256"]
    var response = try await stage.begin().start(options: [.nonce: "nonce-canary-of-the-test"])
    while !response.isLoginSuccessful {
      let remediation = try #require(response.remediations.first)
      response = try await IDXScenario.step(remediation, of: response, on: stage)
    }
    if let defect { stage.org.spoilTokens(defect) }
    var said: String?
    do {
      let manager = try await response.exchangeCodeForManager(options: options)
      #expect(try manager.isValidToken(idToken: manager.idToken))
      try manager.writeToSecureStorageOrThrow()
    } catch InteractionCodeFlowError.idTokenRefused(let failure) {
      said = "\(failure.claim) \(failure.rule.rawValue)"
    } catch let error as OktaError {
      said = error.failure?.idToken.map { "\($0.claim) \($0.rule.rawValue)" } ?? "\(error)"
    }
    #expect(said == expected)
    #expect(try store.keys().count == (expected == nil ? 1 : 0))
    let flows = recorder.streams.map { RecordedFlow(stream: $0, records: recorder.records(of: $0)) }
    #expect(try Replay.replay(Recording(name: "hand-over", flows: flows)).map(\.message) == [])
    await stage.org.stop()
  }
}
