import Foundation
import Glibc

/// A run of the program `device-store-subject`, or of another one beside it.
final class StoreProcess {
  private let process = Process()
  private let output = Pipe()
  private var text: [UInt8] = []

  /// Where the tests were built, and the program with them.
  private static func path(of program: String) -> String {
    let places = [Bundle.main.bundlePath, CommandLine.arguments[0]].map {
      URL(fileURLWithPath: $0).deletingLastPathComponent().appendingPathComponent(program).path
    }
    return places.first { FileManager.default.isExecutableFile(atPath: $0) } ?? program
  }

  init(_ arguments: String..., program: String = "device-store-subject") throws {
    process.executableURL = URL(fileURLWithPath: Self.path(of: program))
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
    process.standardOutput = output
    process.standardInput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
  }

  deinit { if process.isRunning { _ = Glibc.kill(process.processIdentifier, SIGKILL) } }

  /// Reads until it has said so many lines, or has ended.
  func read(lines count: Int) {
    while text.count(where: { $0 == 0x0A }) < count {
      let piece = output.fileHandleForReading.availableData
      if piece.isEmpty { return }
      text.append(contentsOf: piece)
    }
  }

  /// Kills it where it is.
  func kill() { send(SIGKILL) }

  /// Sends it a signal.
  func send(_ signal: Int32) { _ = Glibc.kill(process.processIdentifier, signal) }

  /// Reads all that it said, and waits for it.
  ///
  /// - Returns: the lines that were said to their end, and the exit code; minus the signal if one ended it.
  func end() -> (lines: [String], code: Int32) {
    text.append(contentsOf: output.fileHandleForReading.readDataToEndOfFile())
    process.waitUntilExit()
    let lines = String(decoding: text, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
    let status = process.terminationStatus
    return (lines.dropLast().map(String.init), process.terminationReason == .exit ? status : -status)
  }
}
