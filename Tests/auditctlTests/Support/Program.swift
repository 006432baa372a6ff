// Runs the real binary, as a shell does.

import Foundation
import Glibc
import Testing

/// What a run came to.
struct Run {
  var code: Int32
  var output: String
  var errors: String

  var lines: [String] { output.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init) }
}

/// The built program.
enum Program {
  /// Beside the test bundle, wherever that was built.
  static let binary: String = {
    let own = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
    let candidates = [own] + CommandLine.arguments + Bundle.allBundles.map(\.bundlePath)
    for path in candidates {
      var directory = URL(fileURLWithPath: path).deletingLastPathComponent()
      for _ in 0..<4 {
        let binary = directory.appendingPathComponent("auditctl").path
        var isDirectory: ObjCBool = false
        if FileManager.default.fileExists(atPath: binary, isDirectory: &isDirectory), !isDirectory.boolValue {
          return binary
        }
        directory.deleteLastPathComponent()
      }
    }
    return "auditctl"
  }()

  /// Whether another program is in the path.
  static func has(_ program: String) -> Bool {
    (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
      .contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(program)") }
  }

  /// True where strace is in the path.
  static let hasStrace = has("strace")

  /// The environment of every run: a home of its own, no colours asked for. The time is that of the tests, also where
  /// `make test-dates` lets them live on another day.
  static func environment(home: String) -> [String: String] {
    let own = ProcessInfo.processInfo.environment
    let clock = own.filter { name, _ in name == "LD_PRELOAD" || name == "TZ" || name.hasPrefix("FAKETIME") }
    return [
      "HOME": home, "PATH": own["PATH"] ?? "/usr/bin:/bin", "TMPDIR": home, "LANG": "C.UTF-8",
      "SWIFT_BACKTRACE": "enable=no",
    ].merging(clock) { kept, _ in kept }
  }

  /// Runs to the end on a thread of its own: for a program that an org of this process has to answer, which needs the
  /// threads of asynchronous code.
  static func runAside(
    _ arguments: [String], input: String = "", environment: [String: String] = [:], in folder: Folder
  ) async throws -> Run {
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread {
        continuation.resume(with: Result { try run(arguments, input: input, environment: environment, in: folder) })
      }
    }
  }

  /// Runs to the end. Output goes through files, so that no pipe can fill up.
  static func run(
    _ arguments: [String], input: String = "", environment more: [String: String] = [:], in folder: Folder
  ) throws -> Run {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: binary)
    process.arguments = arguments
    process.environment = environment(home: folder.path).merging(more) { $1 }
    process.currentDirectoryURL = URL(fileURLWithPath: folder.path)
    let name = UUID().uuidString
    let (inPath, outPath, errPath) = (
      "\(folder.path)/\(name).in", "\(folder.path)/\(name).out", "\(folder.path)/\(name).err"
    )
    for (path, text) in [(inPath, input), (outPath, ""), (errPath, "")] {
      try text.write(toFile: path, atomically: false, encoding: .utf8)
    }
    process.standardInput = FileHandle(forReadingAtPath: inPath)
    process.standardOutput = FileHandle(forWritingAtPath: outPath)
    process.standardError = FileHandle(forWritingAtPath: errPath)
    try process.run()
    process.waitUntilExit()
    defer { for path in [inPath, outPath, errPath] { unlink(path) } }
    return Run(
      code: process.terminationReason == .exit ? process.terminationStatus : 128 + process.terminationStatus,
      output: try String(contentsOfFile: outPath, encoding: .utf8),
      errors: try String(contentsOfFile: errPath, encoding: .utf8))
  }
}

/// A directory of one test, removed with it.
final class Folder: Sendable {
  let path: String

  init() throws {
    path = NSTemporaryDirectory() + "/auditctl-tests-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// A path in it.
  func callAsFunction(_ name: String) -> String { "\(path)/\(name)" }

  /// A file in it.
  func write(_ text: String, to name: String) throws -> String {
    try text.write(toFile: self(name), atomically: false, encoding: .utf8)
    return self(name)
  }
}
