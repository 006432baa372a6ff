import Dispatch
import EventStore
import FlowRecording
import OIDC
import Scenarios
import Testing

@Suite struct ManagerTests {
  @Test func `a renewal rotates the tokens of the same manager, and ten callers share it`() async throws {
    let gate = DispatchSemaphore(value: 0)
    let rig = try OIDCRig(
      TinyProvider { request, _ in
        if TinyProvider.form(request)["grant_type"] == "refresh_token" { gate.wait() }
      })
    let manager = try await rig.signIn()
    let before = rig.provider.requests.count
    await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<10 { group.addTask { (try? await manager.renew()) === manager } }
      // The answer comes once all ten wait: each but the first leaves a note.
      while rig.types.count(where: { $0 == "note.added" }) < 9 { await Task.yield() }
      gate.signal()
      for await isSame in group { #expect(isSame) }
    }
    let renewals = rig.provider.requests[before...]
    #expect(renewals.count == 1)
    #expect(manager.accessToken == "access-canary-2" && manager.refreshToken == "refresh-canary-2")
    #expect(TinyProvider.form(renewals[before])["refresh_token"] == "refresh-canary-1")
    let events = rig.tokenEvents.filter { $0.type == "token.issued" || $0.type == "token.refreshed" }
    #expect(Set(events.map { $0.data["id"] }).count == 1 && manager.tokenId == events[0].data["id"]?.string)
    try rig.expectReplay()
  }

  @Test func `a callback comes with the same manager`() async throws {
    let rig = try OIDCRig()
    let manager = try await rig.signIn()
    let isSame = await withCheckedContinuation { done in
      manager.renew { renewed, error in done.resume(returning: renewed === manager && error == nil) }
    }
    #expect(isSame)
  }

