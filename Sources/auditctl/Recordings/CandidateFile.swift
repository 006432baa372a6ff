// The recording that a command of `minimise --exec` looks at.

import FlowRecording
import Foundation
import Glibc
import Replay

/// A file in the folder for temporary files, one at a time. Personal data is readable in it, so it never stays behind.
enum CandidateFile {
  static let path = FileManager.default.temporaryDirectory.appendingPathComponent(
    "flowrecorder-\(getpid())-candidate.ndjson.lz4"
  ).path

  /// Held while the file is written, so that a signal does not leave half of it.
  private static let turn = Locked(())

  /// From now on the first signal removes the file and ends the program.
  static func removeAtInterruption() {
    Interruption.atFirst {
      turn.withLock { _ in
        unlink(path)
        // The lock stays taken: no other file is written.
        _exit(ExitStatus.interrupted.rawValue)
      }
    }
  }

  /// Writes a recording into the file.
  ///
  /// - Returns: whether it could be written.
  static func write(_ recording: Recording) -> Bool {
    turn.withLock { _ in (try? recording.write(to: path)) != nil }
  }

  /// Removes the file.
  static func remove() { unlink(path) }
}
