import Foundation
import Testing

@testable import EventStore

/// Handovers of a log that signs by itself and has a second place.
@Suite struct HandoverPlaceTests {
  private let metrics = RecordingMetrics()
  private let old: SigningKey
  private let new: SigningKey
  private let other = "/volume/other"

  init() throws {
    old = try SigningKey(name: "play")
    new = try SigningKey(name: "play")
  }

  private func disk(_ seed: UInt64) throws -> MemoryDisk {
    let disk = MemoryDisk(seed: seed)
    _ = try disk.makeDirectory("/volume")
    _ = try disk.makeDirectory(other)
    try disk.syncDirectory("/")
    try disk.syncDirectory("/volume")
    return disk
  }

  private func open(_ disk: MemoryDisk, key: SigningKey, also: String? = nil) throws -> EventLog {
    var options = LogOptions(
      origin: "play", clock: { noon }, idleClose: .seconds(3600),
      checkpoints: CheckpointSchedule(key: key, every: nil, also: also ?? other), metrics: metrics)
    options.disk = disk
    return try EventLog.open(at: Play.store, options: options)
  }

  private func noted(_ disk: MemoryDisk) throws -> SignedNote? {
    try StoreLayout("").note(at: SecondPlace(directory: other, origin: "play", disk: disk).file, on: disk)
  }

  /// The sizes of the handovers that the segments have as NOTE.
  private func handovers(in disk: MemoryDisk) throws -> [UInt64] {
    let layout = StoreLayout(Play.store)
    return try layout.segmentList(on: disk).flatMap { first -> [UInt64] in
      let file = try disk.open(layout.segment(first), .read)
      return try FrameScan.frames(of: [.note], in: file, from: 0).compactMap { frame -> UInt64? in
        let text = String(decoding: try file.read(at: frame.body, count: frame.count), as: UTF8.self)
        let note = try SignedNote(text: text)
        return note.nextKey == nil ? nil : note.size
      }
    }
  }

  @Test func `the note of a handover is put at the second place, and the schedule signs with the new key from then on`()
    throws
  {
    let disk = try disk(1)
    let log = try open(disk, key: old)
    pass(log, try log.append([record("s", "one")]))
    _ = try log.checkpoint(with: old)
    let note = try log.handOver(from: old, to: new, at: noon)
    #expect(try noted(disk)?.text == note.text)
    #expect(metrics.all.contains(.signed(size: note.size)))
    pass(log, try log.append([record("s", "two")]))
    try log.close()
    let last = try noted(disk)
    #expect(last?.size == note.size + 1 && last?.standing(with: new.verifier) == .valid)
    #expect(last?.standing(with: old.verifier) == .absent)
    for key in [old, new] {
      let report = try Verifier(directory: Play.store, pinnedKey: key.verifier, disk: disk).run()
      #expect(report.verdict == .ok && report.anchoredSize == note.size + 1)
    }
    try open(disk, key: new).close()
  }

  @Test func `where the second place knows of more, or of another log, nothing is handed over and nothing said`() throws
  {
    for (size, code) in [(40, .truncated), (2, .forked)] as [(UInt64, StoreError.Code)] {
      let disk = try disk(2)
      let log = try open(disk, key: old)
      pass(log, try log.append([record("s", "one")]))
      _ = try log.checkpoint(with: old)
      let forged = try SignedNote(origin: "play", size: size, root: MerkleTree.leaf([1]), signedBy: old)
      let file = SecondPlace(directory: other, origin: "play", disk: disk).file
      try disk.replace(file, with: Array(forged.text.utf8), in: other)
      let before = log.size
      #expect(throws: StoreError(code, "")) { try log.handOver(from: old, to: new, at: noon) }
      #expect(log.size == before && log.identity.publicKey == old.verifier.description)
      try log.close()
      #expect(try noted(disk)?.text == forged.text)
    }
  }

  @Test func `a second place that cannot be reached is reported, and the log handed over all the same`() throws {
    let disk = try disk(3)
    let log = try open(disk, key: old, also: "/volume/missing")
    _ = try log.checkpoint(with: old)
    let note = try log.handOver(from: old, to: new, at: noon)
    #expect(metrics.all.contains(.checkpointFailed(StoreError(.notFound, ""))))
    #expect(log.identity.publicKey == new.verifier.description)
    try log.close()
    // Reachable later: it has the note from the next checkpoint on, at the same size too.
    let again = try open(disk, key: new)
    #expect(try again.checkpoint(with: new).text == note.text)
    try again.close()
    #expect(try noted(disk)?.text == note.text)
  }

  @Test(arguments: 1...3 as ClosedRange<Int>, [false, true])
  func `a handover that the disk lets fail halfway is completed before a key signs`(
    _ rename: Int, _ handsOverFirst: Bool
  ) throws {
    let disk = try disk(UInt64(100 + rename))
    let log = try open(disk, key: old)
    pass(log, try log.append([record("s", "one")]))
    _ = try log.checkpoint(with: old)
    // Those of `latest`, of the checkpoint's own file and of store.json.
    disk.fail(.rename, number: rename, with: .noSpace)
    #expect(throws: StoreError(.noSpace, "")) { try log.handOver(from: old, to: new, at: noon) }
    pass(log, try log.append([record("s", "two")]))
    let isHanded = rename > 1
    if isHanded {
      let tries: [() throws -> Void] = [
        { _ = try log.checkpoint(with: old) }, { _ = try log.handOver(from: old, to: new, at: noon) },
      ]
      for attempt in handsOverFirst ? tries.reversed() : tries {
        #expect(throws: StoreError(.keyMismatch, "")) { try attempt() }
      }
    }
    let note = try log.checkpoint(with: isHanded ? new : old)
    try log.close()
    #expect(try handovers(in: disk) == (isHanded ? [note.size - 1] : []))
    let report = try Verifier(directory: Play.store, pinnedKey: old.verifier, disk: disk).run()
    #expect(report.verdict == .ok && report.anchoredSize == note.size, "\(report.findings)")
  }

