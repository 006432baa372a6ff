import EventStore
import FlowRecording

/// Why the second place of checkpoints has no copy, if it has none. The log continues without it; a command that was
/// asked for the copy says so at its end.
final class SecondPlaceProblem: LogMetrics {
  private let found = Locked<StoreError?>(nil)

  func record(_ measurement: LogMeasurement) {
    if case .checkpointFailed(let error) = measurement { found.withLock { $0 = error } }
  }

  /// How a log is opened that is to keep its latest note in `directory` too, if one is given.
  func options(also directory: String?, signedBy key: SigningKey) -> EventLog.Options {
    guard let directory else { return EventLog.Options() }
    return EventLog.Options(
      checkpoints: CheckpointSchedule(key: key, every: nil, onClose: false, also: directory), metrics: self)
  }

  /// Throws the error of the second place after the note is signed.
  func raise() throws {
    guard var error = found.withLock({ $0 }) else { return }
    error.message = "the note is signed, but the second place has no copy: " + error.message
    // The place is one to write to.
    throw error.code == .notFound || error.code == .permission
      ? StoreError(.cannotCreate, error.message, file: error.file, advice: error.advice) : error
  }
}
