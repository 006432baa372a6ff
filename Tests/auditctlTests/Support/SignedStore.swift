import EventStore
import Foundation
import Testing

/// A store of 20 records and `log.opened`, signed, in a folder of its own.
struct SignedStore {
  let folder: Folder
  /// The store, `audit` in the folder; its keys are `the.key` and `the.pub` beside it.
  let path: String

  init(sourceLocation: SourceLocation = #_sourceLocation) throws {
    folder = try Folder()
    path = folder("audit")
    let lines = (0..<20).map { "{\"stream\":\"s/\($0 % 3)\",\"type\":\"t\",\"data\":{\"i\":\($0)}}\n" }.joined()
    for (command, input) in [(["append"], lines), (["checkpoint", "--signing-key", folder("the.key")], "")] {
      let run = try Program.run(command + ["--store", path], input: input, in: folder)
      #expect(run.code == 0, "\(command): \(run.errors)", sourceLocation: sourceLocation)
    }
  }

  /// Runs a command in the folder.
  func run(_ arguments: String..., input: String = "") throws -> Run {
    try Program.run(arguments, input: input, in: folder)
  }

  /// Runs a line of the shell in the folder, in which `auditctl` is the program and `audit` the store.
  func shell(_ line: String) throws -> Run {
    let process = Process()
    let output = folder("shell.out")
    process.executableURL = URL(fileURLWithPath: "/bin/bash")
    process.arguments = ["-c", "auditctl() { \"$AUDITCTL\" \"$@\"; }\n" + line]
    process.environment = Program.environment(home: folder.path).merging(["AUDITCTL": Program.binary]) { $1 }
    process.currentDirectoryURL = URL(fileURLWithPath: folder.path)
    _ = FileManager.default.createFile(atPath: output, contents: nil)
    process.standardOutput = FileHandle(forWritingAtPath: output)
    try process.run()
    process.waitUntilExit()
    return Run(
      code: process.terminationStatus, output: try String(contentsOfFile: output, encoding: .utf8), errors: "")
  }
}
