// The token store seam: where tokens are kept when a process ends (oidc §9).

public import FlowRecording

/// Stores the tokens of an application.
public protocol TokenStore: Sendable {
  /// Returns the tokens for a key, or `nil` if there are none.
  func read(_ key: StorageKey) throws(TokenStoreError) -> StoredTokens?
  /// Stores tokens, replacing older ones. The write is atomic: until it returns, a crash leaves the old tokens;
  /// afterward, it leaves the new ones.
  func write(_ tokens: StoredTokens, for key: StorageKey) throws(TokenStoreError)
  /// Stores tokens unless there are already tokens for the key. A shared store should check and write in one step; the
  /// default implementation uses two.
  ///
  /// - Returns: `false` if there were tokens, which remain unchanged.
  func add(_ tokens: StoredTokens, for key: StorageKey) throws(TokenStoreError) -> Bool
  /// Replaces the tokens with a given ID. A shared store should implement this itself, checking and writing in one
  /// step: with the default implementation, tokens that are removed or stored by another sign-in between the two steps
  /// are overwritten. The old tokens are never removed first; they remain until `write` returns, even after a crash.
  ///
  /// - Returns: `false` if there are no tokens with that ID, because they were removed or belong to another sign-in. In
  ///   that case, nothing changes.
  func replace(_ id: String, with tokens: StoredTokens, for key: StorageKey) throws(TokenStoreError) -> Bool
  /// Removes tokens.
  ///
  /// - Returns: whether there were any.
  @discardableResult func remove(_ key: StorageKey) throws(TokenStoreError) -> Bool
  /// Removes the tokens with a given ID. As for `replace`, a shared store should do this in one step; the default
  /// implementation checks and then removes.
  ///
  /// - Returns: `false` if there are no tokens with that ID, in which case nothing changes.
  @discardableResult func remove(_ id: String, for key: StorageKey) throws(TokenStoreError) -> Bool
  /// Removes all tokens, including unreadable ones.
  ///
  /// - Returns: the number of entries.
  @discardableResult func removeAll() throws(TokenStoreError) -> Int
  /// Returns the keys of all stored tokens, sorted.
  func keys() throws(TokenStoreError) -> [StorageKey]
  /// Waits until no other holder, in this process or another, has the lock for a key.
  ///
  /// - Throws: `cancelled` if the task is cancelled first.
  func lock(_ key: StorageKey) async throws(TokenStoreError) -> TokenStoreLock
}

extension TokenStore {
  /// The default: checks and then writes.
  public func add(_ tokens: StoredTokens, for key: StorageKey) throws(TokenStoreError) -> Bool {
    guard try read(key) == nil else { return false }
    try write(tokens, for: key)
    return true
  }

  /// The default: checks and then overwrites the old tokens, in two steps between which others may remove or store
  /// tokens. As with `write`, there is no moment without tokens.
  public func replace(
    _ id: String, with tokens: StoredTokens, for key: StorageKey
  ) throws(TokenStoreError) -> Bool {
    guard try read(key)?.id == id else { return false }
    try write(tokens, for: key)
    return true
  }

  /// The default: checks and then removes.
  @discardableResult public func remove(_ id: String, for key: StorageKey) throws(TokenStoreError) -> Bool {
    guard try read(key)?.id == id else { return false }
    return try remove(key)
  }

  /// The default: removes the entries one after the other.
  @discardableResult public func removeAll() throws(TokenStoreError) -> Int {
    var count = 0
    for key in try keys() where try remove(key) { count += 1 }
    return count
  }

  /// Runs a closure while holding the lock for a key.
  ///
  /// - Throws: what `lock` and `body` throw.
  public func withLock<Value>(_ key: StorageKey, _ body: () async throws -> Value) async throws -> Value {
    let lock = try await lock(key)
    defer { lock.release() }
    return try await body()
  }
}

/// A lock that is held until it is released, or until this object is deallocated.
public final class TokenStoreLock: Sendable {
  private let end: Locked<(@Sendable () -> Void)?>

  /// Creates a lock that calls this closure once when it ends.
  public init(release: @escaping @Sendable () -> Void) { end = Locked(release) }

  deinit { release() }

  /// Releases the lock.
  public func release() {
    let last = end.withLock { end in
      defer { end = nil }
      return end
    }
    last?()
  }
}

/// The token store that flows use. By default, tokens are kept only as long as the process runs.
public enum TokenStoreSeam: FlowSeam {
  private static let process = MemoryTokenStore()
  /// The memory of this process.
  public static var live: any TokenStore { process }
}
