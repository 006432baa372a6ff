import Foundation
import Testing

@testable import EventStore

/// A directory that is there for one test.
final class TemporaryStore: Sendable {
  /// The directory; the store itself is `path`.
  let folder: String
  var path: String { folder + "/audit" }

  init() throws {
    folder = NSTemporaryDirectory() + "eventstore-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  /// The paths of the segment files, in order.
  func segments(in store: String? = nil) throws -> [String] {
    let directory = (store ?? path) + "/segments"
    let names = try FileManager.default.contentsOfDirectory(atPath: directory).filter {
      SegmentName.first(of: $0) != nil
    }
    return names.sorted().map { directory + "/" + $0 }
  }

  /// A copy of the store as it is now on disk: what a SIGKILL would leave.
  func copy(_ name: String = "copy") throws -> String {
    let target = folder + "/" + name
    try? FileManager.default.removeItem(atPath: target)
    try FileManager.default.copyItem(atPath: path, toPath: target)
    return target
  }
}

/// The bytes of a file.
func bytes(of path: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(fileURLWithPath: path))) }

/// Writes a file.
func write(_ bytes: [UInt8], to path: String) throws { try Data(bytes).write(to: URL(fileURLWithPath: path)) }

/// A time that a test can name.
let noon = Timestamp(microseconds: 1_795_255_200_000_000)

/// A record of `stream` with a recognisable content.
func record(_ stream: String, _ text: String = "hello", type: String = "note.added", cause: Cause? = nil) -> NewRecord {
  NewRecord(at: noon, stream: stream, type: type, cause: cause, data: Array("{\"text\":\"\(text)\"}".utf8))
}

/// All records of a store, from `position` on.
func records(in path: String, from position: UInt64 = 0) throws -> [StoredRecord] {
  var cursor = try LogReader(directory: path).cursor(from: position)
  var all: [StoredRecord] = []
  while let record = try cursor.next() { all.append(record) }
  return all
}

/// The text of lines, each with its line end.
func text(_ records: [StoredRecord]) -> [UInt8] { records.flatMap { $0.line + [0x0A] } }

/// Waits at a barrier in a mode that answers at once.
func pass(_ log: EventLog, _ ticket: Ticket, _ location: SourceLocation = #_sourceLocation) {
  #expect(log.barrier(ticket) { _ in } == .passed, sourceLocation: location)
}

/// What a program printed and how it ended.
struct Outcome {
  var status: Int32
  var output: [UInt8]
  var errors: String
}

/// Runs a shell command and waits for it.
func shell(_ command: String) throws -> Outcome {
  let process = Process()
  process.executableURL = URL(fileURLWithPath: "/bin/sh")
  process.arguments = ["-c", command]
  let output = Pipe()
  let errors = Pipe()
  process.standardOutput = output
  process.standardError = errors
  process.standardInput = FileHandle.nullDevice
  try process.run()
  let read = output.fileHandleForReading.readDataToEndOfFile()
  let told = errors.fileHandleForReading.readDataToEndOfFile()
  process.waitUntilExit()
  return Outcome(status: process.terminationStatus, output: Array(read), errors: String(decoding: told, as: UTF8.self))
}

/// Whether the shell finds a program.
func has(_ program: String) -> Bool { (try? shell("command -v \(program)"))?.status == 0 }

/// Whether the shell finds what `independentCheck` needs.
var hasIndependentCheck: Bool { has("lz4") && has("python3") && has("openssl") }
