import Foundation
import Testing

@testable import EventStore

@Suite struct VerifierTests {
  /// A closed, signed store of several segments, with three checkpoints.
  private struct Signed {
    let store: TemporaryStore
    let key: SigningKey
    var notes: [SignedNote] = []
    var records: UInt64 = 0

    init() throws {
      store = try TemporaryStore()
      let log = try EventLog.open(at: store.path, options: .init(segmentBytes: 4 << 10, frameBytes: 2 << 10))
      key = try SigningKey.obtain(for: log.identity, store: store.path, path: store.folder + "/key")
      for round in 0..<3 {
        for index in 0..<120 { pass(log, try log.append([record("s/\(index % 5)", "\(round) \(index * 7919)")])) }
        notes.append(try log.checkpoint(with: key))
      }
      pass(log, try log.append([record("s/1", "after")]))
      records = log.size
      try log.close()
    }

    func verify(pinned: Bool = true, checkpoint: SignedNote? = nil, in path: String? = nil) throws -> VerifyReport {
      try Verifier(
        directory: path ?? store.path, pinnedKey: pinned ? key.verifier : nil, pinnedCheckpoint: checkpoint
      ).run()
    }
  }

  @Test func `a log is ok against the pinned key, and unanchored without it`() throws {
    let signed = try Signed()
    let report = try signed.verify()
    #expect(report.verdict == .ok && report.findings.isEmpty)
    #expect(report.records == 362 && report.anchoredSize == 361 && report.recordsAfterAnchor == 1)
    let unpinned = try signed.verify(pinned: false)
    #expect(unpinned.verdict == .unanchored && unpinned.anchoredSize == nil)
    #expect(unpinned.root == report.root)
    #expect(try signed.verify(pinned: false, checkpoint: signed.notes[1]).verdict == .unanchored)
    #expect(try signed.verify(checkpoint: signed.notes[1]).verdict == .ok)
  }

  @Test func `a checkpoint kept elsewhere anchors a store that lost its own`() throws {
    let signed = try Signed()
    for name in try FileManager.default.contentsOfDirectory(atPath: signed.store.path + "/checkpoints") {
      try FileManager.default.removeItem(atPath: signed.store.path + "/checkpoints/" + name)
    }
    // Those in the segments count as well.
    let report = try signed.verify()
    #expect(report.verdict == .ok && report.anchoredSize == 361)
    #expect(report.findings.map(\.segment) == ["checkpoints/latest"] && report.findings.allSatisfy { $0.kind == .ok })
  }

  @Test func `a checkpoint kept elsewhere anchors a store that was never signed`() throws {
    let store = try TemporaryStore()
    try makeSegments(in: store)
    let reader = try LogReader(directory: store.path)
    let key = try SigningKey(name: reader.identity.origin)
    let note = try SignedNote(origin: reader.identity.origin, size: 241, root: try reader.root(at: 241), signedBy: key)
    let report = try Verifier(directory: store.path, pinnedKey: key.verifier, pinnedCheckpoint: note).run()
    #expect(report.verdict == .ok && report.anchoredSize == 241)
    #expect(try Verifier(directory: store.path, pinnedKey: key.verifier).run().verdict == .unanchored)
  }

  @Test func `a directory in the place of a segment is a verdict`() throws {
    for number in [0, 1] {
      let signed = try Signed()
      let path = try signed.store.segments()[number]
      try FileManager.default.removeItem(atPath: path)
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
      for pinned in [true, false] {
        let report = try signed.verify(pinned: pinned)
        #expect(report.verdict == .altered || report.verdict == .missingSegment, "\(report)")
        #expect(report.findings.contains { $0.segment.map(path.hasSuffix) == true && $0.kind == .altered })
      }
    }
  }

