// Shared by the trials of the host side: a time, in-memory seams, and a way to run async code immediately.

import EventStore
import FlowRecording

/// The environment for made-up inputs of the host side. It stays within the process and never waits.
enum TrialWorld {
  /// The time of all trials, in microseconds since 1970.
  static let now: Int64 = 1_768_467_641_000_000

  /// A time this many microseconds later.
  static func at(_ microseconds: Int64) -> Timestamp { Timestamp(microseconds: now + microseconds) }

  /// In-memory seams, this many microseconds later.
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

  /// Runs async code on this thread.
  ///
  /// - Returns: the result; `nil` if the code suspends.
  static func value<Value: Sendable>(_ body: @escaping @Sendable () async -> Value) -> Value? {
    PlayedTasks.outcome(body)
  }

  /// The result of a draw as text.
  static func text(_ result: Result<JSON, DrawFailure>?) -> String {
    switch result {
    case .success(let value): value.text
    case .failure(let failure): "\(failure.reason.rawValue): \(failure.detail ?? "no detail")"
    case nil: "waits"
    }
  }

  /// A JWT whose signature is not verified.
  static func token(_ claims: JSON) -> String {
    CompactJWS.signingInput(header: ["alg": "ES256", "kid": "key-1"], claims: claims) + ".c2ln"
  }
}

/// A store whose operations fail.
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
