import Foundation
import Testing

@testable import EventStore

/// What a log does when a sync fails: it leaves the file and goes on in another.
@Suite struct FailedSyncTests {
  private let disk = MemoryDisk(seed: 7)
  private let layout = StoreLayout("/volume/audit")

  private func open(_ durability: Durability = .os, frameBytes: Int = 256 << 10) throws -> EventLog {
    var options = LogOptions(
      durability: durability, frameBytes: frameBytes, origin: "play", clock: { noon }, idleClose: .seconds(3600))
    options.disk = disk
    return try EventLog.open(at: layout.root, options: options)
  }

  private func texts(_ cursor: inout RecordCursor) throws -> [String] {
    var found: [String] = []
    while let record = try cursor.next() { found.append(String(decoding: record.data, as: UTF8.self)) }
    return found
  }

  private func header(_ first: UInt64) throws -> SegmentHeader {
    try SegmentHeader(frame: try FileHead(of: try disk.open(layout.segment(first), .read)).frame)
  }

  private var verdict: VerifyReport.Verdict? {
    try? Verifier(directory: layout.root, disk: disk).run().verdict
  }

  @Test func `the log goes on in a segment that supersedes, and the next opening moves the overlap`() throws {
    let log = try open()
    for index in 0..<3 { pass(log, try log.append([record("a", "\(index)")])) }
    try log.sync()
    for index in 3..<6 { pass(log, try log.append([record("a", "\(index)"), record("b", "\(index)")])) }
    var cursor = try LogReader(directory: layout.root, disk: disk).cursor()
    let seen = try texts(&cursor)
    disk.fail(.sync, number: 1, with: .io)
    try log.sync()
    #expect(!disk.isFaultPending)
    // The first frame may lack its directory on disk, so all of it is written again, over the first segment.
    #expect(try layout.segmentList(on: disk) == [0])
    #expect(try header(0).supersedes == 0 && header(0).previous == nil)
    #expect(try texts(&cursor) == [])  // the reader had them all
    pass(log, try log.append([record("a", "after")], expecting: .revision(5)))
    #expect(try texts(&cursor) == ["{\"text\":\"after\"}"])
    try log.sync()

    // Now the frames before are durable: only what follows is superseded.
    for index in 0..<3 { pass(log, try log.append([record("c", "\(index)")])) }
    disk.fail(.sync, number: 1, with: .noSpace)
    let note = try log.checkpoint(with: try SigningKey(name: "play"))
    let firsts = try layout.segmentList(on: disk)
    let second = try #require(firsts.last)
    #expect(firsts.count == 2 && note.size == log.size)
    #expect(try header(second).supersedes == second && header(second).previous == 0)
    #expect(verdict == .unanchored)
    var again = try LogReader(directory: layout.root, disk: disk).cursor()
    let all = try texts(&again)
    #expect(all.prefix(seen.count).elementsEqual(seen) && all.count == Int(log.size))
    #expect(try LogReader(directory: layout.root, disk: disk).records(of: "c").map(\.revision) == [0, 1, 2])
    #expect(try LogReader(directory: layout.root, disk: disk).statistics().records == log.size)
    try log.close()

    let reopened = try open()
    #expect(try disk.names(in: layout.quarantine).count == 1)
    try reopened.close()
    var last = try LogReader(directory: layout.root, disk: disk).cursor()
    let kept = try texts(&last)
    #expect(kept.prefix(all.count).elementsEqual(all) && kept.count == all.count + 2)
    #expect(kept[all.count].contains("\"quarantine\":"))
    #expect(verdict == .unanchored)
    try open().close()
    #expect(try disk.names(in: layout.quarantine).count == 1)
  }

  @Test func `in mode each a failed sync is mended before the barrier is called`() throws {
    let log = try open(.each)
    let done = DispatchSemaphore(value: 0)
    for index in 0..<20 {
      disk.fail(.sync, number: 1, with: .io)
      switch log.barrier(try log.append([record("a", "\(index)")]), resume: { if $0 == nil { done.signal() } }) {
      case .passed: done.signal()
      case .failed, .pending: break
      }
      #expect(done.wait(timeout: .now() + 60) == .success)
    }
    let size = log.size
    let survivor = disk.afterCut()
    var cursor = try LogReader(directory: layout.root, disk: survivor).cursor()
    #expect(try texts(&cursor).count == Int(size))
    #expect(try Verifier(directory: layout.root, disk: survivor).run().verdict == .unanchored)
    try? log.close()
  }

  @Test func `a disk that is full syncs what was written before`() throws {
    let log = try open()
    pass(log, try log.append([record("a"), record("b")]))
    let size = log.size
    disk.fail(.write, number: 1, with: .noSpace)
    #expect(throws: StoreError(.noSpace, "")) { try log.sync() }
    #expect(!disk.isFaultPending)
    #expect(try records(on: disk.leftByCut(), in: layout.root).count == Int(size))
    pass(log, try log.append([record("a", "after")]))
    try log.close()
    #expect(verdict == .unanchored)
  }

  @Test func `a barrier behind a close that failed is answered`() throws {
    let log = try open(.each)
    let ticket = try log.append([record("a")])
    try log.flush()
    disk.fail(.write, number: 1, with: .noSpace)
    #expect(throws: StoreError(.noSpace, "")) { try log.close() }
    #expect(log.barrier(ticket) { _ in } != .pending)
    // Also of one whose last sync was not reached.
    log.engine.withMonitor { log.engine.synced = ticket.positions.lowerBound }
    #expect(log.barrier(ticket) { _ in } == .failed(StoreError(.closed, "")))
  }

  @Test func `a log whose disk takes nothing more says so, and its records are read`() throws {
    let log = try open()
    pass(log, try log.append([record("a")]))
    _ = disk.afterCut()
    #expect(throws: StoreError(.io, "")) { try log.sync() }
    #expect(throws: StoreError(.io, "")) { try log.append([record("a")]) }
    #expect(log.size == 2)
    try? log.close()
  }
}
