// What the parts of the push authenticator beside its core make of fixed inputs, for the digests of recordings. A replay takes
// what they said from the recording, and so comes by none of them: storage, keys, verifiers, plug-ins, feeds, loggers.

import EventStore
import FlowRecording

/// Tables of the host's side of a device: a line for each input, and what came of it.
enum HostTables {
  /// Lines whose order counts.
  static func numbered(_ lines: [String]) -> Set<String> {
    Set(lines.enumerated().map { number, line in "\(number) \(line)" })
  }

  /// A line of a table.
  static func line(_ input: String, _ output: String?) -> String { "\(input) | \(output ?? "none")" }

  /// What asynchronous code comes to that waits for nothing; it runs on this thread. Nil if it waits nevertheless.
  static func outcome<Value: Sendable>(_ body: @escaping @Sendable () async -> Value) -> Value? {
    let (tasks, outcome) = (PlayedTasks(), Locked<Value?>(nil))
    tasks.run(0) {
      let value = await body()
      outcome.withLock { $0 = value }
    }
    tasks.runReady()
    return outcome.withLock { $0 }
  }

  /// Seams in which nothing happens by itself.
  static var environment: FlowEnvironment {
    let time = VirtualTime(start: HostSamples.time())
    return FlowEnvironment(
      transport: InertTransport(), clock: time, entropy: SeededEntropy(seed: 7), timers: time, device: nil,
      userAgent: "agent")
  }

  // MARK: Values as texts

  /// Why a draw has no value.
  static func show(_ failure: DrawFailure) -> String { "\(failure.reason.rawValue): \(failure.detail ?? "-")" }

  /// The value of a draw.
  static func show(_ result: Result<JSON, DrawFailure>) -> String {
    switch result {
    case .success(let value): value.text
    case .failure(let failure): show(failure)
    }
  }

  /// A failed storage, as a draw and as an application have it.
  static func show(_ failure: StorageFailure) -> String {
    let error = DeviceAuthenticatorError(failure)
    return "\(show(DrawFailure(failure))) | \(error.errorCode) \(error.description)"
  }

  /// A failed key store.
  static func show(_ failure: KeyStoreError) -> String {
    let text =
      switch failure {
      case .notFound(let tag): "notFound \(tag)"
      case .invalidated(let tag): "invalidated \(tag)"
      case .notVerified(let tag): "notVerified \(tag)"
      case .lockedOut(let tag): "lockedOut \(tag)"
      case .notMade(let tag, let reason): "notMade \(tag): \(reason)"
      case .unavailable(let reason): "unavailable: \(reason)"
      }
    return "\(text) | \(show(DrawFailure(failure)))"
  }

  /// A transaction with all that is known of it.
  static func show(_ transaction: StoredTransaction?) -> String {
    guard let transaction else { return "none" }
    let head = "\(transaction.id) \(transaction.enrollmentID) \(transaction.fingerprint) \(transaction.stream)"
    let answer = "\(transaction.response ?? "-") \(transaction.responseExpiry.map { String($0) } ?? "-")"
    return "\(head) \(transaction.stage.rawValue) \(answer) \(transaction.expiry)"
  }

  /// How asking a person ended, with what opens keys.
  static func show(_ outcome: VerificationOutcome?) -> String {
    switch outcome {
    case .verified(let receipt):
      "verified \(receipt.description) \(DeviceTexts.hex(receipt.secret)) \(DeviceTexts.hex(receipt.epoch))"
    case .cancelled: "cancelled"
    case .failed: "failed"
    case .lockedOut: "lockedOut"
    case .notSetUp: "notSetUp"
    case .timedOut: "timedOut"
    case nil: "waits"
    }
  }
}
