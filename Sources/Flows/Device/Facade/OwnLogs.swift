// The logs of authenticators that keep their own.

import FlowRecording

/// Recorders of this process by their directories: a log has one writer, and an application may make an authenticator twice.
enum OwnLogs {
  private struct Key: Hashable {
    var directory: String
    var auditing: Auditing
  }
  private static let recorders = Locked<[Key: LogRecorder]>([:])

  /// The recorder of a directory, for the life of the process.
  static func recorder(at directory: String, _ auditing: Auditing) -> LogRecorder {
    recorders.withLock { recorders in
      let key = Key(directory: directory, auditing: auditing)
      let recorder = recorders[key] ?? LogRecorder(directory: directory, auditing: auditing)
      recorders[key] = recorder
      return recorder
    }
  }
}