  @Test
  func `a renewal without a refresh token asks no one; a refused one ends the authorization; a lost one does not`()
    async throws
  {
    let rig = try OIDCRig(
      TinyProvider { request, response in
        guard TinyProvider.form(request)["grant_type"] == "refresh_token" else { return }
        response = .json(["error": "invalid_grant"], status: 400)
      })
    let manager = try await rig.signIn()
    let error = await failure { try await manager.renew() }
    guard case .errorFetchingFreshTokens(let reason)? = error else { return #expect(Bool(false), "\(error as Any)") }
    #expect(reason.oauthCode == "invalid_grant")
    #expect(manager.accessToken == nil && manager.authState.authorizationError == "invalid_grant")
    #expect(await failure { try await manager.renew() } == .noRefreshToken)
    try rig.expectReplay()
    let lost = try OIDCRig(
      TinyProvider { request, response in
        if TinyProvider.form(request)["grant_type"] == "refresh_token" { response = .json([:], status: 503) }
      })
    let kept = try await lost.signIn()
    #expect(await failure { try await kept.renew() }?.failure?.isRetryable == true)
    #expect(kept.accessToken == "access-canary-1" && kept.refreshToken == "refresh-canary-1")
    try lost.expectReplay()
  }

  @Test(arguments: [nil, ""] as [String?])
  func `an answer without a refresh token keeps the old one, as one with an empty text does`(text: String?)
    async throws
  {
    let rig = try OIDCRig(
      TinyProvider { request, response in
        guard TinyProvider.form(request)["grant_type"] == "refresh_token" else { return }
        response = .json(
          .members([
            ("access_token", "renewed-canary"), ("token_type", "bearer"), ("expires_in", "60"),
            ("refresh_token", text.map(JSON.string)), ("id_token", text.map(JSON.string)),
          ]))
      })
    var state = try await rig.signIn().authState
    state.tokens.idToken = "e30.e30.canary"
    let manager = OktaAuthStateManager(
      authState: state, configuration: rig.auth.configuration, environment: rig.environment)
    try await manager.renew()
    #expect(manager.accessToken == "renewed-canary" && manager.refreshToken == "refresh-canary-1")
    #expect(manager.authState.tokens.idToken == "e30.e30.canary")
    #expect(manager.authState.scope == "openid offline_access" && manager.isStale)
    try rig.expectReplay()
  }

  // MARK: Renewals that fail beside the token endpoint

  /// A provider whose renewals bring an ID token, and that answers otherwise at one place while it is down.
  private static func failing(_ place: String, _ answer: HTTPResponse, isDown: Locked<Bool>) -> TinyProvider {
    TinyProvider { request, response in
      guard isDown.withLock({ $0 }) else { return }
      if request.url.hasSuffix(place) { response = answer }
      guard TinyProvider.form(request)["grant_type"] == "refresh_token",
        case .object(var body)? = try? JSON(parsing: response.body)
      else { return }
      body["id_token"] = "e30.e30.canary"
      response = .json(.object(body))
    }
  }

  @Test(arguments: ["/openid-configuration", "/jwks"], [true, false])
  func `only the token endpoint can end the authorization`(place: String, isInBody: Bool) async throws {
    let isDown = Locked(false)
    let challenge = [HTTPField("WWW-Authenticate", "Bearer error=\"invalid_token\"")]
    let answer: HTTPResponse =
      isInBody
      ? .json(["error": "access_denied"], status: 403) : HTTPResponse(status: 401, headers: challenge, body: [])
    let rig = try OIDCRig(Self.failing(place, answer, isDown: isDown))
    let state = try await rig.signIn().authState
    isDown.withLock { $0 = true }
    // As in another process, which has no metadata yet.
    var environment = rig.environment
    environment[MetadataCacheSeam.self] = MetadataCache()
    let manager = OktaAuthStateManager(
      authState: state, configuration: rig.auth.configuration, environment: environment)
    let error = await failure { try await manager.renew() }
    guard case .errorFetchingFreshTokens(let reason)? = error else { return #expect(Bool(false), "\(error as Any)") }
    #expect(reason.oauthCode == nil && reason.httpStatus == (isInBody ? 403 : 401))
    #expect(manager.accessToken == "access-canary-1" && manager.refreshToken != nil)
    #expect(manager.authState.authorizationError == nil)
    try rig.expectReplay()
  }

  @Test(arguments: [true, false])
  func `of an answer whose ID token cannot be checked the refresh token is kept, and nothing else`(isStored: Bool)
    async throws
  {
    let isDown = Locked(true)
    let rig = try OIDCRig(Self.failing("/jwks", .json([:], status: 503), isDown: isDown))
    let manager = try await rig.signIn()
    if isStored { try manager.writeToSecureStorageOrThrow() }
    #expect(await failure { try await manager.renew() }?.isRetryable == true)
    #expect(manager.accessToken == "access-canary-1" && manager.idToken == nil)
    #expect(manager.refreshToken == "refresh-canary-2")
    let kept = try rig.store.read(StorageKey(rig.auth.configuration))
    #expect(kept?.refreshToken == (isStored ? "refresh-canary-2" : nil))
    #expect(kept?.accessToken == (isStored ? "access-canary-1" : nil))
    #expect(!rig.tokenEvents.contains { $0.type == "token.refreshed" })
    isDown.withLock { $0 = false }
    try await manager.renew()
    let form = TinyProvider.form(try #require(rig.provider.requests.last))
    #expect(form["refresh_token"] == "refresh-canary-2")
    #expect(manager.accessToken == "access-canary-3" && manager.refreshToken == "refresh-canary-3")
    try rig.expectReplay()
  }

  @Test func `another process goes on with the refresh token that is stored, and does not take the old tokens for new`()
    async throws
  {
    let isDown = Locked(true)
    let rig = try OIDCRig(Self.failing("/jwks", .json([:], status: 503), isDown: isDown))
    let first = try await rig.signIn()
    try first.writeToSecureStorageOrThrow()
    let second = try #require(
      OktaAuthStateManager.readFromSecureStorage(for: rig.auth.configuration, environment: rig.environment))
    #expect(await failure { try await first.renew() } != nil)
    isDown.withLock { $0 = false }
    try await second.renew()
    let form = TinyProvider.form(try #require(rig.provider.requests.last))
    #expect(form["refresh_token"] == "refresh-canary-2")
    #expect(second.accessToken == "access-canary-3")
    // The first one takes what the second one got.
    try await first.renew()
    #expect(first.accessToken == "access-canary-3" && first.refreshToken == "refresh-canary-3")
    try rig.expectReplay()
  }

  // MARK: The store and the server

  @Test func `tokens are stored, read and removed, and a renewal stores what it gets`() async throws {
    let rig = try OIDCRig()
    let manager = try await rig.signIn()
    #expect(!manager.autoPersist)
    manager.writeToSecureStorage()
    #expect(manager.autoPersist)
    try await manager.renew()
    let read = try #require(
      OktaAuthStateManager.readFromSecureStorage(for: rig.auth.configuration, environment: rig.environment))
    #expect(read.accessToken == "access-canary-2" && read.tokenId == manager.tokenId && read.autoPersist)
    #expect(read.authState == manager.authState)
    read.clear()
    #expect(
      OktaAuthStateManager.readFromSecureStorage(for: rig.auth.configuration, environment: rig.environment) == nil)
    #expect(
      rig.tokenEvents.map(\.type)
        == ["token.issued", "token.stored", "token.refreshed", "token.stored", "token.cleared"])
    try rig.expectReplay()
  }

