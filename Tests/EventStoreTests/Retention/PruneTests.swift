import Foundation
import Testing

@testable import EventStore

/// Dropping old records, and keeping what proves them.
@Suite struct PruneTests {
  private struct Pruned {
    let store: TemporaryStore
    let key: SigningKey
    let before: [StoredRecord]
    let report: PruningReport
  }

  /// A store of 500 records whose first 200 or so were pruned.
  private func pruned(sealing: Bool = true) throws -> Pruned {
    let store = try TemporaryStore()
    let key = try SigningKey(name: "seal")
    try makeSegments(in: store, signedBy: key)
    let before = try records(in: store.path)
    let log = try EventLog.open(at: store.path, options: smallSegments())
    if sealing { _ = try log.seal() }
    let report = try log.prune(before: .position(200), signingWith: key)
    try log.close()
    return Pruned(store: store, key: key, before: before, report: report)
  }

  @Test(arguments: [true, false]) func `what is kept is unchanged, and old proofs still hold`(_ sealing: Bool) throws {
    let it = try pruned(sealing: sealing)
    let kept = it.report.firstKept
    #expect(kept > 100 && kept <= 200)
    #expect(it.report.records == kept)
    #expect(it.report.bytesFreed > 0)
    let reader = try LogReader(directory: it.store.path)
    #expect(try reader.firstKept() == kept)
    var cursor = try reader.cursor()
    var found: [StoredRecord] = []
    while let record = try cursor.next() { found.append(record) }
    #expect(found.dropLast() == it.before[Int(kept)...])
    #expect(found.last?.type == "log.pruned")

    let leaves = it.before.map { MerkleTree.leaf($0.line) }
    for position in [0, 1, kept - 1, kept, 300] {
      let proof = try reader.inclusionProof(of: position, size: 450)
      #expect(proof.isValid)
      #expect(proof.leafHash == leaves[Int(position)])
      #expect(proof.root == MerkleTree.root(of: leaves[..<450]))
    }
    #expect(try reader.consistencyProof(first: 33, second: 450).isValid)
    #expect(try reader.root(at: 100) == MerkleTree.root(of: leaves[..<100]))
    #expect(try reader.last(10_000) == found)
    let statistics = try reader.statistics()
    #expect(statistics.prunedRecords == kept)
    #expect(statistics.records == UInt64(it.before.count + 1))
  }

  @Test func `a tail that is torn where the log records a pruning is no excuse for what is gone`() throws {
    let it = try pruned()
    let layout = StoreLayout(it.store.path)
    let disk = SystemDisk()
    let size = UInt64(it.before.count)
    for signed in try layout.checkpointSizes(on: disk) where signed > size {
      try disk.remove(layout.checkpoints + "/\(signed)")
    }
    let older = try #require(try layout.checkpointSizes(on: disk).max())
    try write(try bytes(of: layout.checkpoints + "/\(older)"), to: layout.latestCheckpoint)
    let last = try #require(it.store.segments().last)
    var all = try bytes(of: last)
    // Into the commit of the last record, which records it.
    while try records(in: it.store.path, from: it.report.firstKept).count > Int(size - it.report.firstKept) {
      all.removeLast()
      try write(all, to: last)
    }
    let report = try Verifier(directory: it.store.path, pinnedKey: it.key.verifier).run()
    #expect(report.verdict == .altered && report.findings.contains { $0.kind == .torn }, "\(report.findings)")
  }

  @Test func `what a record says of pruning behind itself does not count`() throws {
    for (before, counts) in [(5, true), (9, false)] as [(UInt64, Bool)] {
      let forged = PrunedRecord(before: before, records: 1, limit: .position(before)).record(at: noon)
      let line =
        "{\"n\":5,\"at\":\"\(noon)\",\"stream\":\"log\",\"rev\":1,\"type\":\"log.pruned\",\"v\":1,\"data\":"
        + String(decoding: forged.data, as: UTF8.self) + "}"
      #expect((PrunedRecord(try StoredRecord(line: Array(line.utf8))) != nil) == counts, "before \(before)")
    }
  }

