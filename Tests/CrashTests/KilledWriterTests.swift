import EventStore
import FlowRecording
import Foundation
import Testing

@testable import Authn

/// A writer that is killed loses nothing that the application has heard of (DESIGN §2 rule 5).
@Suite struct KilledWriterTests {
  @Test("killed at random moments while recording, 25 times a mode", arguments: ["os", "each"])
  func killed(mode: String) throws {
    let seed = UInt64(ProcessInfo.processInfo.environment["FLOWRECORDER_SEED"] ?? "") ?? 20261121
    print("seed \(seed)")
    let entropy = SeededEntropy(seed: seed)
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("crash-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: folder) }
    var heard: [String: Int] = [:]
    for _ in 0..<25 {
      let lines = try Subject.runAndKill(folder, mode: mode, after: 1 + Int(entropy.next() % 40))
      for line in lines {
        let words = line.split(separator: " ")
        guard words.count == 2, let revision = Int(words[1]) else { continue }
        heard[String(words[0])] = revision
      }
      try check(folder, heard)
    }
    #expect(heard.count > 25)
  }

  private func check(_ folder: String, _ heard: [String: Int]) throws {
    // As it lies, before anybody opens it for writing: consistent, perhaps with a torn tail, never worse.
    let verdict = try Verifier(directory: folder).run().verdict
    #expect(verdict == .unanchored || verdict == .torn)
    try EventLog.open(at: folder).close()
    #expect(try Verifier(directory: folder).run().verdict == .unanchored)
    let log = try LogReader(directory: folder)
    var flows: [String: [StoredRecord]] = [:]
    var cursor = try log.cursor()
    var position: UInt64 = 0
    while let record = try cursor.next() {
      #expect(record.position == position)
      position += 1
      flows[record.stream, default: []].append(record)
    }
    for (stream, revision) in heard {
      let records = flows[stream] ?? []
      #expect(records.count > revision, "\(stream) was heard at revision \(revision)")
      let folded = AuthnCore.folding(try EventCoding.decode(records))
      #expect(folded.snapshotRevision ?? -1 >= revision)
    }
  }
}

/// The program that is killed.
private enum Subject {
  /// Runs it until it has said so many lines, and kills it while it goes on.
  static func runAndKill(_ folder: String, mode: String, after count: Int) throws -> [String] {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: Bundle.main.bundlePath).deletingLastPathComponent()
      .appendingPathComponent("crash-subject")
    if !FileManager.default.isExecutableFile(atPath: process.executableURL?.path ?? "") {
      process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
        .appendingPathComponent("crash-subject")
    }
    process.arguments = [folder, mode]
    process.environment = ProcessInfo.processInfo.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { _, new in new
    }
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    var text = Data()
    while text.count(where: { $0 == 0x0A }) < count {
      let piece = output.fileHandleForReading.availableData
      if piece.isEmpty { break }
      text.append(piece)
    }
    kill(process.processIdentifier, SIGKILL)
    text.append(output.fileHandleForReading.readDataToEndOfFile())
    process.waitUntilExit()
    // The last line may be cut; it was not said to its end.
    let lines = String(decoding: text, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
    return lines.dropLast().map(String.init)
  }
}
