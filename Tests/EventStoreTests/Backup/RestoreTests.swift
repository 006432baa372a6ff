import Foundation
import Testing

@testable import EventStore

@Suite struct RestoreTests {
  /// A signed store and a backup of it.
  private struct Backed {
    let store: TemporaryStore
    let key: SigningKey
    let notes: [SignedNote]
    var backup: String { store.folder + "/backup" }
    var restored: String { store.folder + "/restored" }

    init() throws {
      store = try TemporaryStore()
      (key, notes) = try signRounds(of: 80, in: store)
      _ = try Backup(of: store.path).write(to: store.folder + "/backup")
    }
  }

  private func verify(_ path: String, _ key: SigningKey? = nil, _ note: SignedNote? = nil) throws -> VerifyReport {
    try Verifier(directory: path, pinnedKey: key?.verifier, pinnedCheckpoint: note).run()
  }

  @Test func `a restored store has a new name, and names the old one, its key and its checkpoint`() throws {
    let backed = try Backed()
    let report = try Restore(from: backed.backup).write(to: backed.restored, at: noon)
    let identity = try LogReader(directory: backed.restored).identity
    let old = try LogReader(directory: backed.store.path).identity
    #expect(report.records == 243 && report.lost == 0 && identity.origin == report.origin)
    #expect(identity.origin != old.origin && identity.id != old.id && identity.publicKey == nil)
    #expect(identity.backup == nil)
    let before = try #require(identity.restoredFrom.first)
    #expect(before.origin == old.origin && before.store == old.id && before.size == 242)
    #expect(before.publicKey == backed.key.verifier.description && before.checkpoint == backed.notes[2].text)
    let all = try records(in: backed.restored)
    #expect(text(Array(all.dropLast())) == text(try records(in: backed.store.path)))
    #expect(all.last?.type == "log.restored" && all.last?.stream == EventLog.ownStream && all.last?.at == noon)
  }

  @Test func `a restored store is anchored by the old key up to its checkpoint, by its own over all`() throws {
    let backed = try Backed()
    _ = try Restore(from: backed.backup).write(to: backed.restored)
    #expect(try verify(backed.restored).verdict == .unanchored)
    let old = try verify(backed.restored, backed.key, backed.notes[1])
    #expect(old.verdict == .ok && old.anchoredSize == 241 && old.recordsAfterAnchor == 2)
    let log = try EventLog.open(at: backed.restored)
    let key = try SigningKey.obtain(for: log.identity, store: backed.restored, path: backed.store.folder + "/new")
    for index in 0..<30 { pass(log, try log.append([record("s/\(index % 5)", "later \(index)")])) }
    let note = try log.checkpoint(with: key)
    try log.close()
    #expect(note.origin != backed.notes[0].origin && note.size == 273)
    let new = try verify(backed.restored, key, note)
    #expect(new.verdict == .ok && new.anchoredSize == 273 && new.findings.isEmpty)
    // The old key does not vouch for the new one.
    #expect(try verify(backed.restored, backed.key).anchoredSize == 241)
    #expect(try verify(backed.restored, backed.key).verdict == .ok)
    #expect(try verify(backed.restored, SigningKey(name: key.verifier.name)).verdict == .badSignature)
    #expect(try verify(backed.restored, SigningKey(name: backed.key.verifier.name)).verdict == .badSignature)
    #expect(try verify(backed.restored, SigningKey(name: "other")).verdict == .badSignature)
  }

  @Test func `streams go on where they were, and one stream is read through both logs`() throws {
    let backed = try Backed()
    _ = try Restore(from: backed.backup).write(to: backed.restored)
    let log = try EventLog.open(at: backed.restored)
    _ = try log.append([record("s/1", "next")], expecting: .revision(48))
    try log.close()
    let stream = try LogReader(directory: backed.restored).records(of: "s/1")
    #expect(stream.map(\.revision) == Array(0...49))
  }

  @Test func `the log that goes on under the old name is truncated against, and a stranger to, the restored one`()
    throws
  {
    let backed = try Backed()
    _ = try Restore(from: backed.backup).write(to: backed.restored)
    let log = try EventLog.open(at: backed.store.path)
    pass(log, try log.append([record("s/1", "more")]))
    let note = try log.checkpoint(with: backed.key)
    try log.close()
    let report = try verify(backed.restored, backed.key, note)
    #expect(report.verdict == .truncated && report.findings.contains { $0.message.contains("restored with 242") })
  }

