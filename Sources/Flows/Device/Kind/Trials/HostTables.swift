// The results of the parts of the push authenticator outside its core for fixed inputs, for the digests of recordings.
// A replay takes these results from the recording instead of running the parts: storage, keys, verifiers, plug-ins,
// notification feeds, and loggers.

import EventStore
import FlowRecording

/// Tables of the host side of a device: one line per input, with its result.
enum HostTables {
  /// Numbers lines whose order matters.
  static func numbered(_ lines: [String]) -> Set<String> {
    Set(lines.enumerated().map { number, line in "\(number) \(line)" })
  }

  /// A line of a table.
  static func line(_ input: String, _ output: String?) -> String { "\(input) | \(output ?? "none")" }

  /// The result of async code that does not suspend, run on this thread; `nil` if it does suspend.
  static func outcome<Value: Sendable>(_ body: @escaping @Sendable () async -> Value) -> Value? {
    PlayedTasks.outcome(body)
  }

  /// Seams in which nothing happens on its own.
  static var environment: FlowEnvironment {
    let time = VirtualTime(start: HostSamples.time())
    return FlowEnvironment(
      transport: InertTransport(), clock: time, entropy: SeededEntropy(seed: 7), timers: time, device: nil,
      userAgent: "agent")
  }

  // MARK: Values as text

  /// Why a draw failed.
  static func show(_ failure: DrawFailure) -> String { "\(failure.reason.rawValue): \(failure.detail ?? "-")" }

  /// The value of a draw.
  static func show(_ result: Result<JSON, DrawFailure>) -> String {
    switch result {
    case .success(let value): value.text
    case .failure(let failure): show(failure)
    }
  }

  /// A storage failure, as a draw and as an application see it.
  static func show(_ failure: StorageFailure) -> String {
    let error = DeviceAuthenticatorError(failure)
    return "\(show(DrawFailure(failure))) | \(error.errorCode) \(error.description)"
  }

  /// A key store failure.
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

  /// A transaction with everything that is known about it.
  static func show(_ transaction: StoredTransaction?) -> String {
    guard let transaction else { return "none" }
    let head = "\(transaction.id) \(transaction.enrollmentID) \(transaction.fingerprint) \(transaction.stream)"
    let answer = "\(transaction.response ?? "-") \(transaction.responseExpiry.map { String($0) } ?? "-")"
    return "\(head) \(transaction.stage.rawValue) \(answer) \(transaction.expiry)"
  }

  /// The result of asking a person, including the secret that opens keys.
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
