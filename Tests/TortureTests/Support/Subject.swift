import Foundation
import Glibc

/// A run of the program `store-subject`, whose output is read on the way.
final class Subject {
  /// How it ended.
  enum End: Hashable {
    case exit(Int32)
    case signal(Int32)
  }

  private let process = Process()
  private let output = Pipe()
  private let input = Pipe()
  private var text: [UInt8] = []

  /// Where the tests were built, and the program with them.
  static let program: String = {
    let places = [Bundle.main.bundlePath, CommandLine.arguments[0]].map {
      URL(fileURLWithPath: $0).deletingLastPathComponent().appendingPathComponent("store-subject").path
    }
    return places.first { FileManager.default.isExecutableFile(atPath: $0) } ?? "store-subject"
  }()

  /// Starts it; `before` is a command that runs it, with its arguments.
  init(_ arguments: [String], environment: [String: String] = [:], before: [String] = []) throws {
    let command = before + [Self.program] + arguments
    process.executableURL = URL(fileURLWithPath: command[0])
    process.arguments = Array(command.dropFirst())
    process.environment = ProcessInfo.processInfo.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
      .merging(environment) { $1 }
    process.standardOutput = output
    process.standardInput = input
    process.standardError = FileHandle.nullDevice
    try process.run()
  }

  deinit {
    if process.isRunning { _ = Glibc.kill(process.processIdentifier, SIGKILL) }
  }

  var identifier: Int32 { process.processIdentifier }

  /// Reads until it has said so many lines, or has ended.
  func read(lines count: Int) {
    while text.count(where: { $0 == 0x0A }) < count {
      let piece = output.fileHandleForReading.availableData
      if piece.isEmpty { return }
      text.append(contentsOf: piece)
    }
  }

  /// Ends its standard input.
  func endInput() { try? input.fileHandleForWriting.close() }

  /// Kills it where it is.
  func kill() { _ = Glibc.kill(process.processIdentifier, SIGKILL) }

  /// Reads all that it said, and waits for it. What was not said to its end was not said.
  func end() -> (lines: [String], end: End) {
    text.append(contentsOf: output.fileHandleForReading.readDataToEndOfFile())
    process.waitUntilExit()
    let lines = String(decoding: text, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
    let status = process.terminationStatus
    return (
      lines.dropLast().map(String.init), process.terminationReason == .exit ? .exit(status) : .signal(status)
    )
  }
}

/// True where a program is in the path.
func has(_ program: String) -> Bool {
  (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").contains {
    FileManager.default.isExecutableFile(atPath: "\($0)/\(program)")
  }
}

/// A directory that is there for one test.
final class Folder: Sendable {
  /// The directory, without symbolic links in its path.
  let path: String
  /// The store in it.
  var store: String { path + "/audit" }

  /// Makes one; with `inMemory` where files are kept in memory, if there is such a place.
  init(inMemory: Bool = false) throws {
    let memory = URL(fileURLWithPath: "/dev/shm")
    let isThere = inMemory && FileManager.default.isWritableFile(atPath: memory.path)
    let folder = (isThere ? memory : FileManager.default.temporaryDirectory.resolvingSymlinksInPath())
      .appendingPathComponent("torture-" + UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    path = folder.path
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// Removes the store.
  func clear() { try? FileManager.default.removeItem(atPath: store) }
}
