import EventStore
import Foundation
import Glibc
import Testing

@Suite struct BenchTests {
  @Test("bench prints each figure, the first two beside SQLite, and leaves nothing behind")
  func figures() throws {
    let folder = try Folder()
    let run = try Program.run(["bench", "--events", "2000", "--rounds", "1", "--json"], in: folder)
    #expect(run.code == 0, "\(run.errors)")
    let report = try JSON(parsing: Array(run.output.utf8))
    #expect(report["events"]?.int == 2_000 && report["rounds"]?.int == 1)
    let figures = report["figures"]?.array ?? []
    #expect(figures.compactMap { $0["name"]?.string } == ["append", "scan", "open", "fold", "replay"])
    #expect(figures.allSatisfy { ($0["value"]?.double ?? 0) > 0 })
    #expect(report["sqlite"] == true)
    for figure in figures.prefix(2) { #expect((figure["sqlite"]?.double ?? 0) > 0) }
    #expect(try !isThere(in: folder))
  }

  /// Whether a directory of a bench is there.
  private func isThere(in folder: Folder) throws -> Bool {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).contains { $0.hasPrefix("flowrecorder-bench") }
  }

  @Test("bench that is interrupted ends with 130 and leaves nothing behind", arguments: [SIGINT, SIGTERM])
  func interrupted(signal: Int32) throws {
    let folder = try Folder()
    let process = Process()
    process.executableURL = URL(fileURLWithPath: Program.binary)
    process.arguments = ["bench", "--events", "20000", "--rounds", "100"]
    process.environment = Program.environment(home: folder.path)
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    while try !isThere(in: folder), process.isRunning { usleep(1_000) }
    kill(process.processIdentifier, signal)
    process.waitUntilExit()
    #expect(process.terminationReason == .exit && process.terminationStatus == 130)
    #expect(try !isThere(in: folder))
  }

  @Test("bench prints a table that fits 80 columns, and refuses numbers that mean nothing")
  func table() throws {
    let folder = try Folder()
    let run = try Program.run(["bench", "--events", "500", "--rounds", "1"], in: folder)
    #expect(run.code == 0 && run.lines.allSatisfy { $0.count <= 80 })
    #expect(run.output.contains("append") && run.output.contains("SQLite"))
    #expect(try Program.run(["bench", "--events", "0"], in: folder).code == 64)
    #expect(try Program.run(["bench", "--rounds", "0"], in: folder).code == 64)
  }
}
