// Against the simulated org, over real HTTP: ID tokens are signed, checked, and refused for what is wrong with them.

import EventStore
import FlowRecording
import Foundation
import OIDC
import Replay
import Scenarios
import SimulatedOrg
import Testing

@Suite struct OrgEndToEndTests {
  /// A client of a simulated org.
  private struct Client {
    let stage: Stage
    let recorder = MemoryRecorder()
    let auth: OktaAppAuth
    let environment: FlowEnvironment

    init(_ oidc: OrgOIDC = OrgOIDC(), server: String = "/oauth2/default", algorithms: [String] = ["RS256"]) async throws
    {
      stage = try await Stage(
        OrgConfiguration(users: [OrgUser(login: Scenario.login, password: Scenario.password)], oidc: oidc),
        recorder: recorder)
      var environment = stage.environment
      environment.device = nil
      environment[MetadataCacheSeam.self] = MetadataCache()
      environment[KeyCacheSeam.self] = KeyCache()
      environment[TokenStoreSeam.self] = MemoryTokenStore()
      self.environment = environment
      var configuration = try OktaAuthConfig(with: [
        "issuer": Stage.orgURL + server, "clientId": OrgClient.sample.id,
        "redirectUri": OrgClient.sample.redirectURIs[0],
        "scopes": "openid profile email offline_access",
      ])
      configuration.options.idTokenAlgorithms = algorithms
      auth = try OktaAppAuth(configuration: configuration, environment: environment)
    }

    func signIn() async throws -> OktaAuthStateManager {
      let token = try #require(stage.org.sessionToken(for: Scenario.login))
      return try await auth.authenticate(withSessionToken: token)
    }

    /// Every flow replays, and no record has a token.
    func expectReplay(without secrets: [String?] = []) throws {
      let flows = recorder.streams.map { RecordedFlow(stream: $0, records: recorder.records(of: $0)) }
      #expect(try Replay.replay(Recording(name: "org", flows: flows)).map(\.message) == [])
      let log = flows.flatMap(\.records).map { String(decoding: EventCoding.encode($0.event).data, as: UTF8.self) }
      for secret in secrets.compactMap({ $0 }) { #expect(!log.contains { $0.contains(secret) }) }
    }
  }

  @Test(arguments: ["", "/oauth2/default", "/realms/staff"])
  func `a session token becomes tokens whose ID token is checked, at servers of either make`(server: String)
    async throws
  {
    let client = try await Client(server: server)
    let manager = try await client.signIn()
    let tokens = [manager.accessToken, manager.idToken, manager.refreshToken]
    #expect(tokens.allSatisfy { $0 != nil })
    #expect(try manager.isValidToken(idToken: manager.idToken))
    #expect(try await manager.getUser()["email"] as? String == Scenario.login)
    #expect(try await manager.introspect(token: manager.accessToken)["active"] as? Bool == true)
    let old = manager.accessToken
    try await manager.renew()
    #expect(manager.accessToken != old && manager.idToken != nil)
    try await manager.revoke(manager.accessToken)
    #expect(try await manager.introspect(token: manager.accessToken)["active"] as? Bool == false)
    try client.expectReplay(without: tokens + [manager.accessToken, manager.refreshToken])
    await client.stage.org.stop()
  }

  @Test func `an ID token by an elliptic curve is taken where the application allows it`() async throws {
    let client = try await Client(OrgOIDC(algorithm: .es256), algorithms: ["RS256", "ES256"])
    #expect(try await client.signIn().idToken != nil)
    try client.expectReplay()
    await client.stage.org.stop()
    let strict = try await Client(OrgOIDC(algorithm: .es256))
    guard case .JWTValidationError(let reason)? = await failure(of: { try await strict.signIn() }) else {
      return #expect(Bool(false))
    }
    #expect(reason.idToken?.claim == "alg")
    try strict.expectReplay()
    await strict.stage.org.stop()
  }

  @Test(arguments: [
    ("nonce", OrgTokenDefect.idToken(.claim("nonce", "other"))), ("aud", .idToken(.claim("aud", "other"))),
    ("iss", .idToken(.claim("iss", "https://evil.example"))), ("sub", .idToken(.claim("sub", nil))),
    ("at_hash", .idToken(.claim("at_hash", "AAAAAAAAAAAAAAAAAAAAAA"))), ("iat", .skewed(seconds: 4_000)),
  ])
  func `an ID token that is not right leaves no tokens`(claim: String, defect: OrgTokenDefect) async throws {
    let client = try await Client()
    client.stage.org.spoilTokens(defect)
    guard case .JWTValidationError(let reason)? = await failure(of: { try await client.signIn() }) else {
      return #expect(Bool(false), "\(claim) is not refused")
    }
    #expect(reason.idToken?.claim == claim)
    try client.expectReplay()
    await client.stage.org.stop()
  }

  @Test func `the tokens of a sign-in of another kind are taken over, checked`() async throws {
    let client = try await Client()
    let token = try #require(try await client.signIn().authState.lastTokenResponse)
    let manager = try await OktaAuthStateManager(
      token: token, configuration: client.auth.configuration, environment: client.environment)
    #expect(manager.accessToken == token.accessToken && manager.idToken == token.idToken)
    var forged = token
    forged.accessToken += "x"
    let error = await failure(of: {
      try await OktaAuthStateManager(
        token: forged, configuration: client.auth.configuration, environment: client.environment)
    })
    #expect(error?.failure?.idToken?.claim == "at_hash")
    try client.expectReplay(without: [token.accessToken, token.idToken])
    await client.stage.org.stop()
  }
}