  @Test func `tokens that the first versions stored are read, and stay`() async throws {
    let rig = try OIDCRig()
    #expect(OktaAuthStateManager.readFromSecureStorage(environment: rig.environment) == nil)
    let tokens = try await rig.signIn().authState.tokens
    try rig.store.write(tokens, for: .legacy)
    let read = try #require(OktaAuthStateManager.readFromSecureStorage(environment: rig.environment))
    #expect(read.accessToken == "access-canary-1")
    #expect(try rig.store.keys() == [.legacy])
    try await read.renew()
    #expect(read.accessToken == "access-canary-2")
    try OktaAuthStateManager.clearAll(environment: rig.environment)
    #expect(try rig.store.keys().isEmpty)
    try rig.expectReplay()
  }

  @Test func `of two managers of one entry, the second takes what the first one got, without a request`() async throws {
    let rig = try OIDCRig()
    try await rig.signIn().writeToSecureStorageOrThrow()
    let managers = try (0..<2).map { _ in
      try #require(
        OktaAuthStateManager.readFromSecureStorage(for: rig.auth.configuration, environment: rig.environment))
    }
    let before = rig.provider.requests.count
    async let one = managers[0].renew()
    async let other = managers[1].renew()
    _ = try await (one, other)
    #expect(rig.provider.requests.count == before + 1)
    #expect(managers[0].accessToken == "access-canary-2" && managers[1].accessToken == "access-canary-2")
    #expect(managers[0].authState == managers[1].authState)
    try rig.expectReplay()
  }

  @Test(arguments: [(900, true), (2_000, true), (2_001, false)])
  func `tokens that seem a little older than those before them, since clocks count seconds, are taken all the same`(
    milliseconds: Int64, isTaken: Bool
  ) async throws {
    let rig = try OIDCRig()
    let manager = try await rig.signIn()
    try manager.writeToSecureStorageOrThrow()
    let key = StorageKey(rig.auth.configuration)
    var other = try #require(try rig.store.read(key))
    (other.accessToken, other.refreshToken) = ("access-canary-9", "refresh-canary-9")
    other.issued -= milliseconds * 1_000
    try rig.store.write(other, for: key)
    let before = rig.provider.requests.count
    try await manager.renew()
    #expect(rig.provider.requests.count == (isTaken ? before : before + 1))
    #expect((manager.accessToken == "access-canary-9") == isTaken)
    try rig.expectReplay()
  }

  @Test func `a store that refuses new tokens is an error, and the manager has them nevertheless`() async throws {
    let rig = try OIDCRig(store: StubbornStore())
    let manager = try await rig.signIn()
    #expect(await failure { try manager.writeToSecureStorageOrThrow() } == .storage(.unsafe(reason: "it is full")))
    manager.autoPersist = true
    #expect(await failure { try await manager.renew() } == .storage(.unsafe(reason: "it is full")))
    #expect(manager.accessToken == "access-canary-2" && manager.refreshToken == "refresh-canary-2")
    try rig.expectReplay()
  }

  @Test func `the server is asked of tokens and their user, and ends tokens`() async throws {
    let rig = try OIDCRig()
    let manager = try await rig.signIn()
    #expect(try await manager.introspect(token: manager.refreshToken)["active"] as? Bool == true)
    let user = try await manager.getUser()
    #expect(user["email"] as? String == "ann@acme.example" && user["groups"] as? [String] == ["staff"])
    try await manager.revoke(manager.accessToken)
    let hints = rig.tokenEvents.dropFirst().map { $0.data["hint"]?.string }
    #expect(hints == ["refresh_token", "access_token"])
    #expect(Set(rig.tokenEvents.map { $0.data["id"] }).count == 1)
    for token in [nil, ""] {
      #expect(await failure { try await manager.introspect(token: token) } == .noBearerToken)
      #expect(await failure { try await manager.revoke(token) } == .noBearerToken)
    }
    try rig.expectReplay()
  }

  @Test(arguments: ["", #"Basic realm="c, d", "#, "Negotiate YIIK==, ", "Digest nonce=x, qop=\"auth\", "])
  func `a refusal in a header is read, quoted commas and all, whatever challenge stands before it`(
    other: String
  ) async throws {
    let rig = try OIDCRig(
      TinyProvider { request, response in
        guard request.url.hasSuffix("/userinfo") else { return }
        let challenge =
          other + #"Bearer realm="a, b", error="insufficient_scope", error_description="no \"email\", no user""#
        response = HTTPResponse(status: 403, headers: [HTTPField("WWW-Authenticate", challenge)], body: [])
      })
    let manager = try await rig.signIn()
    let error = await failure { try await manager.getUser() }
    #expect(error?.oauthCode == "insufficient_scope" && error?.failure?.oauthDescription == #"no "email", no user"#)
    try rig.expectReplay()
  }

  @Test func `a refusal in a header of its own is read, behind that of another challenge`() async throws {
    let rig = try OIDCRig(
      TinyProvider { request, response in
        guard request.url.hasSuffix("/userinfo") else { return }
        let challenges = ["Negotiate", "Bearer error=\"invalid_token\""].map { HTTPField("WWW-Authenticate", $0) }
        response = HTTPResponse(status: 401, headers: challenges, body: [])
      })
    let manager = try await rig.signIn()
    #expect(await failure { try await manager.getUser() }?.oauthCode == "invalid_token")
    try rig.expectReplay()
  }

  /// A store that keeps nothing.
  private struct StubbornStore: TokenStore {
    private let memory = MemoryTokenStore()
    func read(_ key: StorageKey) throws(TokenStoreError) -> StoredTokens? { nil }
    func write(_ tokens: StoredTokens, for key: StorageKey) throws(TokenStoreError) {
      throw .unsafe(reason: "it is full")
    }
    func remove(_ key: StorageKey) throws(TokenStoreError) -> Bool { throw .unsafe(reason: "it is full") }
    func keys() throws(TokenStoreError) -> [StorageKey] { [] }
    func lock(_ key: StorageKey) async throws(TokenStoreError) -> TokenStoreLock { try await memory.lock(key) }
  }
}