  @Test func `verify says pruned where it is anchored, and names the ranges`() throws {
    let it = try pruned()
    let report = try Verifier(directory: it.store.path, pinnedKey: it.key.verifier).run()
    #expect(report.verdict == .pruned)
    #expect(report.records == UInt64(it.before.count + 1))
    #expect(report.findings.count == it.report.segments)
    #expect(report.findings.allSatisfy { $0.kind == .pruned && $0.segment != nil })
    #expect(try Verifier(directory: it.store.path).run().verdict == .unanchored)
  }

  @Test func `a pruned position, and a stream that lost its start, are errors that say what is kept`() throws {
    let it = try pruned()
    let reader = try LogReader(directory: it.store.path)
    #expect(throws: StoreError(.pruned, "")) { try reader.cursor(from: 5) }
    #expect(throws: StoreError(.pruned, "")) { try reader.records(of: "s/3") }
    let kept = it.before.filter { $0.stream == "s/3" && $0.position >= it.report.firstKept }
    #expect(try reader.keptRecords(of: "s/3") == kept)
    #expect(try reader.records(of: "nobody").isEmpty)
    do {
      _ = try reader.cursor(from: 5)
    } catch {
      #expect(error.description.contains("\(it.report.firstKept)"))
    }
  }

  @Test func `a stream goes on with its revision, also where all of it was pruned`() throws {
    let store = try TemporaryStore()
    let key = try SigningKey(name: "seal")
    var log = try EventLog.open(at: store.path, options: smallSegments())
    for number in 0..<9 { pass(log, try log.append([record("early", "\(number)")])) }
    try fill(log, records: 400)
    _ = try log.prune(before: .position(300), signingWith: key)
    try log.close()
    log = try EventLog.open(at: store.path, options: smallSegments())
    #expect(throws: StoreError(.conflict, "")) { try log.append([record("early")], expecting: .empty) }
    pass(log, try log.append([record("early")], expecting: .revision(8)))
    pass(log, try log.append([record("s/1")]))
    // The ids of the last records are looked for among those that are kept.
    var named = record("s/2")
    named.id = "once"
    let ticket = try log.append([named])
    pass(log, ticket)
    #expect(try log.append([named]).positions == ticket.positions)
    try log.close()
    let report = try Verifier(directory: store.path, pinnedKey: key.verifier).run()
    #expect(report.verdict == .pruned, "\(report)")
    #expect(try LogReader(directory: store.path).keptRecords(of: "early").map(\.revision) == [9])
  }

  @Test func `nothing is pruned that no checkpoint covers`() throws {
    let store = try TemporaryStore()
    try makeSegments(in: store)
    let log = try EventLog.open(at: store.path, options: smallSegments())
    #expect(throws: StoreError(.keyMissing, "")) { try log.prune(before: .position(200)) }
    #expect(try log.prune(before: .position(0)).records == 0)
    let key = try SigningKey(name: "seal")
    #expect(try log.prune(before: .position(200), signingWith: key, dryRun: true).records > 100)
    #expect(try LogReader(directory: store.path).statistics().prunedSegments == 0)
    try log.close()
  }

  @Test func `without the key nothing of a signed log is pruned, but what a signed record speaks of`() throws {
    let store = try TemporaryStore()
    let key = try SigningKey(name: "seal")
    try makeSegments(in: store, signedBy: key)
    let before = try records(in: store.path)
    let log = try EventLog.open(at: store.path, options: smallSegments())
    let error = #expect(throws: StoreError(.keyMissing, "")) { try log.prune(before: .position(300)) }
    #expect(error?.advice?.contains("--signing-key") == true)
    #expect(try log.prune(before: .position(300), dryRun: true).records > 100)
    #expect(try records(in: store.path) == before)
    #expect(try log.prune(before: .position(300), signingWith: key, progress: { done, _ in done < 1 }).segments == 1)
    #expect(try log.prune(before: .position(300)).segments > 0)
    try log.close()
    #expect(try Verifier(directory: store.path, pinnedKey: key.verifier).run().verdict == .pruned)
  }

