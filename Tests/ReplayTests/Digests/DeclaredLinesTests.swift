import EventStore
import FlowRecording
import Foundation
import Testing

@testable import Replay

/// The lines of what the kinds declare, beside the golden recordings: they say which line is another, where digests say that one is.
@Suite struct DeclaredLinesTests {
  private static let part = "tables.errors"

  /// A folder with one recording, and the lines with another word in one of them, as if the SDK had changed since.
  private func changed(_ change: (String) -> String) throws -> (folder: String, recording: Recording) {
    let folder = try GoldenRecordings.temporaryFolder()
    let (_, records) = try SliceFile.read(path: "\(GoldenRecordings.folder)/\(DeclaredLines.fileName)")
    var lines: [String] = []
    let others = try records.map { record -> StoredRecord in
      let data = try JSON(parsing: record.data)
      guard record.stream == "declared/authn", data["part"]?.string == Self.part, let text = data["text"]?.string
      else { return record }
      let other = change(text)
      lines = other.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
      let new = NewRecord(
        at: record.at, stream: record.stream, type: record.type, version: 1,
        data: JSON.members([("part", .string(Self.part)), ("text", .string(other))]).bytes)
      return try StoredRecord(new, position: record.position, revision: record.revision, cause: nil)
    }
    try #require(!lines.isEmpty)
    try SliceFile.write(records: others, source: Recording.source, to: "\(folder)/\(DeclaredLines.fileName)")
    let path = "\(folder)/push-approved.ndjson.lz4"
    try FileManager.default.copyItem(atPath: GoldenRecordings.path("push-approved"), toPath: path)
    var recording = try Recording(contentsOf: path)
    let stream = try #require(recording.flows.first?.stream)
    recording.digests?[stream].declared[Self.part] = KindDeclarations.digest(lines)
    return (folder, recording)
  }

  @Test func `the file has the lines of this SDK`() throws {
    var all: [String: String] = [:]
    for record in try SliceFile.read(path: "\(GoldenRecordings.folder)/\(DeclaredLines.fileName)").records {
      let data = try JSON(parsing: record.data)
      let name = "\(record.stream.dropFirst("declared/".count)) \(data["part"]?.string ?? "")"
      all[name, default: ""] += data["text"]?.string ?? ""
    }
    for (owner, parts) in KindDeclarations.all {
      for (part, lines) in parts {
        #expect(
          all["\(owner) \(part)", default: ""] == lines.joined(separator: "\n"), "\(owner) \(part): run make digests")
      }
    }
  }

  @Test func `a line that is another is named, as it was and as it is`() throws {
    let (folder, recording) = try changed { $0.replacing("Another operation", with: "Some operation") }
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let first = try #require(try Replay.replay(recording).first)
    #expect(first.path == "declared.\(Self.part)" && first.kind == .state)
    #expect(first.recorded?.string?.contains("Some operation") == true)
    #expect(first.replayed?.string?.contains("Another operation") == true)
    #expect(first.message.contains("declares something else: \(Self.part). "))
    #expect(first.message.contains("Another operation") && first.message.contains("Some operation"))
  }

  @Test func `a line more and a line less are named by themselves, and another file's lines are not taken`() throws {
    let (folder, recording) = try changed { $0 + "\nzz | a line that is gone" }
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let first = try #require(try Replay.replay(recording).first)
    #expect(first.recorded == "zz | a line that is gone" && first.replayed == .null)
    #expect(first.message.hasSuffix("\(Self.part). zz: none (recorded: zz | a line that is gone)"))
    var other = recording
    other.name = GoldenRecordings.path("push-approved")
    #expect(try Replay.replay(other).first?.recorded?.string?.hasPrefix("digest ") == true)
    #expect(LineChange(from: ["a", "b"], to: ["b", "a"]) == nil)
    let more = try #require(LineChange(from: ["a"], to: ["a", "b c"]))
    #expect(more.recorded == nil && more.replayed == "b c" && more.words == ". b: b c (recorded: none)")
  }
}
