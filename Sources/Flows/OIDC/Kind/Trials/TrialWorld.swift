// What the trials of the host side share: a time, seams of memory alone, a way to run asynchronous code at once.

import EventStore
import FlowRecording

/// What made-up inputs of the host side are tried in. Nothing of it is outside of the process, and nothing waits.
enum TrialWorld {
  /// When all is tried, in microseconds since 1970.
  static let now: Int64 = 1_768_467_641_000_000

  /// A time so many microseconds later.
  static func at(_ microseconds: Int64) -> Timestamp { Timestamp(microseconds: now + microseconds) }

  /// Seams of memory alone, so many microseconds later.
  static func environment(
    store: any TokenStore = MemoryTokenStore(), transport: any Transport = InertTransport(), later: Int64 = 0
  ) -> FlowEnvironment {
    let time = VirtualTime(start: at(later))
    var environment = FlowEnvironment(
      transport: transport, clock: time, entropy: SeededEntropy(seed: 7), timers: time, device: nil, userAgent: "agent")
    environment[TokenStoreSeam.self] = store
    environment[KeyCacheSeam.self] = KeyCache()
    environment[MetadataCacheSeam.self] = MetadataCache()
    environment[TokenLeaseSeam.self] = TokenLease()
    return environment
  }

  /// Runs asynchronous code on this thread.
  ///
  /// - Returns: what it comes to; nil if it waits for something that has not come.
  static func value<Value: Sendable>(_ body: @escaping @Sendable () async -> Value) -> Value? {
    let tasks = PlayedTasks()
    let result = Locked<Value?>(nil)
    tasks.run(0) {
      let value = await body()
      result.withLock { $0 = value }
    }
    tasks.runReady()
    return result.withLock { $0 }
  }

  /// What a draw came to.
  static func text(_ result: Result<JSON, DrawFailure>?) -> String {
    switch result {
    case .success(let value): value.text
    case .failure(let failure): "\(failure.reason.rawValue): \(failure.detail ?? "no detail")"
    case nil: "waits"
    }
  }

  /// A JWT whose signature is not looked at.
  static func token(_ claims: JSON) -> String {
    CompactJWS.signingInput(header: ["alg": "ES256", "kid": "key-1"], claims: claims) + ".c2ln"
  }
}

/// A store that fails.
struct FailingStore: TokenStore {
  let error: TokenStoreError

  func read(_ key: StorageKey) throws(TokenStoreError) -> StoredTokens? { throw error }
  func write(_ tokens: StoredTokens, for key: StorageKey) throws(TokenStoreError) { throw error }
  func remove(_ key: StorageKey) throws(TokenStoreError) -> Bool { throw error }
  func keys() throws(TokenStoreError) -> [StorageKey] { throw error }
  func lock(_ key: StorageKey) async throws(TokenStoreError) -> TokenStoreLock { throw error }

  /// An error of each kind.
  static let errors: [TokenStoreError] = [
    .wrongKey(path: "/place"), .damaged(path: "/place"), .unknownVersion(path: "/place"), .unsafe(reason: "why"),
    .system(reason: "why", number: 28), .unavailable(reason: "why"), .cancelled,
  ]
}
