import EventStore
import FlowRecording
import OIDC
import Testing

/// Keys of older versions, row by row of oidc §9.3.
@Suite struct TokenStoreMigrationTests {
  private let store = MemoryTokenStore()
  private let issuer = "https://acme.example/oauth2/default"
  private let client = "0oa_1"

  private var key: StorageKey { StorageKey(issuer: issuer, clientID: client) }

  private func put(_ text: String, issuer: String? = nil, _ change: (inout StoredTokens) -> Void = { _ in }) throws {
    var tokens = StoredTokens.sample(text, issuer: issuer ?? self.issuer, client: client)
    change(&tokens)
    try store.write(tokens, for: StorageKey(older: text))
  }

  private func found() throws -> String? { try store.tokens(issuer: issuer, clientID: client)?.id }

  @Test func `the right key comes first, and leaves the others`() throws {
    try store.write(StoredTokens.sample("new", client: client), for: key)
    try put(client)
    #expect(try found() == "new")
    #expect(try store.keys().count == 2)
  }

  @Test func `an issuer as it was configured comes next, with its slash and without, and moves`() throws {
    for text in ["\(issuer)/_\(client)", "\(issuer)_\(client)"] {
      try put(text)
      #expect(try found() == text)
      #expect(try store.keys() == [key])
      #expect(try store.read(key)?.refreshToken == "refresh-canary-\(text)")
      try store.remove(key)
    }
  }

  @Test func `the client id alone comes last, if the entry is of this issuer`() throws {
    try put(client)
    try put("\(issuer)_\(client)")
    #expect(try found() == "\(issuer)_\(client)")
    #expect(try store.keys() == [StorageKey(older: client), key].sorted())
    try store.remove(key)
    #expect(try found() == client)
    #expect(try store.keys() == [key])
  }

  /// A store in which another process moves the tokens, and renews them, once this one has read the older entry.
  private struct RacedStore: TokenStore {
    let memory = MemoryTokenStore()
    let older: StorageKey
    let renewed: StoredTokens
    func read(_ key: StorageKey) throws(TokenStoreError) -> StoredTokens? {
      let found = try memory.read(key)
      if key == older, found != nil {
        try memory.write(renewed, for: renewed.key)
        try memory.remove(older)
      }
      return found
    }
    func write(_ tokens: StoredTokens, for key: StorageKey) throws(TokenStoreError) {
      try memory.write(tokens, for: key)
    }
    func remove(_ key: StorageKey) throws(TokenStoreError) -> Bool { try memory.remove(key) }
    func keys() throws(TokenStoreError) -> [StorageKey] { try memory.keys() }
    func lock(_ key: StorageKey) async throws(TokenStoreError) -> TokenStoreLock { try await memory.lock(key) }
  }

  @Test func `a move does not replace tokens that another process has moved and renewed meanwhile`() throws {
    let older = StorageKey(older: client)
    let raced = RacedStore(older: older, renewed: StoredTokens.sample("renewed", issuer: issuer, client: client))
    try raced.write(StoredTokens.sample("old", issuer: issuer, client: client), for: older)
    #expect(try raced.tokens(issuer: issuer, clientID: client)?.id == "renewed")
    #expect(try raced.memory.read(key)?.id == "renewed")
    #expect(try raced.keys() == [key])
  }

  /// A store in which something happens at one step of a move: after the older entry was read, or before the new one is added.
  private final class StoppedStore: TokenStore {
    let memory = MemoryTokenStore()
    let older: StorageKey
    let step: Locked<(@Sendable (StoppedStore) throws -> Void)?>
    init(older: StorageKey, step: @escaping @Sendable (StoppedStore) throws -> Void) {
      self.older = older
      self.step = Locked(step)
    }
    func read(_ key: StorageKey) throws(TokenStoreError) -> StoredTokens? {
      let found = try memory.read(key)
      guard key == older, found != nil else { return found }
      let step = step.withLock { step in
        defer { step = nil }
        return step
      }
      _ = try? step?(self)
      return found
    }
    func write(_ tokens: StoredTokens, for key: StorageKey) throws(TokenStoreError) {
      try memory.write(tokens, for: key)
    }
    func remove(_ key: StorageKey) throws(TokenStoreError) -> Bool { try memory.remove(key) }
    func keys() throws(TokenStoreError) -> [StorageKey] { try memory.keys() }
    func lock(_ key: StorageKey) async throws(TokenStoreError) -> TokenStoreLock { try await memory.lock(key) }
  }