  @Test(arguments: 2...3 as ClosedRange<Int>)
  func `after a handover that the disk lets fail halfway, the schedule signs with the new key`(_ rename: Int) throws {
    let disk = try disk(UInt64(120 + rename))
    let log = try open(disk, key: old)
    _ = try log.checkpoint(with: old)
    disk.fail(.rename, number: rename, with: .noSpace)
    #expect(throws: StoreError(.noSpace, "")) { try log.handOver(from: old, to: new, at: noon) }
    pass(log, try log.append([record("s", "two")]))
    let size = log.size
    try log.close()
    let last = try StoreLayout(Play.store).latestCheckpoint(on: disk)
    #expect(last?.size == size && last?.standing(with: new.verifier) == .valid)
  }

  @Test(arguments: 2...3 as ClosedRange<Int>)
  func `a handover that the disk lets fail halfway gets its NOTE at the next opening`(_ rename: Int) throws {
    let disk = try disk(UInt64(110 + rename))
    let log = try open(disk, key: old)
    _ = try log.checkpoint(with: old)
    disk.fail(.rename, number: rename, with: .noSpace)
    #expect(throws: StoreError(.noSpace, "")) { try log.handOver(from: old, to: new, at: noon) }
    #expect(!disk.isFaultPending)
    let size = log.size
    // As a power cut leaves it: what was not synced is gone.
    let rest = disk.leftByCut()
    try? log.close()
    #expect(try handovers(in: rest).isEmpty)
    for _ in 0..<2 {
      // The second opening finds the NOTE.
      let again = try open(rest, key: new)
      #expect(again.identity.publicKey == new.verifier.description)
      #expect(try handovers(in: rest) == [size])
      try again.close()
    }
    let report = try Verifier(directory: Play.store, pinnedKey: old.verifier, disk: rest).run()
    #expect(report.verdict == .ok, "\(report.findings)")
  }

  @Test func `a handover whose latest checkpoint was replaced and not synced has its NOTE before the next record`()
    throws
  {
    let disk = try disk(4)
    let log = try open(disk, key: old)
    _ = try log.checkpoint(with: old)
    disk.fail(.syncDirectory, number: 1, with: .io)
    #expect(throws: StoreError(.io, "")) { try log.handOver(from: old, to: new, at: noon) }
    #expect(!disk.isFaultPending)
    let size = log.size
    pass(log, try log.append([record("s", "two")]))
    #expect(try handovers(in: disk) == [size])
    let note = try log.checkpoint(with: new)
    try log.close()
    let report = try Verifier(directory: Play.store, pinnedKey: old.verifier, disk: disk).run()
    #expect(report.verdict == .ok && report.anchoredSize == note.size, "\(report.findings)")
  }

  @Test func `a segment that supersedes the end of the log behind a handover begins with its NOTE`() throws {
    let disk = try disk(5)
    let log = try open(disk, key: old)
    _ = try log.checkpoint(with: old)
    let handover = try log.handOver(from: old, to: new, at: noon)
    disk.fail(.sync, number: 1, with: .io)
    pass(log, try log.append([record("s", "two")]))
    try log.sync()
    #expect(!disk.isFaultPending)
    #expect(try SegmentHeader.supersedes(handover.size, in: StoreLayout(Play.store), on: disk))
    try log.close()
    // This moves the NOTE in the superseded part to quarantine.
    try open(disk, key: new).close()
    #expect(try handovers(in: disk) == [handover.size])
    for key in [old, new] {
      let report = try Verifier(directory: Play.store, pinnedKey: key.verifier, disk: disk).run()
      #expect(report.verdict == .ok, "\(report.findings)")
    }
  }

  @Test(arguments: 0..<60 as Range<Int>)
  func `after a power cut during a handover, one of the keys opens the log with its second place`(_ calls: Int) throws {
    let disk = try disk(UInt64(calls))
    let log = try open(disk, key: old)
    _ = try log.checkpoint(with: old)
    let signed = log.size
    disk.cutPower(afterCalls: calls)
    let note = try? log.handOver(from: old, to: new, at: noon)
    try? log.close()
    let rest = disk.afterCut()
    let key = try StoreIdentity(of: StoreLayout(Play.store), on: rest).publicKey
    let handed = try StoreLayout(Play.store).latestCheckpoint(on: rest)?.nextKey != nil
    #expect(note == nil || handed)
    let again = try open(rest, key: handed || key == new.verifier.description ? new : old)
    if handed { #expect(try handovers(in: rest).count == 1) }
    pass(again, try again.append([record("s", "on")]))
    try again.close()
    #expect(try Verifier(directory: Play.store, pinnedKey: old.verifier, disk: rest).run().verdict == .ok)
    let kept = try #require(try noted(rest))
    let latest = try StoreLayout(Play.store).latestCheckpoint(on: rest)
    #expect(kept.size > signed && kept.size == latest?.size)
  }
}
