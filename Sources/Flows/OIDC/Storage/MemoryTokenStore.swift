// Tokens in memory, gone with the process: the default, and the double of tests.

import FlowRecording

/// Keeps tokens as long as the process lives.
public final class MemoryTokenStore: TokenStore {
  private let entries = Locked<[StorageKey: StoredTokens]>([:])
  private let queues = LockQueues<StorageKey>()

  /// A store without tokens.
  public init() {}

  /// The tokens of a key.
  ///
  /// - Throws: nothing.
  public func read(_ key: StorageKey) throws(TokenStoreError) -> StoredTokens? { entries.withLock { $0[key] } }

  /// Keeps tokens.
  ///
  /// - Throws: nothing.
  public func write(_ tokens: StoredTokens, for key: StorageKey) throws(TokenStoreError) {
    entries.withLock { $0[key] = tokens }
  }

  /// Keeps tokens unless the key has some.
  ///
  /// - Returns: false if it has.
  /// - Throws: nothing.
  public func add(_ tokens: StoredTokens, for key: StorageKey) throws(TokenStoreError) -> Bool {
    entries.withLock { entries in
      guard entries[key] == nil else { return false }
      entries[key] = tokens
      return true
    }
  }

  /// Keeps tokens in the place of those with an id.
  ///
  /// - Returns: false if no tokens with that id are there.
  /// - Throws: nothing.
  public func replace(
    _ id: String, with tokens: StoredTokens, for key: StorageKey
  ) throws(TokenStoreError) -> Bool {
    entries.withLock { entries in
      guard entries[key]?.id == id else { return false }
      entries[key] = tokens
      return true
    }
  }

  /// Removes tokens.
  ///
  /// - Throws: nothing.
  @discardableResult public func remove(_ key: StorageKey) throws(TokenStoreError) -> Bool {
    entries.withLock { $0.removeValue(forKey: key) != nil }
  }

  /// Removes tokens if they have an id.
  ///
  /// - Returns: false if no tokens with that id are there.
  /// - Throws: nothing.
  @discardableResult public func remove(_ id: String, for key: StorageKey) throws(TokenStoreError) -> Bool {
    entries.withLock { entries in
      guard entries[key]?.id == id else { return false }
      return entries.removeValue(forKey: key) != nil
    }
  }

  /// The keys, sorted.
  ///
  /// - Throws: nothing.
  public func keys() throws(TokenStoreError) -> [StorageKey] { entries.withLock { $0.keys.sorted() } }

  /// Waits for its turn.
  ///
  /// - Throws: `cancelled` if the task ends before.
  public func lock(_ key: StorageKey) async throws(TokenStoreError) -> TokenStoreLock {
    try await queues.turn(key)
    return TokenStoreLock { [queues] in queues.next(key) }
  }
}
