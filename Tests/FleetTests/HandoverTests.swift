import Testing

@testable import EventStore
@testable import Fleet

/// What becomes of a copy when its host changes keys, prunes, or replaces what a failed sync may have lost.
@Suite struct HandoverTests {
  private let engine = MemoryTransport(seed: 1)

  private func verdict(_ collector: StageCollector, _ host: StageHost) throws -> VerifyReport {
    try Verifier(directory: collector.folder.host(host.id), pinnedKey: host.key.verifier, disk: collector.disk)
      .run(threads: 1)
  }

  @Test func `a key that is handed over is trusted by the copy, and what it signs is anchored`() throws {
    let host = try StageHost(seed: 21)
    let collector = try StageCollector(from: engine, seed: 22)
    try collector.start([host])
    try host.ship(to: engine)
    try host.append(10)
    try host.sign()
    #expect(try settle([host], [collector]))
    let next = try SigningKey(name: host.key.verifier.name)
    _ = try host.log?.handOver(from: host.key, to: next, at: Timestamp(microseconds: 1_700_000_000_000_000))
    try host.append(10)
    _ = try host.log?.checkpoint(with: next)
    #expect(try settle([host], [collector]))
    #expect(try collector.files(of: host) == host.files())
    let report = try verdict(collector, host)
    #expect(report.verdict == .ok && report.anchoredSize == host.log?.size, "\(report.findings)")
    #expect(collector.collector?.state.hosts[host.id]?.state.signedSize == host.log?.size)
  }

  @Test func `records that the host prunes stay in the copy`() throws {
    let host = try StageHost(seed: 23)
    let collector = try StageCollector(from: engine, seed: 24)
    try collector.start([host])
    try host.ship(to: engine)
    try host.append(300)
    try host.sign()
    #expect(try settle([host], [collector]))
    let files = try collector.files(of: host)
    _ = try host.log?.prune(before: .position(100), signingWith: host.key)
    try host.append(10)
    try host.sign()
    #expect(try settle([host], [collector]))
    for (name, bytes) in files where name != files.keys.max() {
      #expect(try collector.files(of: host)[name] == bytes)
    }
    let report = try verdict(collector, host)
    #expect(report.verdict == .ok && report.records == host.log?.size, "\(report.findings)")
  }

  @Test func `what was pruned before it was collected comes as hashes`() throws {
    let host = try StageHost(seed: 25)
    try host.append(300)
    try host.sign()
    let pruning = try #require(try host.log?.prune(before: .position(100), signingWith: host.key))
    #expect(pruning.segments > 1 && pruning.records > 50)
    try host.append(10)
    try host.sign()
    let collector = try StageCollector(from: engine, seed: 26)
    try collector.start([host])
    try host.ship(to: engine)
    #expect(try settle([host], [collector]))
    #expect(try collector.files(of: host) == host.files())
    let own = try Verifier(directory: host.directory, pinnedKey: host.key.verifier, disk: host.disk).run(threads: 1)
    let report = try verdict(collector, host)
    #expect(own.verdict == .pruned)
    #expect(report.verdict == .pruned && report.records == own.records, "\(report.findings) \(own.findings)")
  }

  @Test func `a segment that supersedes after a failed sync replaces the same records`() throws {
    let host = try StageHost(seed: 27, segmentBytes: 1 << 20)
    let collector = try StageCollector(from: engine, seed: 28)
    try collector.start([host])
    try host.ship(to: engine)
    try host.append(30)
    try host.log?.sync()
    try host.append(30)
    #expect(try settle([host], [collector]))
    host.disk.fail(.sync, number: 1, with: .io)
    try host.append(5)
    try host.log?.sync()
    try host.append(5)
    try host.sign()
    #expect(try settle([host], [collector]))
    let report = try verdict(collector, host)
    #expect(report.verdict == .ok && report.records == host.log?.size, "\(report.findings)")
    #expect(collector.conflicts == [])
  }

  @Test(arguments: [false, true])
  func `a checkpoint behind a header that a failed sync replaces is dropped with it, and comes again`(
    _ isStartedAgain: Bool
  ) throws {
    let host = try StageHost(seed: 29)
    let collector = try StageCollector(from: engine, seed: 30)
    try collector.start([host])
    try host.ship(to: engine)
    while try host.files().count < 2 {
      try host.append(8)
      try host.roll()
    }
    try host.sign()
    let first = try #require(host.log?.size)
    #expect(try settle([host], [collector]))
    #expect(try collector.files(of: host) == host.files())
    #expect(collector.collector?.state.hosts[host.id]?.state.signedSize == first)

    host.disk.fail(.sync, number: 1, with: .io)
    try host.append(5)
    try host.log?.sync()
    // The same name, and a header of another length.
    #expect(try host.files().count == 2 && first < 1_000)
    #expect(try SegmentHeader.supersedes(first, in: StoreLayout(host.directory), on: host.disk))
    if isStartedAgain {
      collector.collector = nil
      try collector.start([host])
    }
    try host.append(5)
    try host.sign()
    #expect(try settle([host], [collector]))
    #expect(try collector.files(of: host) == host.files())
    let report = try verdict(collector, host)
    #expect(report.verdict == .ok && report.anchoredSize == host.log?.size, "\(report.findings)")
    // What was replaced is told, and no more once it is settled.
    let told = collector.conflicts.count
    #expect(told > 0)
    try host.append(5)
    try host.sign()
    #expect(try settle([host], [collector]))
    #expect(collector.conflicts.count == told)
  }
}
