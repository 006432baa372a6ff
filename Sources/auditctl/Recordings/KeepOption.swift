// What `minimise` keeps, as it is typed.

import FlowRecording
import Foundation
import Glibc
import Replay

enum KeepOption {
  /// The condition that a word names; nil if it names none.
  static func condition(_ text: String) -> MinimiseCondition? {
    if text == "diverges" { return .diverges }
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2, !parts[1].isEmpty else { return nil }
    switch parts[0] {
    case "status": return .status(parts[1])
    case "outcome": return .outcome(parts[1])
    default: return nil
    }
  }

  /// A test by a command of the shell, which gets the path of a recording as its last argument and exits with 0 if it
  /// passes.
  static func test(running command: String) -> @Sendable (Recording) -> Bool {
    { recording in
      let path = FileManager.default.temporaryDirectory.appendingPathComponent(
        "flowrecorder-\(getpid())-candidate.ndjson.lz4"
      ).path
      defer { unlink(path) }
      guard (try? recording.write(to: path)) != nil else { return false }
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/bin/sh")
      process.arguments = ["-c", "\(command) \"$@\"", "sh", path]
      process.standardInput = FileHandle.nullDevice
      // Stdout is for what the command that minimizes prints.
      process.standardOutput = FileHandle.nullDevice
      guard (try? process.run()) != nil else { return false }
      process.waitUntilExit()
      return process.terminationReason == .exit && process.terminationStatus == 0
    }
  }
}
