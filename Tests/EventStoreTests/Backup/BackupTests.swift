import Foundation
import Synchronization
import Testing

@testable import EventStore

@Suite struct BackupTests {
  /// A signed store of several segments.
  private struct Signed {
    let store: TemporaryStore
    let path: String
    let key: SigningKey
    let note: SignedNote

    init() throws {
      store = try TemporaryStore()
      path = store.path
      let log = try EventLog.open(at: path, options: .init(segmentBytes: 4 << 10, frameBytes: 2 << 10))
      key = try SigningKey(name: log.identity.origin)
      for index in 0..<150 { pass(log, try log.append([record("s/\(index % 5)", "\(index * 7919)")])) }
      note = try log.checkpoint(with: key)
      for index in 0..<20 { pass(log, try log.append([record("s/\(index % 5)", "\(index)")])) }
      try log.close()
    }

    func place(_ name: String) -> String { path + "-" + name }
  }

  @Test func `a backup is the same log, verified and anchored as it is, and closed`() throws {
    let signed = try Signed()
    let report = try Backup(of: signed.path).write(to: signed.place("backup"))
    #expect(report.records == 171 && report.checkpoint == 151)
    #expect(text(try records(in: signed.place("backup"))) == text(try records(in: signed.path)))
    let check = try Verifier(directory: signed.place("backup"), pinnedKey: signed.key.verifier).run()
    #expect(check.verdict == .ok && check.anchoredSize == 151 && check.recordsAfterAnchor == 20)
    #expect(check.root == report.root.description)
    #expect(!FileManager.default.fileExists(atPath: signed.place("backup.incomplete")))
    let mode = try FileManager.default.attributesOfItem(atPath: signed.place("backup"))[.posixPermissions]
    #expect(mode as? Int == 0o700)
  }

  @Test func `what a copy of a log has, no power cut takes away from the log`() throws {
    let disk = MemoryDisk(seed: 3)
    var options = LogOptions(durability: .os, segmentBytes: 4 << 10, frameBytes: 2 << 10, idleClose: .seconds(3_600))
    options.disk = disk
    let log = try EventLog.open(at: "/audit", options: options)
    for index in 0..<20 { pass(log, try log.append([record("s/\(index % 5)", "\(index * 7919)")])) }
    try disk.makeDurableDirectory("/copy")
    let copy = try StoreCopy(
      source: StoreLayout("/audit"), target: StoreLayout("/copy"), disk: disk, takesTruncated: false, progress: nil
    ).run()
    #expect(copy.frontier.size == 21)
    let left = try LogReader(directory: "/audit", disk: disk.leftByCut()).statistics()
    #expect(left.records == copy.frontier.size)
    try log.close()
  }

  @Test func `a backup is not appended to, and one that lost records says so`() throws {
    let signed = try Signed()
    let backup = signed.place("backup")
    _ = try Backup(of: signed.path).write(to: backup)
    let error = #expect(throws: StoreError.self) { try EventLog.open(at: backup) }
    #expect(error?.code == .permission && error?.description.contains("auditctl restore") == true)
    let last = try #require(try FileManager.default.contentsOfDirectory(atPath: backup + "/segments").sorted().last)
    #expect(try LogReader(directory: backup).shortfall() == nil)
    try FileManager.default.removeItem(atPath: backup + "/segments/" + last)
    #expect(try Verifier(directory: backup).run().verdict == .truncated)
    #expect(try LogReader(directory: backup).shortfall()?.signed == 171)
  }

