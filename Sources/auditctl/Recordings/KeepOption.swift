// What `minimise` keeps, as it is typed.

import AuditReports
import FlowRecording
import Foundation
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
  ///
  /// - Parameter unable: receives what happened to the first run that gave no verdict: the command is none that can be
  ///   run, or was killed. No more are run after it.
  static func test(running command: String, unable: Locked<String?>) -> @Sendable (Recording) -> Bool {
    { recording in
      guard unable.withLock({ $0 }) == nil else { return false }
      defer { CandidateFile.remove() }
      guard CandidateFile.write(recording) else {
        unable.withLock { if $0 == nil { $0 = "\(CandidateFile.path.printable) cannot be written for it" } }
        return false
      }
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/bin/sh")
      process.arguments = ["-c", "\(command) \"$@\"", "sh", CandidateFile.path]
      process.standardInput = FileHandle.nullDevice
      // Stdout is for what the command that minimizes prints.
      process.standardOutput = FileHandle.nullDevice
      let problem: String
      if (try? process.run()) == nil {
        problem = "/bin/sh cannot be run"
      } else {
        process.waitUntilExit()
        let status = process.terminationStatus
        switch (process.terminationReason, status) {
        case (.exit, 126), (.exit, 127): problem = "the shell cannot run it (exit \(status))"
        // As shells say that a command of theirs was killed by a signal.
        case (.exit, 129...192): problem = "signal \(status - 128) ended it"
        case (.exit, _): return status == 0
        case (_, _): problem = "signal \(status) ended it"
        }
      }
      unable.withLock { if $0 == nil { $0 = problem } }
      return false
    }
  }
}