  @Test func `the last segment removed is truncated`() throws {
    let signed = try Signed()
    let segments = try signed.store.segments()
    for path in segments.suffix(2) { try FileManager.default.removeItem(atPath: path) }
    #expect(try signed.verify().verdict == .truncated)
    #expect(throws: StoreError(.truncated, "")) { try EventLog.open(at: signed.store.path) }
  }

  @Test func `all segments removed is truncated`() throws {
    let signed = try Signed()
    for path in try signed.store.segments() { try FileManager.default.removeItem(atPath: path) }
    #expect(try signed.verify().verdict == .truncated)
    #expect(throws: StoreError(.missingSegment, "")) { try EventLog.open(at: signed.store.path) }
  }

  @Test func `a log cut at a frame with the framing whole is truncated`() throws {
    let signed = try Signed()
    let segments = try signed.store.segments()
    let last = try #require(segments.last { SegmentName.first(of: String($0.suffix(31))) ?? 0 < 361 })
    for later in segments where later > last { try FileManager.default.removeItem(atPath: later) }
    let file = try SystemDisk().open(last, .update)
    let head = try FileHead(of: file)
    try file.truncate(to: head.end + 100)
    #expect(try signed.verify().verdict == .truncated)
    #expect(throws: StoreError(.truncated, "")) { try EventLog.open(at: signed.store.path) }
    try file.truncate(to: head.end)
    #expect(try signed.verify().verdict == .truncated)
    #expect(throws: StoreError(.truncated, "")) { try EventLog.open(at: signed.store.path) }
  }

  @Test func `a segment removed from the middle is missing`() throws {
    let signed = try Signed()
    let segments = try signed.store.segments()
    try FileManager.default.removeItem(atPath: segments[1])
    let report = try signed.verify()
    #expect(report.verdict == .missingSegment)
    #expect(report.records == SegmentName.first(of: String(segments[1].suffix(31))))
    #expect(report.findings.contains { $0.kind == .missingSegment && $0.segment == String(segments[2].suffix(31)) })
  }

  @Test func `the first segment removed is missing`() throws {
    let signed = try Signed()
    try FileManager.default.removeItem(atPath: try signed.store.segments()[0])
    #expect(try signed.verify().verdict == .missingSegment)
  }

  @Test func `two segments swapped are altered`() throws {
    let signed = try Signed()
    let segments = try signed.store.segments()
    let (one, two) = (try bytes(of: segments[1]), try bytes(of: segments[2]))
    try write(two, to: segments[1])
    try write(one, to: segments[2])
    #expect(try signed.verify().verdict == .altered)
  }

  @Test func `a byte changed in an older segment is altered, and the report says where`() throws {
    let signed = try Signed()
    let path = try signed.store.segments()[1]
    var bad = try bytes(of: path)
    bad[bad.count / 2] ^= 1
    try write(bad, to: path)
    let report = try signed.verify()
    #expect(report.verdict == .altered)
    let finding = try #require(report.findings.first { $0.kind == .altered })
    #expect(finding.segment == String(path.suffix(31)) && finding.offset != nil && finding.position != nil)
  }

  /// Rewrites the records of a store, with one changed, so that framing and links are all good.
  private func forge(_ signed: Signed) throws -> String {
    let path = signed.store.folder + "/forged"
    let log = try EventLog.open(at: path, options: .init(origin: signed.key.verifier.name))
    for stored in try records(in: signed.store.path).dropFirst() {
      var data = Array(stored.data)
      if stored.position == 100 { data[9] ^= 1 }
      _ = try log.append([
        NewRecord(at: stored.at, stream: stored.stream, type: stored.type, version: stored.version, data: data)
      ])
    }
    try log.close()
    for name in ["checkpoints"] {
      try FileManager.default.removeItem(atPath: path + "/" + name)
      try FileManager.default.copyItem(atPath: signed.store.path + "/" + name, toPath: path + "/" + name)
    }
    return path
  }