  /// An open log whose first segment was pruned by a user who can write the directory and has no key.
  private func prunedUnsigned() throws -> (store: TemporaryStore, key: SigningKey, log: EventLog) {
    let store = try TemporaryStore()
    let key = try SigningKey(name: "seal")
    try makeSegments(in: store, signedBy: key)
    let layout = StoreLayout(store.path)
    let firsts = try layout.segmentList(on: SystemDisk())
    let log = try EventLog.open(at: store.path, options: smallSegments())
    let forged = PrunedRecord(before: firsts[1], records: firsts[1], limit: .position(firsts[1]))
    _ = try log.engine.append([forged.record(at: noon)], expecting: .any)
    try log.sync()
    _ = try SegmentPruner(layout: layout, disk: SystemDisk()).prune(firsts[0], before: firsts[1])
    return (store, key, log)
  }

  @Test func `a pruning that only the unsigned tail has is altered, and is not signed`() throws {
    let (store, key, log) = try prunedUnsigned()
    let report = try Verifier(directory: store.path, pinnedKey: key.verifier).run()
    #expect(report.verdict == .altered && report.findings.contains { $0.message.contains("no checkpoint that counts") })
    #expect(try Verifier(directory: store.path).run().verdict == .altered)
    #expect(throws: StoreError(.altered, "")) { try log.checkpoint(with: key) }
    try log.close()
    #expect(try Verifier(directory: store.path, pinnedKey: key.verifier).run().verdict == .altered)
  }

  @Test func `a text about a log is not signed if records are gone without a signed record of it`() throws {
    let (store, key, log) = try prunedUnsigned()
    try log.close()
    let reader = try LogReader(directory: store.path)
    #expect(throws: StoreError(.altered, "")) { try reader.signedText("a text\n", by: key) }
    let it = try pruned()
    #expect(throws: Never.self) { try LogReader(directory: it.store.path).signedText("a text\n", by: it.key) }
  }

  @Test func `a record of a pruning that nothing signed is not signed later, unless that pruning goes on`() throws {
    let store = try TemporaryStore()
    let key = try SigningKey(name: "seal")
    try makeSegments(in: store, signedBy: key)
    let end = try StoreLayout(store.path).segmentList(on: SystemDisk())[2]
    let forging = try EventLog.open(at: store.path, options: smallSegments())
    let forged = PrunedRecord(before: end, records: end, limit: .position(end))
    _ = try forging.engine.append([forged.record(at: noon)], expecting: .any)
    try forging.close()

    let log = try EventLog.open(at: store.path, options: smallSegments())
    let size = log.size
    for _ in 0..<2 {
      let error = #expect(throws: StoreError(.altered, "")) { try log.checkpoint(with: key) }
      #expect(error?.advice?.contains("prune --before \(end)") == true, "\(error as Any)")
    }
    #expect(throws: StoreError(.altered, "")) { try log.handOver(from: key, to: SigningKey(name: "seal")) }
    #expect(throws: StoreError(.altered, "")) { try log.prune(before: .position(end - 1), signingWith: key) }
    let report = try log.prune(before: .position(end), signingWith: key)
    #expect(report.records == end && report.told == nil, "\(report)")
    #expect(try log.checkpoint(with: key).size >= size)
    try log.close()
    #expect(try Verifier(directory: store.path, pinnedKey: key.verifier).run().verdict == .pruned)
  }

