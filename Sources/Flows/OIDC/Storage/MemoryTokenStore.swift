// Tokens in memory, which are lost when the process ends: the default, and a test double.

import FlowRecording

/// Keeps tokens as long as the process runs.
public final class MemoryTokenStore: TokenStore {
  private let entries = Locked<[StorageKey: StoredTokens]>([:])
  private let queues = LockQueues<StorageKey>()

  /// Creates an empty store.
  public init() {}

  /// Returns the tokens for a key, or `nil` if there are none.
  ///
  /// - Throws: never.
  public func read(_ key: StorageKey) throws(TokenStoreError) -> StoredTokens? { entries.withLock { $0[key] } }

  /// Stores tokens.
  ///
  /// - Throws: never.
  public func write(_ tokens: StoredTokens, for key: StorageKey) throws(TokenStoreError) {
    entries.withLock { $0[key] = tokens }
  }

  /// Stores tokens unless there are already tokens for the key.
  ///
  /// - Returns: `false` if there were tokens, which remain unchanged.
  /// - Throws: never.
  public func add(_ tokens: StoredTokens, for key: StorageKey) throws(TokenStoreError) -> Bool {
    entries.withLock { entries in
      guard entries[key] == nil else { return false }
      entries[key] = tokens
      return true
    }
  }

  /// Replaces the tokens with a given ID.
  ///
  /// - Returns: `false` if there are no tokens with that ID.
  /// - Throws: never.
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
  /// - Throws: never.
  @discardableResult public func remove(_ key: StorageKey) throws(TokenStoreError) -> Bool {
    entries.withLock { $0.removeValue(forKey: key) != nil }
  }

  /// Removes the tokens with a given ID.
  ///
  /// - Returns: `false` if there are no tokens with that ID.
  /// - Throws: never.
  @discardableResult public func remove(_ id: String, for key: StorageKey) throws(TokenStoreError) -> Bool {
    entries.withLock { entries in
      guard entries[key]?.id == id else { return false }
      return entries.removeValue(forKey: key) != nil
    }
  }

  /// Returns the keys of all stored tokens, sorted.
  ///
  /// - Throws: never.
  public func keys() throws(TokenStoreError) -> [StorageKey] { entries.withLock { $0.keys.sorted() } }

  /// Waits for the lock for a key.
  ///
  /// - Throws: `cancelled` if the task is cancelled first.
  public func lock(_ key: StorageKey) async throws(TokenStoreError) -> TokenStoreLock {
    try await queues.turn(key)
    return TokenStoreLock { [queues] in queues.next(key) }
  }
}