  @Test func `a log rewritten under old checkpoints is forked`() throws {
    let signed = try Signed()
    let forged = try forge(signed)
    let report = try signed.verify(in: forged)
    #expect(report.verdict == .forked)
    #expect(report.findings.contains { $0.kind == .forked && $0.message.contains("root") })
    #expect(try signed.verify(checkpoint: signed.notes[0], in: forged).verdict == .forked)
  }

  @Test func `a checkpoint changed by any byte is no longer believed`() throws {
    let signed = try Signed()
    let path = signed.store.path + "/checkpoints/latest"
    let good = try bytes(of: path)
    for index in good.indices {
      var bad = good
      bad[index] ^= 1
      try write(bad, to: path)
      #expect(try signed.verify().verdict == .badSignature, "\(index)")
    }
  }

  @Test func `checkpoints signed by another key are no signature`() throws {
    let signed = try Signed()
    let other = try SigningKey(name: signed.key.verifier.name)
    let note = try SignedNote(
      origin: signed.notes[2].origin, size: signed.notes[2].size, root: signed.notes[2].root, signedBy: other)
    try write(Array(note.text.utf8), to: signed.store.path + "/checkpoints/latest")
    #expect(try signed.verify().verdict == .badSignature)
    #expect(try signed.verify(pinned: false).verdict == .badSignature)
  }

  @Test func `a key replaced in store json is found against the pinned one`() throws {
    let signed = try Signed()
    let layout = StoreLayout(signed.store.path)
    var identity = try StoreIdentity(of: layout, on: SystemDisk())
    identity.publicKey = try SigningKey(name: identity.origin).verifier.description
    try identity.save(to: layout, on: SystemDisk())
    #expect(try signed.verify().verdict == .badSignature)
  }

  @Test func `an older copy put back is truncated against the checkpoint kept elsewhere`() throws {
    let signed = try Signed()
    let copy = try signed.store.copy()
    let log = try EventLog.open(at: signed.store.path)
    _ = try log.append([record("s/1", "more")])
    let note = try log.checkpoint(with: signed.key)
    try log.close()
    #expect(try signed.verify(checkpoint: note).verdict == .ok)
    #expect(try signed.verify(checkpoint: note, in: copy).verdict == .truncated)
    #expect(try signed.verify(pinned: false, checkpoint: note, in: copy).verdict == .truncated)
  }

  @Test func `a checkpoint at the same size is the same note, and a wrong key is refused`() throws {
    let signed = try Signed()
    let log = try EventLog.open(at: signed.store.path)
    let note = try log.checkpoint(with: signed.key)
    #expect(try log.checkpoint(with: signed.key) == note)
    #expect(throws: StoreError(.keyMismatch, "")) { try log.checkpoint(with: SigningKey(name: log.identity.origin)) }
    #expect(throws: StoreError(.keyMismatch, "")) { try log.checkpoint(with: SigningKey(name: "other")) }
    #expect(log.identity.publicKey == signed.key.verifier.description)
    try log.close()
  }

  @Test func `a key that the store names and that is not there is missing, not made again`() throws {
    let signed = try Signed()
    let identity = try LogReader(directory: signed.store.path).identity
    let place = signed.store.folder + "/key"
    #expect(try SigningKey.obtain(for: identity, store: signed.store.path, path: place).verifier == signed.key.verifier)
    try FileManager.default.removeItem(atPath: place)
    #expect(throws: StoreError(.keyMissing, "")) {
      try SigningKey.obtain(for: identity, store: signed.store.path, path: place)
    }
    #expect(throws: StoreError(.invalid, "")) {
      try SigningKey.obtain(for: identity, store: signed.store.path, path: signed.store.path + "/key")
    }
  }

  @Test func `every verdict has its exit code`() {
    let codes = VerifyReport.Verdict.allCases.map { "\($0.rawValue) \($0.exitCode)" }
    #expect(
      codes == [
        "ok 0", "unanchored 10", "torn 11", "altered 20", "truncated 21", "forked 22", "badSignature 23",
        "missingSegment 24", "pruned 30",
      ])
  }
}