  @Test func `a directory that holds something, a file, and a draft that was left are not written over`() throws {
    let signed = try Signed()
    let full = signed.place("full")
    try FileManager.default.createDirectory(atPath: full, withIntermediateDirectories: true)
    try write([1], to: full + "/mine")
    try write([2], to: signed.place("file"))
    try FileManager.default.createDirectory(atPath: signed.place("left.incomplete"), withIntermediateDirectories: true)
    for name in ["full", "file", "left", "none/deep"] {
      #expect(throws: StoreError(.cannotCreate, "")) { try Backup(of: signed.path).write(to: signed.place(name)) }
      #expect(throws: StoreError(.cannotCreate, "")) { try Restore(from: signed.path).write(to: signed.place(name)) }
    }
    #expect(try bytes(of: full + "/mine") == [1])
    try FileManager.default.removeItem(atPath: full + "/mine")
    #expect(try Backup(of: signed.path).write(to: full).records == 171)
    #expect(throws: StoreError(.notFound, "")) { try Backup(of: signed.place("nothing")).write(to: signed.place("x")) }
  }

  @Test func `a damaged store is not backed up, and nothing is left of the attempt`() throws {
    let signed = try Signed()
    let path = signed.path + "/segments/" + SegmentName.name(first: 0)
    var bad = try bytes(of: path)
    bad[bad.count / 2] ^= 1
    try write(bad, to: path)
    #expect(throws: StoreError(.altered, "")) { try Backup(of: signed.path).write(to: signed.place("backup")) }
    let left = try FileManager.default.contentsOfDirectory(atPath: signed.store.folder)
    #expect(left == ["audit"])
  }

  @Test func `a torn tail is not in the backup`() throws {
    let signed = try Signed()
    let last = try #require(try signed.store.segments().last)
    let whole = try records(in: signed.path)
    try write(try bytes(of: last) + [0x04, 0x22, 0x4D, 0x18, 0x50], to: last)
    _ = try Backup(of: signed.path).write(to: signed.place("backup"))
    #expect(text(try records(in: signed.place("backup"))) == text(whole))
    #expect(try Verifier(directory: signed.place("backup")).run().verdict == .unanchored)
    #expect(try FileManager.default.contentsOfDirectory(atPath: signed.place("backup") + "/quarantine").isEmpty)
  }

  @Test func `backups that are taken while the writer runs are prefixes of its log`() throws {
    let store = try TemporaryStore()
    let log = try EventLog.open(at: store.path, options: .init(segmentBytes: 16 << 10, frameBytes: 2 << 10))
    let key = try SigningKey(name: log.identity.origin)
    _ = try log.checkpoint(with: key)
    let isDone = Mutex(false)
    let writer = Thread {
      var index = 0
      while !isDone.withLock({ $0 }) {
        if let ticket = try? log.append([record("s/\(index % 7)", "\(index * 7919)")]) { pass(log, ticket) }
        if index % 200 == 0 { _ = try? log.checkpoint(with: key) }
        index += 1
      }
      isDone.withLock { $0 = false }
    }
    writer.start()
    var taken: [(String, CopyReport)] = []
    for round in 0..<12 {
      let path = store.folder + "/backup\(round)"
      taken.append((path, try Backup(of: store.path).write(to: path)))
    }
    isDone.withLock { $0 = true }
    while isDone.withLock({ $0 }) { sched_yield() }
    try log.close()
    let all = try records(in: store.path)
    #expect(taken.map(\.1.records) == taken.map(\.1.records).sorted())
    for (path, report) in taken {
      #expect(text(try records(in: path)) == text(Array(all.prefix(Int(report.records)))))
      let check = try Verifier(directory: path, pinnedKey: key.verifier).run()
      #expect(check.verdict == .ok && check.findings.isEmpty)
      // A checkpoint in its last segment may be newer than those that it publishes.
      #expect(check.anchoredSize ?? 0 >= report.checkpoint ?? 0)
    }
  }

  @Test func `a copy reports its progress, never more than the whole`() throws {
    let signed = try Signed()
    let told = Mutex<[(UInt64, UInt64)]>([])
    _ = try Backup(of: signed.path).write(to: signed.place("backup")) { done, all in
      told.withLock { $0.append((done, all)) }
    }
    let steps = told.withLock { $0 }
    #expect(!steps.isEmpty && steps.allSatisfy { $0.0 <= $0.1 } && steps.last.map { $0.0 == $0.1 } == true)
    #expect(steps.map(\.0) == steps.map(\.0).sorted())
  }
}
