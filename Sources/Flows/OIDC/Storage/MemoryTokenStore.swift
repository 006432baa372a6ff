// Tokens in memory, gone with the process: the default, and the double of tests.

import FlowRecording

/// Keeps tokens as long as the process lives.
public final class MemoryTokenStore: TokenStore {
  private let entries = Locked<[StorageKey: StoredTokens]>([:])
  private let queues = LockQueues<StorageKey>()

  /// A store without tokens.
  public init() {}

  /// The tokens of a key.
  public func read(_ key: StorageKey) throws(TokenStoreError) -> StoredTokens? { entries.withLock { $0[key] } }

  /// Keeps tokens.
  public func write(_ tokens: StoredTokens, for key: StorageKey) throws(TokenStoreError) {
    entries.withLock { $0[key] = tokens }
  }

  /// Removes tokens.
  @discardableResult public func remove(_ key: StorageKey) throws(TokenStoreError) -> Bool {
    entries.withLock { $0.removeValue(forKey: key) != nil }
  }

  /// The keys, sorted.
  public func keys() throws(TokenStoreError) -> [StorageKey] { entries.withLock { $0.keys.sorted() } }

  /// Waits for its turn.
  public func lock(_ key: StorageKey) async throws(TokenStoreError) -> TokenStoreLock {
    try await queues.turn(key)
    return TokenStoreLock { [queues] in queues.next(key) }
  }
}
