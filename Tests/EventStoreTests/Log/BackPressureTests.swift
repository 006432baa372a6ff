import Foundation
import Testing

@testable import EventStore

/// What the log does when records come faster than the disk takes them, and when a segment is full.
@Suite struct BackPressureTests {
  private let metrics = RecordingMetrics()

  private func largest(_ value: (LogMeasurement) -> Int?) -> Int { metrics.all.compactMap(value).max() ?? 0 }

  @Test func `what waits is bounded in bytes and in records, whatever is appended`() throws {
    let store = try TemporaryStore()
    let log = try EventLog.open(
      at: store.path, options: .init(durability: .os, clock: { noon }, metrics: metrics))
    let large = String(repeating: "x", count: 60_000)
    let threads = DispatchGroup()
    for thread in 0..<4 {
      threads.enter()
      Thread {
        for _ in 0..<150 { _ = try? log.append((0..<4).map { _ in record("large/\(thread)", large) }) }
        for _ in 0..<50_000 { _ = try? log.append([record("small/\(thread)")]) }
        threads.leave()
      }.start()
    }
    threads.wait()
    try log.close()
    #expect(log.size == 1 + 4 * (600 + 50_000))
    // Each of four threads may find the queue just under its bound.
    #expect(largest { if case .appended(_, _, _, let bytes) = $0 { bytes } else { nil } } <= 8 << 20 + 4 * 250_000)
    #expect(largest { if case .appended(_, _, let records, _) = $0 { records } else { nil } } <= 1 << 16 + 16)
  }

  @Test func `a segment of usual size is begun on the log's own thread`() throws {
    let disk = MemoryDisk(seed: 11)
    var options = LogOptions(
      durability: .os, segmentBytes: 1 << 20, origin: "play", clock: { noon }, idleClose: .seconds(3600),
      metrics: metrics)
    options.disk = disk
    let log = try EventLog.open(at: Play.store, options: options)
    disk.forgetThreads()
    var random = SeededRandom(1)
    var appended = 0
    // 3 MiB that do not compress: under the bound at which who writes must begin a segment himself.
    while appended < 3 << 20 {
      let noise = (0..<3_000).map { _ in String(random.next(), radix: 36) }.joined()
      pass(log, try log.append([record("s", noise)]))
      appended += noise.utf8.count
    }
    #expect(metrics.wait { if case .segmentBegun(let first) = $0 { first > 0 } else { false } })
    #expect(disk.syncingThreads == ["EventLog"])
    pass(log, try log.append([record("s", "after")]))
    try log.close()
    let verdict = try Verifier(directory: Play.store, disk: disk).run()
    #expect(verdict.verdict == .unanchored && verdict.records == log.size)
  }

  @Test func `a segment that cannot be begun grows on, and is begun once the disk has space`() throws {
    let disk = MemoryDisk(seed: 12)
    var options = LogOptions(durability: .os, segmentBytes: 1 << 20, origin: "play", clock: { noon }, metrics: metrics)
    options.disk = disk
    let log = try EventLog.open(at: Play.store, options: options)
    disk.fail(.rename, number: 1, with: .noSpace)
    var random = SeededRandom(2)
    for _ in 0..<150 {
      let noise = (0..<3_000).map { _ in String(random.next(), radix: 36) }.joined()
      pass(log, try log.append([record("s", noise)]))
    }
    #expect(metrics.wait { if case .segmentBegun(let first) = $0 { first > 0 } else { false } })
    #expect(!disk.isFaultPending)
    try log.close()
    #expect(try Verifier(directory: Play.store, disk: disk).run().records == log.size)
  }

  @Test func `a segment whose beginning failed half-way is not in the way of the one that goes on`() throws {
    let disk = MemoryDisk(seed: 13)
    let key = try SigningKey(name: "play")
    var options = LogOptions(durability: .os, segmentBytes: 1_024, frameBytes: 1, origin: "play", clock: { noon })
    options.disk = disk
    let log = try EventLog.open(at: Play.store, options: options)
    let noise = String(repeating: "0123456789abcdef", count: 60)
    var failed = 0
    for index in 0..<40 {
      // The new segment has its name by then.
      if index % 4 == 0 { disk.fail(.syncDirectory, number: 1, with: .io) }
      let ticket = try log.append([record("s", "\(index) \(noise)\(noise.hashValue)\(index &* 7_919)")])
      if case .failed = log.barrier(ticket, resume: { _ in }) { failed += 1 }
      if index % 4 == 1 { disk.fail(.sync, number: 1, with: .io) }
      if index % 4 == 2 { _ = try? log.checkpoint(with: key) }
    }
    #expect(failed > 0)
    try log.close()
    let report = try Verifier(directory: Play.store, pinnedKey: key.verifier, disk: disk).run()
    #expect(report.verdict == .ok && report.records == log.size, "\(report)")
    #expect(try records(on: disk).count == Int(log.size))
    try EventLog.open(at: Play.store, options: options).close()
  }
}