  @Test func `a restored store is restored again`() throws {
    let backed = try Backed()
    _ = try Restore(from: backed.backup).write(to: backed.restored, origin: "second")
    let log = try EventLog.open(at: backed.restored)
    let second = try SigningKey(name: "second")
    let note = try log.checkpoint(with: second)
    try log.close()
    let third = backed.store.folder + "/third"
    for origin in ["second", backed.key.verifier.name] {
      #expect(throws: StoreError(.invalid, "")) { try Restore(from: backed.restored).write(to: third, origin: origin) }
    }
    _ = try Restore(from: backed.restored).write(to: third, origin: "third")
    let identity = try LogReader(directory: third).identity
    #expect(identity.restoredFrom.map(\.origin) == [backed.key.verifier.name, "second"])
    #expect(identity.restoredFrom.map(\.size) == [242, 243])
    #expect(try verify(third, backed.key, backed.notes[2]).anchoredSize == 241)
    #expect(try verify(third, second, note).anchoredSize == 243)
  }

  @Test func `a restored store that has signed nothing is restored again, from itself and from its backup`() throws {
    let backed = try Backed()
    _ = try Restore(from: backed.backup).write(to: backed.restored, origin: "second")
    let copy = backed.store.folder + "/copy"
    _ = try Backup(of: backed.restored).write(to: copy)
    for (source, name) in [(backed.restored, "third"), (copy, "fourth")] {
      let target = backed.store.folder + "/" + name
      let report = try Restore(from: source).write(to: target, origin: name)
      #expect(report.lost == 0 && report.records == 244)
      let before = try LogReader(directory: target).identity.restoredFrom
      #expect(before.map(\.origin) == [backed.key.verifier.name, "second"])
      #expect(before.map(\.checkpoint) == [backed.notes[2].text, nil] && before.last?.publicKey == nil)
      #expect(try verify(target, backed.key, backed.notes[2]).anchoredSize == 241)
      #expect(try verify(target).verdict == .unanchored)
    }
  }

