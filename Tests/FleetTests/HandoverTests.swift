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
}
