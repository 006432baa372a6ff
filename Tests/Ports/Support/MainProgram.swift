import Foundation

/// A program of top-level code, built beside the tests.
enum MainProgram {
  /// Runs it to its end.
  static func run(_ name: String, _ arguments: [String]) async throws -> (code: Int32, lines: [String]) {
    #if swift(>=6)
      let binary = name
    #else
      let binary = name + "-swift5"
    #endif
    let process = Process()
    process.executableURL = URL(fileURLWithPath: path(of: binary))
    process.arguments = arguments
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    // On a thread of its own: waiting for a program on the pool's threads would starve the org.
    let text = await withCheckedContinuation { continuation in
      onPlainThread { continuation.resume(returning: output.fileHandleForReading.readDataToEndOfFile()) }
    }
    process.waitUntilExit()
    let lines = String(decoding: text, as: UTF8.self).split(separator: "\n").map(String.init)
    return (process.terminationStatus, lines)
  }

  /// Beside the test bundle, wherever that was built.
  private static func path(of binary: String) -> String {
    let own = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
    for start in [own] + CommandLine.arguments + Bundle.allBundles.map(\.bundlePath) {
      var folder = URL(fileURLWithPath: start).deletingLastPathComponent()
      for _ in 0..<4 {
        let path = folder.appendingPathComponent(binary).path
        if FileManager.default.isExecutableFile(atPath: path) { return path }
        folder.deleteLastPathComponent()
      }
    }
    return binary
  }
}
