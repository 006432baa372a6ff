import EventStore
import Foundation
import ReplayTesting
import Scenarios
import Testing

@testable import Replay

/// The recordings under `Recordings/`: what earlier versions did is what this one does.
@Suite struct GoldenRecordingTests {
  static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../../Recordings").standardizedFileURL.path

  static let paths: [String] = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [])
    .filter { $0.hasSuffix(".ndjson.lz4") }.sorted().map { "\(folder)/\($0)" }

  @Test("a golden recording replays", arguments: paths)
  func replays(path: String) throws { try expectReplays(path) }

  @Test("there is one for each scenario")
  func complete() throws {
    let names = Self.paths.map { String($0.split(separator: "/").last?.dropLast(".ndjson.lz4".count) ?? "") }
    let scenarios =
      (Scenario.flows + Scenario.rare).map(\.name) + (IDXScenario.golden + IDXScenario.rare).map(\.name)
      + (DeviceScenario.golden + DeviceScenario.rare).map(\.name)
      + PushScenario.golden.flatMap { ["\($0.name)-sign-in", "\($0.name)-device"] }
      + (OIDCScenario.golden + OIDCScenario.rare).map(\.name)
    let forms = try FormRecording.golden().map(\.name)
    #expect(names.sorted() == (scenarios + forms).sorted())
  }

  /// How often all are replayed: 3 times, or what `FLOWRECORDER_REPLAYS` says.
  private static let times = Int(ProcessInfo.processInfo.environment["FLOWRECORDER_REPLAYS"] ?? "") ?? 3

  @Test("all of them in one process, over and over")
  func overAndOver() throws {
    let recordings = try Self.paths.map { try Recording(contentsOf: $0) }
    let flows = recordings.reduce(0) { $0 + $1.flows.count }
    #expect(flows >= recordings.count)
    for time in 0..<Self.times {
      let report = try Replay.report(on: recordings, depth: time % 20 == 0 ? .whole : .core)
      #expect(report.replayed == flows)
      #expect(report.divergences == [])
    }
  }

  @Test("a changed recording fails a test with a report of both sides")
  func failureReport() throws {
    let path = try #require(Self.paths.first { $0.hasSuffix("push-approved.ndjson.lz4") })
    let slice = try SliceFile.read(path: path)
    let lines = try slice.records.map { record in
      let text = String(decoding: record.line, as: UTF8.self).replacingOccurrences(
        of: "\"ms\":5000", with: "\"ms\":4000")
      return try StoredRecord(line: Array(text.utf8))
    }
    let changed = FileManager.default.temporaryDirectory.appendingPathComponent(
      "changed-\(UUID().uuidString).ndjson.lz4")
    defer { try? FileManager.default.removeItem(at: changed) }
    let source = StoreIdentity(id: slice.header.store, origin: slice.header.origin)
    try SliceFile.write(records: lines, source: source, to: changed.path)
    let failure = try #require(throws: ReplayFailure.self) { try expectReplays(changed.path) }
    #expect(failure.divergences.count == 1)
    #expect(failure.divergences.first?.path == "data.ms")
    #expect(failure.report.contains("4000"))
    #expect(failure.report.contains("5000"))
    #expect(failure.report.contains("auditctl replay"))
  }

  @Test(
    "what is no recording is refused in one sentence",
    arguments: [
      "missing", "empty", "text", "cut",
    ])
  func refused(case name: String) throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("bad-\(UUID().uuidString).ndjson.lz4")
    defer { try? FileManager.default.removeItem(at: file) }
    switch name {
    case "empty": try Data().write(to: file)
    case "text": try Data("just text\n".utf8).write(to: file)
    case "cut":
      let whole = try Data(contentsOf: URL(fileURLWithPath: try #require(Self.paths.first)))
      try whole.prefix(whole.count / 2).write(to: file)
    default: break
    }
    let failure = try #require(throws: ReplayFailure.self) { try expectReplays(file.path) }
    #expect(failure.divergences.isEmpty)
    #expect(!failure.report.isEmpty)
    #expect(!failure.report.contains("\n"))
  }

  @Test("a recording cut at any byte is refused or replays as far as it goes, and never traps")
  func cutAnywhere() throws {
    let path = try #require(Self.paths.first { $0.hasSuffix("password-only.ndjson.lz4") })
    let whole = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    for count in 0..<whole.count {
      #expect(throws: StoreError.self, "cut at \(count)") { try SliceFile.read(bytes: Array(whole.prefix(count))) }
    }
  }
}
