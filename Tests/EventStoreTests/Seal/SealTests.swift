import Foundation
import Testing

@testable import EventStore

/// Rewriting closed segments changes nothing that a reader can see, but their size.
@Suite struct SealTests {
  private func seal(_ store: TemporaryStore) throws -> SealingReport {
    let log = try EventLog.open(at: store.path, options: smallSegments())
    let report = try log.seal()
    try log.close()
    return report
  }

  @Test func `sealing keeps every byte, root, proof and checkpoint`() throws {
    let store = try TemporaryStore()
    let key = try SigningKey(name: "seal")
    try makeSegments(in: store, signedBy: key)
    let before = try records(in: store.path)
    let reader = try LogReader(directory: store.path)
    let proof = try reader.inclusionProof(of: 123, size: 400)
    let other = try reader.consistencyProof(first: 77, second: 450)
    let verdict = try Verifier(directory: store.path, pinnedKey: key.verifier).run()
    #expect(verdict.verdict == .ok)

    let report = try seal(store)
    #expect(report.sealed >= 5)
    #expect(report.left == 0)
    #expect(try records(in: store.path) == before)
    #expect(try Verifier(directory: store.path, pinnedKey: key.verifier).run() == verdict)
    let later = try LogReader(directory: store.path)
    #expect(try later.inclusionProof(of: 123, size: 400) == proof)
    #expect(try later.consistencyProof(first: 77, second: 450) == other)
    #expect(try later.statistics().sealedSegments == report.sealed)
    for stream in Set(before.map(\.stream)) {
      #expect(try later.records(of: stream) == before.filter { $0.stream == stream })
      #expect(try reader.records(of: stream) == before.filter { $0.stream == stream })
    }
    // A second time there is nothing to do.
    #expect(try seal(store).sealed == 0)
  }

  @Test func `a cursor from any position reads the same of sealed segments`() throws {
    let store = try TemporaryStore()
    try makeSegments(in: store, records: 200)
    let before = try records(in: store.path)
    _ = try seal(store)
    for position in stride(from: 0, to: before.count, by: 7) {
      #expect(try records(in: store.path, from: UInt64(position)) == Array(before[position...]))
    }
  }

  @Test func `proofs of all sizes out of sealed segments are those of the lines`() throws {
    let store = try TemporaryStore()
    try makeSegments(in: store, records: 1_300)
    _ = try seal(store)
    let leaves = try records(in: store.path).map { MerkleTree.leaf($0.line) }
    let reader = try LogReader(directory: store.path)
    var random = SeededRandom(20)
    for _ in 0..<300 {
      let size = 1 + random.next() % UInt64(leaves.count)
      let position = random.next() % size
      let proof = try reader.inclusionProof(of: position, size: size)
      #expect(proof.isValid)
      #expect(proof.root == MerkleTree.root(of: leaves[..<Int(size)]), "size \(size)")
      let consistency = try reader.consistencyProof(first: position, second: size)
      #expect(consistency.isValid)
      #expect(consistency.firstRoot == MerkleTree.root(of: leaves[..<Int(position)]))
      #expect(try reader.root(at: size) == proof.root)
    }
  }