  @Test func `records whose footer says that they were pruned, and which are there, were altered`() throws {
    let store = try TemporaryStore()
    let key = try SigningKey(name: "seal")
    try makeSegments(in: store, signedBy: key)
    let log = try EventLog.open(at: store.path, options: smallSegments())
    _ = try log.seal()
    try log.close()
    let layout = StoreLayout(store.path)
    let firsts = try layout.segmentList(on: SystemDisk())
    let path = layout.segment(firsts[0])
    let sealed = try bytes(of: path)
    let place = try #require(try FooterPlace.body(in: MemoryFile(sealed, path: path)))
    var leaves: [TreeHash] = []
    var contents = try SegmentContents(linesOf: MemoryFile(sealed, path: path), limit: nil) { _, _, hash in
      leaves.append(hash)
    }
    contents.form = .pruned
    contents.streams = contents.streams.map(\.pruned)
    contents.nodes = SegmentNodes(0..<contents.frontier.size).hashes(of: leaves)
    let footer = SkippableFrame(kind: .footer, body: SegmentIndex.encode(contents)).encoded
    try write(Array(sealed.prefix(Int(place.offset) - 12)) + footer, to: path)
    for threads in [1, 2] {
      let report = try Verifier(directory: store.path, pinnedKey: key.verifier).run(threads: threads)
      #expect(report.verdict == .altered, "\(report)")
    }
  }

  @Test func `a key is not handed over across a pruning that only the unsigned tail has`() throws {
    let (store, key, log) = try prunedUnsigned()
    let size = log.size
    #expect(throws: StoreError(.altered, "")) { try log.handOver(from: key, to: SigningKey(name: "seal")) }
    // Nothing was said of a new key either.
    #expect(log.size == size && log.identity.publicKey == key.verifier.description)
    try log.close()
    #expect(try Verifier(directory: store.path, pinnedKey: key.verifier).run().verdict == .altered)
  }

  @Test func `a key is handed over after a pruning that is signed`() throws {
    let it = try pruned()
    let log = try EventLog.open(at: it.store.path, options: smallSegments())
    let next = try SigningKey(name: "seal")
    _ = try log.handOver(from: it.key, to: next)
    pass(log, try log.append([record("s/1")]))
    _ = try log.checkpoint(with: next)
    try log.close()
    for key in [it.key, next] {
      #expect(try Verifier(directory: it.store.path, pinnedKey: key.verifier).run().verdict == .pruned)
    }
  }

  @Test func `after a pruning a checkpoint costs the same in a small and in a large log`() throws {
    func calls(of records: Int) throws -> Int {
      let disk = MemoryDisk(seed: 5)
      let key = try SigningKey(name: "seal")
      var options = smallSegments(2 << 10)
      options.disk = disk
      let log = try EventLog.open(at: "/audit", options: options)
      try fill(log, records: records)
      _ = try log.prune(before: .position(100), signingWith: key)
      for number in 0..<2 {
        pass(log, try log.append([record("s/1", "\(number)")]))
        try log.sync()
        _ = try log.checkpoint(with: key)
      }
      pass(log, try log.append([record("s/1")]))
      try log.sync()
      let before = disk.callCount
      _ = try log.checkpoint(with: key)
      let count = disk.callCount - before
      try log.close()
      return count
    }
    let (few, many) = (try calls(of: 300), try calls(of: 3_000))
    #expect(many < few + 80, "\(few), \(many)")
  }

  @Test(arguments: ["sealed", "pruned"])
  func `the log keeps no file open that was replaced`(how: String) throws {
    guard FileManager.default.fileExists(atPath: "/proc/self/fd") else { return }
    let store = try TemporaryStore()
    let key = try SigningKey(name: "seal")
    try makeSegments(in: store, signedBy: key)
    let log = try EventLog.open(at: store.path, options: smallSegments())
    // Whether this stream is new is asked of all segments.
    pass(log, try log.append([record("another")]))
    if how == "sealed" {
      #expect(try log.seal().sealed > 1)
    } else {
      #expect(try log.prune(before: .position(300), signingWith: key).segments > 1)
    }
    let folder = "/proc/self/fd/"
    let deleted = try FileManager.default.contentsOfDirectory(atPath: folder)
      .compactMap { try? FileManager.default.destinationOfSymbolicLink(atPath: folder + $0) }
      .filter { $0.contains(store.path + "/") && $0.hasSuffix("(deleted)") }
    #expect(deleted.isEmpty, "\(deleted)")
    try log.close()
  }