  @Test func `a move does not bring back tokens that were signed out meanwhile`() throws {
    let (issuer, client, older) = (issuer, client, StorageKey(older: client))
    let stopped = StoppedStore(older: older) { _ = try $0.removeTokens(issuer: issuer, clientID: client) }
    try stopped.write(StoredTokens.sample("old", issuer: issuer, client: client), for: older)
    #expect(try stopped.tokens(issuer: issuer, clientID: client) == nil)
    #expect(try stopped.keys() == [])
  }

  @Test func `a sign-out removes tokens that are moved meanwhile`() throws {
    let (issuer, client, older) = (issuer, client, StorageKey(older: client))
    let stopped = StoppedStore(older: older) { _ = try $0.tokens(issuer: issuer, clientID: client) }
    try stopped.write(StoredTokens.sample("old", issuer: issuer, client: client), for: older)
    #expect(try stopped.removeTokens(issuer: issuer, clientID: client))
    #expect(try stopped.keys() == [])
  }

  @Test func `an older entry that cannot be read keeps none of the others`() throws {
    let folder = try OwnFolder()
    let store = try EncryptedFileStore(directory: folder.file("tokens"), key: .bytes(Array(0..<32)))
    try store.write(StoredTokens.sample("old", issuer: issuer, client: client), for: StorageKey(older: client))
    let name = try #require(try folder.names(in: "tokens").first { $0.hasPrefix("t-") })
    try store.write(StoredTokens.sample("new", issuer: issuer, client: client), for: key)
    try folder.write("{", to: "tokens/\(name)")
    #expect(throws: TokenStoreError.self) { try store.removeTokens(issuer: issuer, clientID: client) }
    #expect(try store.read(key) == nil)
  }

  @Test func `two issuers with one client id do not get each other's tokens`() throws {
    try put(client, issuer: "https://other.example")
    #expect(try found() == nil)
    #expect(try store.keys() == [StorageKey(older: client)])
    #expect(try store.tokens(issuer: "https://OTHER.example/", clientID: client)?.id == client)
  }

  @Test func `an entry without an issuer is taken, unless its ID token names another`() throws {
    func payload(_ issuer: String) -> String {
      "e30." + Base64URL.encode((["iss": .string(issuer)] as JSON).bytes) + ".AA"
    }
    try put(client, issuer: "") { $0.idToken = payload("https://other.example") }
    #expect(try found() == nil)
    try put(client, issuer: "") { $0.idToken = payload("https://acme.example/oauth2/default/") }
    #expect(try found() == client)
    #expect(try store.read(key)?.issuer == issuer)
    try store.remove(key)
    try put(client, issuer: "") { $0.idToken = nil }
    #expect(try found() == client)
  }

  @Test func `the legacy key is read and stays where it is`() throws {
    #expect(StorageKey.legacy.text == "OktaAuthStateManager")
    try put("OktaAuthStateManager")
    #expect(try found() == nil)
    #expect(try store.read(.legacy)?.id == "OktaAuthStateManager")
    #expect(try store.keys() == [.legacy])
  }

  @Test func `removal takes every form of this client's entry, and no other`() throws {
    try store.write(StoredTokens.sample("new", client: client), for: key)
    try put("\(issuer)/_\(client)")
    try put(client, issuer: "https://other.example")
    try put("OktaAuthStateManager")
    #expect(try store.removeTokens(issuer: issuer, clientID: client))
    #expect(try store.keys() == [.legacy, StorageKey(older: client)].sorted())
    #expect(try !store.removeTokens(issuer: issuer, clientID: client))
  }
}
