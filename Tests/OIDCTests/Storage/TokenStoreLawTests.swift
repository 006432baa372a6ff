import FlowRecording
import OIDC
import Testing

/// A store of each kind, for tests of what all of them must do.
struct TokenStoreMaker: Sendable, CustomTestStringConvertible {
  var testDescription: String
  var make: @Sendable (OwnFolder) throws -> any TokenStore

  static let all = [
    TokenStoreMaker(testDescription: "memory") { _ in MemoryTokenStore() },
    TokenStoreMaker(testDescription: "files") {
      try EncryptedFileStore(directory: $0.file("tokens"), key: .bytes(Array(0..<32)))
    },
    TokenStoreMaker(testDescription: "files with a key file") {
      try EncryptedFileStore(directory: $0.file("tokens"), key: .file)
    },
  ]
}

extension StoredTokens {
  /// Tokens of a test, with something in each member.
  static func sample(
    _ name: String = "1", issuer: String = "https://acme.example/oauth2/default", client: String = "0oa1"
  ) -> StoredTokens {
    var tokens = StoredTokens(
      id: name, issuer: issuer, clientID: client, tokenType: "Bearer", accessToken: "access-canary-\(name)",
      issued: 1_795_348_800_000_000)
    tokens.refreshToken = "refresh-canary-\(name)"
    tokens.idToken = "id-canary-\(name)"
    tokens.deviceSecret = "device-canary-\(name)"
    tokens.scope = "openid offline_access"
    tokens.expiry = 1_795_352_400_000_000
    tokens.algorithms = ["RS256"]
    tokens.endpoints.token = "\(issuer)/v1/token"
    tokens.endpoints.endSession = "\(issuer)/v1/logout"
    tokens.authorizationError = "invalid_grant"
    tokens.accessibility = "afterFirstUnlock"
    return tokens
  }
}

/// What every token store does.
@Suite struct TokenStoreLawTests {
  let folder: OwnFolder

  init() throws { folder = try OwnFolder() }

  @Test(arguments: TokenStoreMaker.all)
  func `what was stored is read, whole, until it is replaced or removed`(maker: TokenStoreMaker) throws {
    let store = try maker.make(folder)
    let (one, other) = (StoredTokens.sample(), StoredTokens.sample("2", client: "0oa_2"))
    #expect(try store.read(one.key) == nil && store.keys() == [])
    try store.write(one, for: one.key)
    try store.write(other, for: other.key)
    #expect(try store.read(one.key) == one && store.read(other.key) == other)
    #expect(try store.keys() == [one.key, other.key].sorted())
    try store.write(StoredTokens.sample("3"), for: one.key)
    #expect(try store.read(one.key)?.id == "3" && store.read(other.key) == other)
    #expect(try store.remove(one.key) && !store.remove(one.key))
    #expect(try store.read(one.key) == nil && store.keys() == [other.key])
  }

  @Test(arguments: TokenStoreMaker.all)
  func `tokens are added only where there are none, and replaced only where those are that are meant`(
    maker: TokenStoreMaker
  ) throws {
    let store = try maker.make(folder)
    let (one, two) = (StoredTokens.sample(), StoredTokens.sample("2"))
    #expect(try !store.replace("1", with: two, for: one.key))
    #expect(try store.keys() == [])
    #expect(try store.add(one, for: one.key))
    #expect(try !store.add(two, for: one.key))
    #expect(try !store.replace("2", with: two, for: one.key))
    #expect(try store.read(one.key) == one)
    #expect(try store.replace("1", with: two, for: one.key))
    #expect(try store.read(one.key) == two)
    #expect(try !store.remove("1", for: one.key))
    #expect(try store.read(one.key) == two)
    #expect(try store.remove("2", for: one.key) && !store.remove("2", for: one.key))
    #expect(try store.keys() == [])
    #expect(try store.add(two, for: one.key))
    #expect(try store.removeAll() == 1)
    #expect(try store.keys() == [])
  }

  @Test func `stored tokens do not show themselves`() {
    let tokens = StoredTokens.sample()
    var text = "\(tokens) \(String(reflecting: tokens))"
    dump(tokens, to: &text)
    #expect(!text.contains("canary") && text.contains("0oa1"))
  }

  @Test(arguments: TokenStoreMaker.all)
  func `of many tasks one has the lock at a time, and keys do not wait for each other`(maker: TokenStoreMaker)
    async throws
  {
    let store = try maker.make(folder)
    let (key, other) = (StorageKey(issuer: "https://a", clientID: "1"), StorageKey(issuer: "https://a", clientID: "2"))
    let held = Locked(0)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<20 {
        group.addTask {
          try await store.withLock(key) {
            #expect(
              held.withLock { count in
                count += 1; return count
              } == 1)
            await Task.yield()
            held.withLock { $0 -= 1 }
          }
        }
      }
      try await group.waitForAll()
    }
    let first = try await store.lock(key)
    let second = try await store.lock(other)
    first.release()
    second.release()
    first.release()
    try await store.lock(key).release()
  }

  @Test(arguments: TokenStoreMaker.all)
  func `who gives the wait up does not get the lock, and does not keep it from others`(maker: TokenStoreMaker)
    async throws
  {
    let store = try maker.make(folder)
    let key = StorageKey(issuer: "https://a", clientID: "1")
    let first = try await store.lock(key)
    let waiting = Task { try await store.lock(key) }
    waiting.cancel()
    await #expect(throws: TokenStoreError.cancelled) { try await waiting.value }
    let next = Task { try await store.lock(key) }
    first.release()
    try await next.value.release()
    // A lock that nothing holds on to any more is free.
    _ = try await store.lock(key)
    try await store.lock(key).release()
  }
}