  @Test func `a log smaller than its checkpoint is restored only where the loss is accepted, and says what is lost`()
    throws
  {
    let backed = try Backed()
    let segments = try backed.store.segments()
    for path in segments where (SegmentName.first(of: String(path.suffix(31))) ?? 0) > 161 {
      try FileManager.default.removeItem(atPath: path)
    }
    #expect(throws: StoreError(.truncated, "")) { try Restore(from: backed.store.path).write(to: backed.restored) }
    #expect(throws: StoreError(.truncated, "")) { try Backup(of: backed.store.path).write(to: backed.restored) }
    #expect(!FileManager.default.fileExists(atPath: backed.restored))
    let report = try Restore(from: backed.store.path).write(to: backed.restored, acceptsLoss: true)
    let before = try #require(try LogReader(directory: backed.restored).identity.restoredFrom.first)
    #expect(report.lost == 241 - before.size && before.lost == report.lost && report.lost > 0)
    #expect(before.checkpoint == backed.notes[2].text)
    #expect(
      try records(in: backed.restored).last.map { String(decoding: $0.data, as: UTF8.self) }?.contains(
        "\"lost\":\(report.lost)") == true)
    // What an auditor kept still says that records are gone; what they cover still anchors.
    #expect(try verify(backed.restored, backed.key, backed.notes[2]).verdict == .truncated)
    let old = try verify(backed.restored, backed.key, backed.notes[1])
    #expect(old.anchoredSize == 161 && old.verdict == .truncated)
    // So does the checkpoint that the store carries, for whoever pinned the old key and kept no note.
    #expect(try verify(backed.restored, backed.key).verdict == .truncated)
    #expect(try verify(backed.restored).verdict == .unanchored)
    let log = try EventLog.open(at: backed.restored)
    let next = try SigningKey(name: log.identity.origin)
    _ = try log.checkpoint(with: next)
    try log.close()
    #expect(try verify(backed.restored, next).verdict == .ok)
    #expect(try verify(backed.restored, backed.key).verdict == .truncated)
  }

  @Test func `a backup that is not what it was made as is not restored, though no checkpoint covers what is missing`()
    throws
  {
    let store = try TemporaryStore()
    let log = try EventLog.open(at: store.path)
    for index in 0..<40 { pass(log, try log.append([record("s/\(index % 5)", "\(index * 7919)")])) }
    try log.close()
    let (backup, target) = (store.folder + "/backup", store.folder + "/restored")
    let made = try Backup(of: store.path).write(to: backup)
    let last = try #require(try store.segments(in: backup).last)
    let whole = try bytes(of: last)
    try write(Array(whole[..<(whole.count / 2)]), to: last)
    #expect(throws: StoreError(.truncated, "")) { try Restore(from: backup).write(to: target) }
    #expect(throws: StoreError(.truncated, "")) { try Backup(of: backup).write(to: target) }
    #expect(!FileManager.default.fileExists(atPath: target))
    let accepted = try Restore(from: backup).write(to: store.folder + "/accepted", acceptsLoss: true)
    #expect(accepted.records > 1 && accepted.records <= made.records)

    try write(whole, to: last)
    let layout = StoreLayout(backup)
    let identity = try StoreIdentity(of: layout, on: SystemDisk())
    let root = try #require(identity.backup).root
    for (size, root) in [(made.records, MerkleTree.empty.description), (made.records - 1, root)] {
      var changed = identity
      changed.backup = BackupMark(at: noon.description, size: size, root: root)
      try changed.save(to: layout, on: SystemDisk())
      #expect(throws: StoreError(.altered, "")) {
        try Restore(from: backup).write(to: target, acceptsLoss: true)
      }
    }
    try identity.save(to: layout, on: SystemDisk())
    #expect(try Restore(from: backup).write(to: target).records == made.records + 1)
  }

  @Test func `what store json says of the past is compared with the log`() throws {
    let backed = try Backed()
    _ = try Restore(from: backed.backup).write(to: backed.restored)
    let layout = StoreLayout(backed.restored)
    let identity = try StoreIdentity(of: layout, on: SystemDisk())
    func verdict(_ change: (inout StoreIdentity) -> Void) throws -> VerifyReport.Verdict {
      var changed = identity
      change(&changed)
      try changed.save(to: layout, on: SystemDisk())
      return try verify(backed.restored, backed.key).verdict
    }
    #expect(try verdict { _ in } == .ok)
    #expect(try verdict { $0.restoredFrom[0].root = MerkleTree.empty.description } == .altered)
    #expect(try verdict { $0.restoredFrom[0].checkpoint?.append("x") } == .badSignature)
    #expect(
      try verdict { $0.restoredFrom[0].checkpoint = backed.notes[0].text.replacing("81", with: "82") } == .badSignature)
    #expect(try verdict { $0.restoredFrom[0].publicKey = nil } == .badSignature)
    #expect(try verdict { $0.backup = BackupMark(at: "", size: 100, root: MerkleTree.empty.description) } == .altered)
    #expect(try verdict { $0.retiredKeys = [RetiredKey(key: "none", until: 3)] } == .badSignature)
    let text = String(decoding: try bytes(of: backed.restored + "/store.json"), as: UTF8.self)
    _ = try verdict { _ in }
    try write(Array(text.replacing("\"id\"", with: "\"ids\" : 1, \"id\"").utf8), to: backed.restored + "/store.json")
    #expect([.altered, .badSignature].contains(try verify(backed.restored, backed.key).verdict))
  }

  @Test func `a store whose key was handed over is restored with both`() throws {
    let backed = try Backed()
    let log = try EventLog.open(at: backed.store.path)
    let next = try SigningKey(name: log.identity.origin)
    let note = try log.handOver(from: backed.key, to: next)
    try log.close()
    _ = try Restore(from: backed.store.path).write(to: backed.restored)
    for key in [backed.key, next] { #expect(try verify(backed.restored, key).anchoredSize == note.size) }
    #expect(try verify(backed.restored, next, note).verdict == .ok)
  }

  @Test func `each origin in store json holds only for its own segments`() throws {
    let backed = try Backed()
    _ = try Restore(from: backed.backup).write(to: backed.restored)
    let layout = StoreLayout(backed.restored)
    var identity = try StoreIdentity(of: layout, on: SystemDisk())
    identity.restoredFrom[0].size -= 20
    try identity.save(to: layout, on: SystemDisk())
    #expect(try verify(backed.restored).verdict == .badSignature)
    identity.restoredFrom = []
    try identity.save(to: layout, on: SystemDisk())
    #expect([.altered, .badSignature].contains(try verify(backed.restored).verdict))
  }
}
