// The logs of authenticators that have no recorder from the application.

import FlowRecording

/// The recorders of this process, keyed by directory: a log has only one writer, and an application may create an
/// authenticator twice.
enum OwnLogs {
  private struct Key: Hashable {
    var directory: String
    var auditing: Auditing
  }
  private static let recorders = Locked<[Key: LogRecorder]>([:])

  /// Returns the recorder for a directory, which lives as long as the process.
  static func recorder(at directory: String, _ auditing: Auditing) -> LogRecorder {
    recorders.withLock { recorders in
      let key = Key(directory: directory, auditing: auditing)
      let recorder = recorders[key] ?? LogRecorder(directory: directory, auditing: auditing)
      recorders[key] = recorder
      return recorder
    }
  }
}