  @Test(.enabled(if: hasIndependentCheck, "lz4, python3 or openssl is not here"))
  func `lz4 prints a sealed log, and an independent reader agrees`() throws {
    let store = try TemporaryStore()
    let key = try SigningKey(name: "seal")
    try makeSegments(in: store, signedBy: key)
    let before = text(try records(in: store.path))
    _ = try seal(store)
    let printed = try shell("cat '\(store.path)'/segments/*.ndjson.lz4 | lz4 -dc")
    #expect(printed.status == 0)
    #expect(printed.output == before)
    for segment in try store.segments() { #expect(try shell("lz4 -tq '\(segment)'").status == 0) }
    let checked = try shell("python3 '\(independentCheck)' '\(store.path)'")
    try #require(checked.status == 0, "\(checked.errors)")
    let root = try Verifier(directory: store.path).run().root
    #expect(String(decoding: checked.output, as: UTF8.self).contains(root))
  }

  @Test(.enabled(if: hasIndependentCheck, "lz4, python3 or openssl is not here"))
  func `a segment whose end is superseded is sealed after the next opening; an independent reader reads both`()
    throws
  {
    let disk = MemoryDisk(seed: 7)
    let path = "/volume/audit"
    var options = smallSegments(1 << 20)
    options.disk = disk
    var log = try EventLog.open(at: path, options: options)
    let key = try SigningKey(name: "seal")
    try fill(log, records: 40)
    for number in 0..<3 { pass(log, try log.append([record("c", "\(number)")])) }
    disk.fail(.sync, number: 1, with: .io)
    _ = try log.checkpoint(with: key)
    #expect(try StoreLayout(path).segmentList(on: disk).count == 2)
    let store = try TemporaryStore()
    func check(_ name: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
      let copy = store.folder + "/" + name
      try disk.copy(path, to: copy)
      let checked = try shell("python3 '\(independentCheck)' '\(copy)'")
      #expect(checked.status == 0, "\(checked.errors)", sourceLocation: sourceLocation)
      #expect(String(decoding: checked.output, as: UTF8.self).hasPrefix("\(log.size) "), sourceLocation: sourceLocation)
    }
    try check("superseded")
    #expect(try log.seal().left == 1)
    try log.close()
    log = try EventLog.open(at: path, options: options)
    #expect(try log.seal().sealed == 1)
    _ = try log.checkpoint(with: key)
    try check("sealed")
    try log.close()
    #expect(try Verifier(directory: path, pinnedKey: key.verifier, disk: disk).run().verdict == .ok)
  }

  @Test func `readers go on in the old file while segments are sealed`() throws {
    let store = try TemporaryStore()
    try makeSegments(in: store)
    let all = try records(in: store.path)
    var cursors = try [0, 3, 50, 111, 250].map {
      (UInt64($0), try LogReader(directory: store.path).cursor(from: UInt64($0)))
    }
    var seen: [[StoredRecord]] = []
    for index in cursors.indices {
      seen.append(try (0..<5).compactMap { _ in try cursors[index].1.next() })
    }
    _ = try seal(store)
    for index in cursors.indices {
      while let record = try cursors[index].1.next() { seen[index].append(record) }
      #expect(seen[index] == Array(all[Int(cursors[index].0)...]))
    }
  }

  @Test func `a log is appended to while it is sealed`() throws {
    let store = try TemporaryStore()
    var options = smallSegments()
    options.sealing = .automatic
    let log = try EventLog.open(at: store.path, options: options)
    try fill(log, records: 300)
    let done = DispatchSemaphore(value: 0)
    let thread = Thread {
      _ = try? log.seal()
      done.signal()
    }
    thread.start()
    try fill(log, records: 300, from: 300)
    done.wait()
    _ = try log.seal()
    try log.close()
    let report = try Verifier(directory: store.path).run()
    #expect(report.findings.isEmpty)
    #expect(report.records == 601)
    #expect(try LogReader(directory: store.path).statistics().sealedSegments > 5)
  }

  @Test func `an older stream is appended to behind sealed segments`() throws {
    let store = try TemporaryStore()
    try makeSegments(in: store)
    _ = try seal(store)
    let log = try EventLog.open(at: store.path, options: smallSegments())
    let expected = try LogReader(directory: store.path).records(of: "s/3").count
    pass(log, try log.append([record("s/3")], expecting: .revision(expected - 1)))
    pass(log, try log.append([record("new")], expecting: .empty))
    #expect(throws: StoreError(.conflict, "")) { try log.append([record("s/4")], expecting: .empty) }
    try log.close()
    #expect(try Verifier(directory: store.path).run().findings.isEmpty)
  }

  @Test func `a segment that is sealed and the last takes nothing more: a new one follows`() throws {
    let store = try TemporaryStore()
    try makeSegments(in: store)
    _ = try seal(store)
    // The segments behind were removed.
    let files = try store.segments()
    for path in files.dropFirst(2) { try FileManager.default.removeItem(atPath: path) }
    try? FileManager.default.removeItem(atPath: store.path + "/checkpoints/latest")
    let kept = try records(in: store.path)
    let log = try EventLog.open(at: store.path, options: smallSegments())
    pass(log, try log.append([record("s/1")]))
    try log.close()
    #expect(try records(in: store.path).count == kept.count + 1)
    #expect(try Verifier(directory: store.path).run().findings.isEmpty)
  }

  @Test func `damaged segments are not sealed and stay as they are; the report has their errors and what was sealed`()
    throws
  {
    let store = try TemporaryStore()
    try makeSegments(in: store)
    let paths = try store.segments()
    var bad: [String: [UInt8]] = [:]
    for path in [paths[1], paths[3]] { bad[path] = try damage(path) }
    let log = try EventLog.open(at: store.path, options: smallSegments())
    let before = try paths.dropLast().filter { bad[$0] == nil }.map { UInt64(try bytes(of: $0).count) }.reduce(0, +)
    let report = try log.seal()
    try log.close()
    #expect(report.damaged.map(\.code) == [.altered, .altered])
    #expect(report.damaged.map(\.file) == [paths[1], paths[3]])
    #expect(report.damaged.allSatisfy { $0.advice != nil })
    #expect(report.sealed >= paths.count - 3 && report.left == 0)
    #expect(report.bytesBefore >= before && report.bytesAfter > 0)
    for (path, changed) in bad { #expect(try bytes(of: path) == changed) }
    #expect(try store.segments().allSatisfy { !$0.hasSuffix(".tmp") })
    try expectSealed(store, butFor: 1, 3)
  }

  /// Flips a bit in the middle of a file; returns its new content.
  private func damage(_ path: String) throws -> [UInt8] {
    var changed = try bytes(of: path)
    changed[changed.count / 2] ^= 0x10
    try write(changed, to: path)
    return changed
  }

  /// All segments but the last and these are sealed.
  private func expectSealed(
    _ store: TemporaryStore, butFor left: Int..., location: SourceLocation = #_sourceLocation
  ) throws {
    let forms = try store.segments().map { path in
      try FooterPlace.form(in: MemoryFile(try bytes(of: path), path: path))
    }
    #expect(forms.count > 4, sourceLocation: location)
    for index in forms.indices.dropLast() {
      #expect((forms[index] == .sealed) == !left.contains(index), "\(index)", sourceLocation: location)
    }
  }

  @Test func `a log that seals by itself reports a damaged segment once, and seals the later ones`() throws {
    let store = try TemporaryStore()
    try makeSegments(in: store)
    let path = try store.segments()[1]
    let bad = try damage(path)
    let metrics = RecordingMetrics()
    var options = smallSegments()
    (options.sealing, options.metrics) = (.automatic, metrics)
    let log = try EventLog.open(at: store.path, options: options)
    let isTold = { (measurement: LogMeasurement) in
      if case .sealingFailed(let error) = measurement { error.code == .altered && error.file == path } else { false }
    }
    #expect(metrics.wait(1, isTold))
    try expectSealed(store, butFor: 1)
    #expect(try bytes(of: path) == bad)
    try expectLaterWork(log, store, from: 500)
    #expect(metrics.all.count(where: isTold) == 1)
    try log.close()
  }

  @Test func `while a segment that could not be sealed is reported, no lock of the log is held`() throws {
    let store = try TemporaryStore()
    try makeSegments(in: store)
    _ = try damage(store.segments()[1])
    let metrics = SlowMetrics()
    var options = smallSegments()
    (options.sealing, options.metrics) = (.automatic, metrics)
    let log = try EventLog.open(at: store.path, options: options)
    #expect(metrics.entered.wait(timeout: .now() + 60) == .success)
    let done = DispatchSemaphore(value: 0)
    let thread = Thread {
      try? log.engine.keeper.alone {}
      done.signal()
    }
    thread.start()
    #expect(done.wait(timeout: .now() + 60) == .success)
    metrics.mayLeave.signal()
    try log.close()
  }

  /// Fills segments, and waits until one of them is sealed, twice: what the first of these pieces of work had to report
  /// was reported before the second began.
  private func expectLaterWork(
    _ log: EventLog, _ store: TemporaryStore, from start: Int, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    for round in 0..<2 {
      let size = log.size
      try fill(log, records: 600, from: start + 600 * round)
      #expect(
        try isSealed(from: size, in: store), "no later segment was sealed within a minute",
        sourceLocation: sourceLocation)
    }
  }

  /// Waits until a segment that begins at that position or later is sealed; false after a minute.
  private func isSealed(from first: UInt64, in store: TemporaryStore) throws -> Bool {
    let (layout, disk) = (StoreLayout(store.path), SystemDisk())
    let limit = Date(timeIntervalSinceNow: 60)
    while Date() < limit {
      for segment in try layout.segmentList(on: disk) where segment >= first {
        if try FooterPlace.form(in: disk.open(layout.segment(segment), .read)) == .sealed { return true }
      }
      Thread.sleep(forTimeInterval: 0.01)
    }
    return false
  }

  @Test func `a damaged header is reported once, and the segment before it is sealed once that is mended`() throws {
    let store = try TemporaryStore()
    try makeSegments(in: store)
    let paths = try store.segments()
    let good = try bytes(of: paths[2])
    try write(withWrongRoot(good), to: paths[2])
    let metrics = RecordingMetrics()
    var options = smallSegments()
    (options.sealing, options.metrics) = (.automatic, metrics)
    let log = try EventLog.open(at: store.path, options: options)
    func files() -> [String?] {
      metrics.all.compactMap { if case .sealingFailed(let error) = $0 { .some(error.file) } else { nil } }
    }
    try expectLaterWork(log, store, from: 500)
    #expect(files() == [paths[2]])
    func form(_ path: String) throws -> SegmentForm? {
      try FooterPlace.form(in: MemoryFile(try bytes(of: path), path: path))
    }
    #expect(try form(paths[1]) != .sealed && form(paths[2]) != .sealed && form(paths[3]) == .sealed)
    try write(good, to: paths[2])
    try expectLaterWork(log, store, from: 2_000)
    #expect(try form(paths[1]) == .sealed)
    #expect(files() == [paths[2]])
    try log.close()
  }

  /// A segment whose header states another root than follows from its subtree hashes.
  private func withWrongRoot(_ good: [UInt8]) throws -> [UInt8] {
    let head = try FileHead(of: MemoryFile(good, path: "segment"))
    let text = String(decoding: head.frame.body, as: UTF8.self).replacing("\"root\":\"", with: "\"root\":\"x")
    let frame = SkippableFrame(kind: .head, body: Array(text.utf8)).encoded
    return Array(good[..<FrameFormat.prologue.count]) + frame + Array(good[Int(head.end)...])
  }

  @Test func `a header that is wrong is reported with the name of its own file`() throws {
    let store = try TemporaryStore()
    try makeSegments(in: store)
    let paths = try store.segments()
    try write(withWrongRoot(try bytes(of: paths[2])), to: paths[2])
    let log = try EventLog.open(at: store.path, options: smallSegments())
    let damaged = try log.seal().damaged
    #expect(damaged.map(\.code) == [.altered, .altered] && damaged.allSatisfy { $0.offset != nil }, "\(damaged)")
    #expect(damaged.map(\.file) == [paths[2], paths[2]], "\(damaged)")
    try log.close()
    // A reader that goes by directories needs to know whether the next segment supersedes.
    let before = try bytes(of: paths[1])
    let footer = try #require(try FooterPlace.body(in: MemoryFile(before, path: paths[1]))).offset
    try write(Array(before[..<(Int(footer) - FooterPlace.headLength)]), to: paths[1])
    let told = #expect(throws: StoreError(.altered, "")) { try LogReader(directory: store.path).records(of: "s/1") }
    #expect(told?.file == paths[2], "\(String(describing: told))")
  }

  @Test func `a footer that lies with good checksums is a finding`() throws {
    let store = try TemporaryStore()
    try makeSegments(in: store)
    _ = try seal(store)
    let path = try store.segments()[1]
    let good = try bytes(of: path)
    let file = MemoryFile(good, path: path)
    let (offset, length) = try #require(try FooterPlace.body(in: file))
    let index = try SegmentIndex(file, at: offset, length: length)
    var contents = SegmentContents(first: index.first, frontier: index.frontier)
    contents.form = .sealed
    contents.rawBytes = index.rawBytes
    contents.frames = index.frames
    contents.streams = try index.allStreams()
    contents.nodes = try (0..<SegmentNodes(index.first..<index.end).count).compactMap { try index.node($0) }
    #expect(SegmentIndex.encode(contents) == Array(good[Int(offset)..<Int(offset) + length]))
    var hiding = contents
    hiding.streams.removeFirst()
    var shifted = contents
    shifted.streams[0].firstRevision += 1
    var hashed = contents
    hashed.nodes[0] = MerkleTree.empty
    for lie in [hiding, shifted, hashed] {
      let body = SegmentIndex.encode(lie)
      let start = Int(offset) - FooterPlace.headLength
      try write(good[..<start] + SkippableFrame(kind: .footer, body: body).encoded, to: path)
      let report = try Verifier(directory: store.path).run()
      #expect(report.verdict == .altered)
    }
  }
}

/// Stays in a report of sealing until it may leave.
private final class SlowMetrics: LogMetrics {
  let entered = DispatchSemaphore(value: 0)
  let mayLeave = DispatchSemaphore(value: 0)

  func record(_ measurement: LogMeasurement) {
    guard case .sealingFailed = measurement else { return }
    entered.signal()
    mayLeave.wait()
  }
}