  @Test func `pruning by time goes by the records, and stops at the first that is younger`() throws {
    let store = try TemporaryStore()
    let key = try SigningKey(name: "seal")
    let log = try EventLog.open(at: store.path, options: smallSegments())
    for number in 0..<400 {
      var new = record("s/\(number % 5)", "\(number) \(String(UInt64(number) &* 0x9E37_79B9_7F4A_7C15, radix: 36))")
      new.at = Timestamp(microseconds: noon.microseconds + Int64(number) * 1_000_000)
      pass(log, try log.append([new]))
    }
    let report = try log.prune(
      before: .time(Timestamp(microseconds: noon.microseconds + 200_000_000)), signingWith: key)
    #expect(report.firstKept > 50 && report.firstKept <= 201)
    try log.close()
    #expect(try Verifier(directory: store.path, pinnedKey: key.verifier).run().verdict == .pruned)
  }

  @Test func `records that are gone without a record of it were altered`() throws {
    let it = try pruned()
    let other = try TemporaryStore()
    try makeSegments(in: other, signedBy: it.key)
    let log = try EventLog.open(at: other.path, options: smallSegments())
    try log.close()
    // Drop a segment behind the log's back.
    let layout = StoreLayout(other.path)
    let firsts = try layout.segmentList(on: SystemDisk())
    _ = try SegmentPruner(layout: layout, disk: SystemDisk()).prune(firsts[0], before: firsts[1])
    let report = try Verifier(directory: other.path, pinnedKey: it.key.verifier).run()
    #expect(report.verdict == .altered)
    #expect(report.findings.first?.message.contains("log.pruned") == true)
  }

  @Test func `any changed bit of a pruned segment is found`() throws {
    let store = try TemporaryStore()
    let key = try SigningKey(name: "seal")
    let log = try EventLog.open(at: store.path, options: smallSegments(1 << 10))
    try fill(log, records: 60, streams: 3)
    _ = try log.prune(before: .position(30), signingWith: key)
    try log.close()
    let path = try store.segments()[1]
    let good = try bytes(of: path)
    for bit in stride(from: 0, to: good.count * 8, by: 23) {
      var bad = good
      bad[bit / 8] ^= 1 << (bit % 8)
      try write(bad, to: path)
      let report = try Verifier(directory: store.path, pinnedKey: key.verifier).run()
      #expect(report.verdict == .altered || report.verdict == .forked, "bit \(bit): \(report.verdict)")
    }
  }

  @Test func `pruning twice goes on where it ended, and an interrupted one is finished`() throws {
    let store = try TemporaryStore()
    let key = try SigningKey(name: "seal")
    try makeSegments(in: store, signedBy: key)
    let log = try EventLog.open(at: store.path, options: smallSegments())
    let first = try log.prune(before: .position(300), signingWith: key, progress: { done, _ in done < 1 })
    #expect(first.segments == 1)
    #expect(try Verifier(directory: store.path, pinnedKey: key.verifier).run().verdict == .pruned)
    let second = try log.prune(before: .position(300), signingWith: key)
    #expect(second.segments > 0)
    #expect(second.told == nil)
    #expect(try log.prune(before: .position(300), signingWith: key).segments == 0)
    try log.close()
    #expect(try Verifier(directory: store.path, pinnedKey: key.verifier).run().verdict == .pruned)
  }

  @Test(.enabled(if: hasIndependentCheck, "lz4, python3 or openssl is not here"))
  func `lz4 prints what is kept, and an independent reader agrees`() throws {
    let it = try pruned()
    let printed = try shell("cat '\(it.store.path)'/segments/*.ndjson.lz4 | lz4 -dc")
    #expect(printed.status == 0)
    #expect(printed.output == text(try LogReader(directory: it.store.path).cursorRecords()))
    let checked = try shell("python3 '\(independentCheck)' '\(it.store.path)'")
    try #require(checked.status == 0, "\(checked.errors)")
    #expect(String(decoding: checked.output, as: UTF8.self).contains(try Verifier(directory: it.store.path).run().root))
  }
}

extension LogReader {
  /// All records that are kept.
  fileprivate func cursorRecords() throws -> [StoredRecord] {
    var cursor = try cursor()
    var all: [StoredRecord] = []
    while let record = try cursor.next() { all.append(record) }
    return all
  }
}
