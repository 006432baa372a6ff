import AuditReports
import EventStore
import Foundation
import SimulatedCompany
import Testing

@Suite struct CompanyRollbackTests {
  @Test("a log that was put back is whole and signed, and what was noted before finds it", arguments: [UInt64(3), 7])
  func found(seed: UInt64) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("rollback-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let (store, kept) = (folder + "/host", folder + "/kept")
    let company = SimulatedCompany(seed: seed, flows: 1_000)
    let incidents = try company.writeRolledBack(at: store, noting: kept)
    let incident = try #require(incidents.last)
    let rollback = try #require(incident.rollback)
    #expect(incident.kind == .rollback && rollback.flows == 10 && incident.first <= incident.last)

    func text(_ name: String) throws -> String { try String(contentsOfFile: kept + "/" + name, encoding: .utf8) }
    let key = try VerifierKey(text: text(SimulatedCompany.noted.key))
    let note = try SignedNote(text: text(SimulatedCompany.noted.checkpoint))
    #expect(note.size == rollback.records.upperBound)
    let log = try LogReader(directory: store)
    let size = try log.statistics().records
    #expect(size > note.size)
    // By itself nothing is wrong with it: its newest checkpoint has the right key, and covers all of it.
    let alone = try Verifier(directory: store, pinnedKey: key).run()
    #expect(alone.verdict == .ok && alone.anchors.contains { $0.size == size })
    #expect(try Verifier(directory: store, pinnedKey: key, pinnedCheckpoint: note).run().verdict == .forked)
    #expect(try Verifier(directory: store, pinnedKey: key, remembered: note).run().verdict == .forked)

    // What is gone are the flows of the plan in between, of no other incident; all others are there.
    var streams: Set<String> = []
    try log.forEach { streams.insert($0.stream) }
    streams.remove("log")
    #expect(streams.count == 1_000 - rollback.flows)
    let whole = try CompanyFolder(seed: seed, flows: 1_000)
    var gone: Set<String> = []
    try LogReader(directory: whole.path).forEach { record in
      if record.stream != "log", !streams.contains(record.stream) { gone.insert(record.stream) }
    }
    #expect(gone.count == rollback.flows)
    for other in incidents.dropLast() {
      #expect(other.last < incident.first || other.first > incident.last, "\(other.kind)")
    }
    #expect(incidents.dropLast().elementsEqual(whole.incidents))
  }
}
