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

    init(
      _ oidc: OrgOIDC = OrgOIDC(), server: String = "/oauth2/default", algorithms: [String] = ["RS256"],
      more: [String: String] = [:]
    ) async throws {
      stage = try await Stage(
        OrgConfiguration(users: [OrgUser(login: Scenario.login, password: Scenario.password)], oidc: oidc),
        recorder: recorder)
      var environment = stage.environment
      environment.device = nil
      environment[MetadataCacheSeam.self] = MetadataCache()
      environment[KeyCacheSeam.self] = KeyCache()
      environment[TokenStoreSeam.self] = MemoryTokenStore()
      self.environment = environment
      var configuration = try OktaAuthConfig(
        with: [
          "issuer": Stage.orgURL + server, "clientId": OrgClient.sample.id,
          "redirectUri": OrgClient.sample.redirectURIs[0],
          "scopes": "openid profile email offline_access",
        ].merging(more) { $1 })
      configuration.options.idTokenAlgorithms = algorithms
      auth = try OktaAppAuth(configuration: configuration, environment: environment)
    }

    func signIn() async throws -> OktaAuthStateManager {
      let token = try #require(stage.org.sessionToken(for: Scenario.login))
      return try await auth.authenticate(withSessionToken: token)
    }

    /// Every flow replays, and no record has a token.
    func expectReplay(without secrets: [String?] = [], sourceLocation: SourceLocation = #_sourceLocation) throws {
      let flows = recorder.streams.map { RecordedFlow(stream: $0, records: recorder.records(of: $0)) }
      #expect(
        try Replay.replay(Recording(name: "org", flows: flows)).map(\.message) == [], sourceLocation: sourceLocation)
      let log = flows.flatMap(\.records).map { String(decoding: EventCoding.encode($0.event).data, as: UTF8.self) }
      for secret in secrets.compactMap({ $0 }) {
        #expect(!log.contains { $0.contains(secret) }, sourceLocation: sourceLocation)
      }
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
    ("nonce", OrgTokenDefect.idToken(.claim("nonce", "other"))), ("nonce", .idToken(.claim("nonce", nil))),
    ("aud", .idToken(.claim("aud", "other"))), ("azp", .idToken(.claim("azp", "other"))),
    ("signature", .idToken(.wrongSignature)), ("signature", .idToken(.otherKey)), ("kid", .idToken(.unknownKey)),
    ("alg", .idToken(.unsigned)), ("alg", .idToken(.sharedSecret)), ("exp", .idToken(.expired(seconds: 3_600))),
    ("iat", .idToken(.early(seconds: 3_600))), ("exp", .skewed(seconds: -8_000)), ("iat", .skewed(seconds: -400)),
    ("crit", .idToken(.header("crit", ["b64"]))), ("token", .member("id_token", "no token")),
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
    // The authorization code is spent: nothing of the tokens is left, in the store or in the log.
    #expect(try client.environment[TokenStoreSeam.self].keys().isEmpty)
    let events = client.recorder.streams.flatMap { client.recorder.records(of: $0) }.map(\.event.type)
    #expect(events.filter { $0.hasPrefix("token.") } == ["token.refused"])
    try client.expectReplay()
    await client.stage.org.stop()
  }

  @Test(
    arguments: [
      ("phr", ["phr", "phrh"], nil), ("other", ["phr"], "acr mismatch"), (nil, ["phr"], "acr missing"),
    ] as [(String?, [String], String?)])
  func `a context that is essential must be that of the ID token`(given: String?, wanted: [String], expected: String?)
    async throws
  {
    let claims: JSON = ["id_token": ["acr": ["essential": true, "values": .array(wanted.map(JSON.string))]]]
    var more = ["claims": claims.text]
    more["acr_values"] = given
    let client = try await Client(more: more)
    let error = await failure { try await client.signIn() }
    #expect(error?.failure?.idToken.map { "\($0.claim) \($0.rule.rawValue)" } == expected, "\(error as Any)")
    try client.expectReplay()
    await client.stage.org.stop()
  }

  @Test(arguments: OrgProviderHabit.allCases)
  func `what a provider does otherwise is lived with, or is an error by its name`(habit: OrgProviderHabit) async throws
  {
    let client = try await Client(OrgOIDC(habits: [habit]), server: "/realms/staff")
    let manager = try await client.signIn()
    let idToken = manager.idToken
    #expect(manager.accessToken != nil && idToken != nil)
    try await manager.renew()
    #expect(manager.accessToken != nil && (habit == .refreshesWithoutIDToken) == (manager.idToken == idToken))
    let isBare = habit == .bareDiscovery
    let introspection = await failure { try await manager.introspect(token: manager.accessToken) }
    #expect(introspection == (isBare ? .noIntrospectionEndpoint : nil))
    let user = await failure { try await manager.getUser() }
    #expect(user == (isBare ? .noUserInfoEndpoint : nil))
    let revocation = await failure { try await manager.revoke(manager.refreshToken) }
    if isBare {
      #expect(revocation == .noRevocationEndpoint)
    } else if habit == .revocationNeedsSecret {
      #expect(revocation?.httpStatus == 401, "\(revocation as Any)")
    } else {
      #expect(revocation == nil)
      guard case .errorFetchingFreshTokens(let reason)? = await failure(of: { try await manager.renew() }) else {
        return #expect(Bool(false), "it is renewed")
      }
      // Without a code of the protocol nothing is forgotten.
      #expect(reason.oauthCode == (habit == .emptyErrors ? nil : "invalid_grant"))
      #expect((manager.refreshToken == nil) == (habit != .emptyErrors))
      #expect(reason.httpStatus == (habit == .forbidsBadGrants ? 403 : 400))
    }
    try client.expectReplay(without: [idToken, manager.accessToken])
    await client.stage.org.stop()
  }

  @Test func `a renewal whose ID token is not right leaves the stored tokens as they were`() async throws {
    let client = try await Client(OrgOIDC(rotation: .none))
    let manager = try await client.signIn()
    try manager.writeToSecureStorageOrThrow()
    let store = client.environment[TokenStoreSeam.self]
    let key = StorageKey(client.auth.configuration)
    let before = try store.read(key)
    for defect in [
      OrgTokenDefect.idToken(.claim("sub", "00u-other")), .idToken(.wrongSignature), .idToken(.claim("aud", "other")),
    ] {
      client.stage.org.spoilTokens(defect)
      let error = await failure { try await manager.renew() }
      guard case .JWTValidationError? = error else { return #expect(Bool(false), "\(error as Any)") }
      #expect(try store.read(key) == before)
    }
    try client.expectReplay()
    await client.stage.org.stop()
  }

  @Test func `a key that changes is fetched once; one that changes again at once is not known`() async throws {
    let client = try await Client()
    let server = OrgSigner.authorizationServer("default")
    _ = try await client.signIn()
    client.stage.org.rotateKeys(server, keepingPrevious: false)
    #expect(try await client.signIn().idToken != nil)
    client.stage.org.rotateKeys(server, keepingPrevious: false)
    guard case .JWTValidationError(let reason)? = await failure(of: { try await client.signIn() }) else {
      return #expect(Bool(false), "it is not refused")
    }
    #expect(reason.idToken?.claim == "kid" && reason.idToken?.rule == .unknownKey)
    #expect(client.stage.org.requests.filter { $0.target.hasSuffix("/keys") }.count == 2)
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
