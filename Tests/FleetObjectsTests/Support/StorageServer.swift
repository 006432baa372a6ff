// A real server of S3 on loopback, behind a gate: `Server/storage.py`.
import Foundation
import Testing

@testable import EventStore
@testable import FleetObjects

final class StorageServer {
  /// A Python that has what `Server/requirements.txt` lists; `make test-objects` gives it.
  static let python = ProcessInfo.processInfo.environment["STORAGE_PYTHON"]

  private let process = Process()
  private let commands = Pipe()
  private let answers = Pipe()
  private var rest: [UInt8] = []
  /// What it said when it was ready.
  private var facts = JSON.null

  init() throws {
    let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../Server/storage.py").standardizedFileURL
    process.executableURL = URL(fileURLWithPath: try #require(Self.python))
    process.arguments = [script.path]
    process.standardInput = commands
    process.standardOutput = answers
    try process.run()
    facts = try answer()
  }

  deinit {
    try? commands.fileHandleForWriting.close()
    kill()
  }

  /// Ends it, as the power does.
  func kill() {
    guard process.isRunning else { return }
    Foundation.kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  /// Has it carry out a command, and gives its answer.
  @discardableResult
  func ask(_ command: String) throws -> JSON {
    try commands.fileHandleForWriting.write(contentsOf: Data((command + "\n").utf8))
    return try answer()
  }

  private func answer() throws -> JSON {
    while true {
      if let end = rest.firstIndex(of: 0x0A) {
        let line = Array(rest[..<end])
        rest.removeSubrange(...end)
        return try JSON(parsing: line)
      }
      let more = answers.fileHandleForReading.availableData
      try #require(!more.isEmpty, "the server has ended")
      rest += more
    }
  }

  /// A text of what it said first.
  func fact(_ path: String...) throws -> String {
    var value = facts
    for name in path { value = try #require(value[name]) }
    return try #require(value.string)
  }

  /// A disk of its bucket, for one of its users: `archiver`, `reader`, `owner`.
  func disk(
    of user: String = "archiver", bucket: String? = nil, secret: String? = nil, local: any Disk
  ) throws -> ObjectDisk {
    try ObjectDisk(
      ObjectPlace("s3://\(bucket ?? fact("bucket"))/eu"),
      access: ObjectAccess(
        environment: [
          "AWS_ACCESS_KEY_ID": fact("users", user, "id"),
          "AWS_SECRET_ACCESS_KEY": secret ?? fact("users", user, "secret"),
          "AWS_REGION": fact("region"), "AWS_ENDPOINT_URL": fact("endpoint"),
        ]), local: local, locks: "/locks", pause: { _ in })
  }
}
