import EventStore
import Foundation
import Testing

@Suite struct BenchTests {
  @Test("bench prints each figure, beside SQLite if it is installed, and leaves nothing behind")
  func figures() throws {
    let folder = try Folder()
    let run = try Program.run(["bench", "--events", "2000", "--rounds", "1", "--json"], in: folder)
    #expect(run.code == 0, "\(run.errors)")
    let report = try JSON(parsing: Array(run.output.utf8))
    #expect(report["events"]?.int == 2_000 && report["rounds"]?.int == 1)
    let figures = report["figures"]?.array ?? []
    #expect(figures.compactMap { $0["name"]?.string } == ["append", "scan", "open", "fold", "replay"])
    #expect(figures.allSatisfy { ($0["value"]?.double ?? 0) > 0 })
    let hasPeer = report["sqlite"] == true
    #expect(hasPeer || report["sqlite"] == false)
    for figure in figures.prefix(2) { #expect(((figure["sqlite"]?.double ?? 0) > 0) == hasPeer) }
    let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(!left.contains { $0.hasPrefix("flowrecorder-bench") })
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
