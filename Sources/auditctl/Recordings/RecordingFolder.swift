// A folder of recordings.

import AuditReports
import EventStore
import Foundation
import Glibc
import Replay

struct RecordingFolder {
  let path: String
  static let ending = ".ndjson.lz4"

  /// A folder that is there.
  ///
  /// - Throws: exit 66 if it is not.
  init(path: String) throws(CommandFailure) {
    self.path = path
    guard FileMode(of: path)?.isDirectory == true else {
      throw CommandFailure(.notFound, "there is no folder \(path.printable); check the path")
    }
  }

  /// A folder, which is made if nothing is there.
  ///
  /// - Throws: exit 73 if it cannot be made.
  init(making path: String) throws(CommandFailure) {
    self.path = path
    if mkdir(path, 0o755) == 0 { return }
    let code = errno
    guard code == EEXIST, FileMode(of: path)?.isDirectory == true else {
      let reason = code == EEXIST ? "something else is there" : String(cString: strerror(code))
      throw CommandFailure(.cannotCreate, "the folder \(path.printable) cannot be made: \(reason); give another")
    }
  }

  /// The names of its recordings, in order.
  func files() throws(CommandFailure) -> [String] {
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: path) else {
      throw CommandFailure(.permission, "\(path.printable) cannot be listed; check its permissions")
    }
    return names.filter { $0.hasSuffix(Self.ending) && !$0.hasPrefix(".") }.sorted()
  }

  /// A recording of the folder.
  ///
  /// - Throws: exit 65 if it is damaged.
  func recording(_ file: String) throws -> Recording {
    let place = "\(path)/\(file)"
    let bytes = try InputFile(path: place, content: "a recording").bytes(limit: LogSource.longestRecording)
    return try Recording(name: place, bytes: bytes)
  }

  /// All its recordings by their names.
  func recordings() throws -> [(file: String, recording: Recording)] {
    try files().map { ($0, try recording($0)) }
  }

  /// Puts a file there whole, or leaves what is there as it is: it is written beside it first.
  ///
  /// - Throws: exit 73 if it cannot be made, 74 if it cannot be written.
  func write(_ bytes: [UInt8], to file: String) throws {
    let place = "\(path)/\(file)"
    if let there = FileManager.default.contents(atPath: place), Array(there) == bytes { return }
    // What tests read is no one's secret.
    try OutputFile(path: place, permissions: 0o644).write(bytes)
  }

  /// Removes a file.
  func remove(_ file: String) { unlink("\(path)/\(file)") }
}
