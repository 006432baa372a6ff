// The seam of token stores: where tokens are kept over the end of a process (oidc §9).

public import FlowRecording

/// Keeps the tokens of an application.
public protocol TokenStore: Sendable {
  /// The tokens of a key, or nil if there are none.
  func read(_ key: StorageKey) throws(TokenStoreError) -> StoredTokens?
  /// Stores tokens in the place of older ones: once it returns, the new ones stand, whatever stops the process; until then
  /// the old ones do.
  func write(_ tokens: StoredTokens, for key: StorageKey) throws(TokenStoreError)
  /// Stores tokens unless the key has some. A store that several use should look and write in one step; without an
  /// implementation of its own it does so in two.
  ///
  /// - Returns: false if the key has tokens; then those stay.
  func add(_ tokens: StoredTokens, for key: StorageKey) throws(TokenStoreError) -> Bool
  /// Stores tokens in the place of those with an id. A store that several use should look and write in one step, and have an
  /// implementation of its own: without one it looks and then writes, so that tokens which are removed, or stored by another
  /// sign-in, in between are overwritten. It never removes the old ones first: until `write` returns they stand, whatever
  /// stops the process.
  ///
  /// - Returns: false if no tokens with that id are there, as they were removed or are of another sign-in; then nothing changes.
  func replace(_ id: String, with tokens: StoredTokens, for key: StorageKey) throws(TokenStoreError) -> Bool
  /// Removes tokens.
  ///
  /// - Returns: whether there were any.
  @discardableResult func remove(_ key: StorageKey) throws(TokenStoreError) -> Bool
  /// Removes tokens if they have an id. Like `replace`, a store that several use should do it in one step; without an
  /// implementation of its own it looks and then removes.
  ///
  /// - Returns: false if no tokens with that id are there; then nothing changes.
  @discardableResult func remove(_ id: String, for key: StorageKey) throws(TokenStoreError) -> Bool
  /// Removes all tokens, also those that cannot be read.
  ///
  /// - Returns: how many entries there were.
  @discardableResult func removeAll() throws(TokenStoreError) -> Int
  /// The keys that tokens are kept under, sorted.
  func keys() throws(TokenStoreError) -> [StorageKey]
  /// Waits until no other holder, in this process or another one, has the lock of a key.
  ///
  /// - Throws: `cancelled` if the task ends before.
  func lock(_ key: StorageKey) async throws(TokenStoreError) -> TokenStoreLock
}

extension TokenStore {
  /// Looks, and then writes.
  public func add(_ tokens: StoredTokens, for key: StorageKey) throws(TokenStoreError) -> Bool {
    guard try read(key) == nil else { return false }
    try write(tokens, for: key)
    return true
  }

  /// Looks, and then writes over the old ones: two steps, between which others may remove or store tokens. What `write` promises
  /// holds for it too: at no time are there no tokens.
  public func replace(
    _ id: String, with tokens: StoredTokens, for key: StorageKey
  ) throws(TokenStoreError) -> Bool {
    guard try read(key)?.id == id else { return false }
    try write(tokens, for: key)
    return true
  }

  /// Looks, and then removes.
  @discardableResult public func remove(_ id: String, for key: StorageKey) throws(TokenStoreError) -> Bool {
    guard try read(key)?.id == id else { return false }
    return try remove(key)
  }

  /// Removes one after the other.
  @discardableResult public func removeAll() throws(TokenStoreError) -> Int {
    var count = 0
    for key in try keys() where try remove(key) { count += 1 }
    return count
  }

  /// Runs a step that no other process runs for the same key at the same time.
  ///
  /// - Throws: what `lock` and `body` throw.
  public func withLock<Value>(_ key: StorageKey, _ body: () async throws -> Value) async throws -> Value {
    let lock = try await lock(key)
    defer { lock.release() }
    return try await body()
  }
}

/// A lock that is held until it is released, or until nothing holds on to this object.
public final class TokenStoreLock: Sendable {
  private let end: Locked<(@Sendable () -> Void)?>

  /// A lock that ends by this closure, which is called once.
  public init(release: @escaping @Sendable () -> Void) { end = Locked(release) }

  deinit { release() }

  /// Lets go of the lock.
  public func release() {
    let last = end.withLock { end in
      defer { end = nil }
      return end
    }
    last?()
  }
}

/// Where flows find their token store. Until an application sets one, tokens live as long as the process.
public enum TokenStoreSeam: FlowSeam {
  private static let process = MemoryTokenStore()
  /// The memory of this process.
  public static var live: any TokenStore { process }
}
