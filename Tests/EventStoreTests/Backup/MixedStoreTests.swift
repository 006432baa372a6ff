import Foundation
import Testing

@testable import EventStore

/// Proofs, copies and checks of a store with segments of every form.
@Suite struct MixedStoreTests {
  private func verify(_ path: String, _ key: SigningKey, _ note: SignedNote? = nil) throws -> VerifyReport {
    try Verifier(directory: path, pinnedKey: key.verifier, pinnedCheckpoint: note).run()
  }

  @Test func `proofs and roots at any sizes are those of all records, pruned ones too`() throws {
    let mixed = try MixedStore()
    try mixed.expectProofs(of: mixed.store.path)
    let report = try verify(mixed.store.path, mixed.key, mixed.note)
    #expect(report.verdict == .pruned && report.anchoredSize == mixed.note.size)
    #expect(report.findings.allSatisfy { $0.kind == .pruned })
  }

  @Test func `a backup has the same segments, byte for byte but the last, and proves the same`() throws {
    let mixed = try MixedStore()
    let copy = mixed.store.folder + "/backup"
    let report = try Backup(of: mixed.store.path).write(to: copy)
    #expect(report.records == mixed.note.size && report.root == mixed.note.root)
    #expect(report.checkpoint == mixed.note.size)
    let (old, new) = (try mixed.store.segments(), try mixed.store.segments(in: copy))
    #expect(old.count == new.count)
    for (one, other) in zip(old, new).dropLast() { #expect(try bytes(of: one) == bytes(of: other), "\(one)") }
    #expect(try records(in: copy, from: mixed.firstKept) == mixed.kept)
    #expect(try verify(copy, mixed.key, mixed.note) == verify(mixed.store.path, mixed.key, mixed.note))
    try mixed.expectProofs(of: copy)
  }

  @Test func `a restored store proves the old records, goes on with their streams, and is sealed and pruned on`() throws
  {
    let mixed = try MixedStore()
    let backup = mixed.store.folder + "/backup"
    let path = mixed.store.folder + "/new"
    _ = try Backup(of: mixed.store.path).write(to: backup)
    #expect(try Restore(from: backup).write(to: path).records == mixed.note.size + 1)
    try mixed.expectProofs(of: path)
    let old = try verify(path, mixed.key, mixed.note)
    #expect(old.verdict == .pruned && old.anchoredSize == mixed.note.size && old.recordsAfterAnchor == 1)
    let reader = try LogReader(directory: path)
    #expect(try reader.firstKept() == mixed.firstKept)
    let stream = mixed.kept.filter { $0.stream == "s/3" }
    #expect(try reader.keptRecords(of: "s/3") == stream)

    let log = try EventLog.open(at: path, options: smallSegments())
    let last = try #require(stream.last?.revision)
    pass(log, try log.append([record("s/3", "after")], expecting: .revision(last)))
    let key = try SigningKey(name: log.identity.origin)
    #expect(try log.seal().sealed > 2)
    #expect(try log.prune(before: .position(700), signingWith: key).segments > 1)
    let note = try log.checkpoint(with: key)
    try log.close()
    try mixed.expectProofs(of: path)
    let report = try verify(path, key)
    #expect(report.verdict == .pruned && report.anchoredSize == note.size, "\(report)")
    // The old key vouches for what was pruned when it signed, and for nothing that was pruned since under another one.
    let before = try verify(path, mixed.key)
    #expect(before.verdict == .altered && before.anchoredSize == mixed.note.size, "\(before)")
    for finding in before.findings {
      #expect(finding.kind == ((finding.position ?? 0) < mixed.firstKept ? .pruned : .altered), "\(finding)")
    }
  }

  @Test func `a damaged sealed or pruned segment is neither backed up nor restored nor exported`() throws {
    let mixed = try MixedStore()
    let segments = try mixed.store.segments()
    let folder = mixed.store.folder
    let pruned = segments[0]
    let sealed = try #require(
      segments.first { path in
        (try? FooterPlace.index(in: SystemDisk().open(path, .read)))?.map { !$0.isPruned } ?? false
      })
    for path in [pruned, sealed] {
      let good = try bytes(of: path)
      var bad = good
      let place = Int(try FileHead(of: SystemDisk().open(path, .read)).end) + 200
      bad[place] ^= 4
      try write(bad, to: path)
      #expect(throws: StoreError(.altered, "")) { try Backup(of: mixed.store.path).write(to: folder + "/b") }
      #expect(throws: StoreError(.altered, "")) { try Restore(from: mixed.store.path).write(to: folder + "/r") }
      let error = #expect(throws: StoreError.self) { try TileExport(of: mixed.store.path).write(to: folder + "/t") }
      #expect([.altered, .malformed].contains(error?.code), "\(path): \(String(describing: error))")
      try write(good, to: path)
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["audit"])
  }
}
