import Testing

@testable import EventStore
@testable import Fleet

/// From a live log to a store that is the same, without faults.
@Suite struct ShippingTests {
  @Test func `a live log comes out byte for byte, verified and cosigned`() throws {
    let engine = MemoryTransport(seed: 1)
    let (host, collector) = try hostAndCollector(over: engine, seed: 1)
    for round in 0..<6 {
      try host.append(40)
      if round % 2 == 1 { try host.sign() }
      #expect(try settle([host], [collector]), "round \(round)")
      #expect(try collector.files(of: host) == host.files())
    }
    #expect(collector.conflicts == [])
    #expect(try host.files().count > 3)
    let report = try Verifier(
      directory: collector.folder.host(host.id), pinnedKey: host.key.verifier, disk: collector.disk
    ).run(threads: 1)
    #expect(report.verdict == .ok, "\(report.findings)")
    #expect(report.anchoredSize == host.log?.size)
    let note = try #require(collector.collector?.state.hosts[host.id])
    #expect(note.cosigned == host.log?.size)
    let demanded = VerifyDemands(witnesses: [collector.witnessKey.verifier]).applied(to: report)
    #expect(demanded.verdict == .ok, "\(demanded.findings)")
  }

  @Test(arguments: [true, false])
  func `a witness whose memory is gone refuses under its old key, and starts again under another`(
    _ isRemembered: Bool
  ) throws {
    let engine = MemoryTransport(seed: 1)
    let (host, collector) = try hostAndCollector(over: engine, seed: 41)
    try host.append(20)
    try host.sign()
    #expect(try settle([host], [collector]))
    let folder = collector.folder
    let cosigned = try #require(host.log?.size)
    #expect(collector.collector?.state.hosts[host.id]?.cosignedBy == collector.witnessKey.verifier.description)
    collector.collector = nil
    try collector.start([host])
    collector.collector = nil
    if !isRemembered {
      // As a version before this one wrote it: the cosignatures in the copy speak for themselves.
      let state = String(decoding: try collector.disk.contents(of: folder.state, limit: 1 << 20), as: UTF8.self)
      let old = state.replacing("\"cosignedBy\"", with: "\"nothing\"")
      #expect(old != state)
      try collector.disk.replace(folder.state, with: Array(old.utf8), in: folder.root)
    }
    func beginAnew(_ key: SigningKey) throws {
      for name in try collector.disk.names(in: folder.witness) {
        try collector.disk.remove(folder.witness + "/" + name)
      }
      try Witness.begin(folder.witness, key: key, disk: collector.disk)
    }
    try beginAnew(collector.witnessKey)
    // A checkpoint that cannot be read hides no other.
    let layout = StoreLayout(folder.host(host.id))
    let latest = try collector.disk.contents(of: layout.latestCheckpoint, limit: 1 << 16)
    try collector.disk.replace(layout.latestCheckpoint, with: Array("nothing\n".utf8), in: layout.checkpoints)
    try collector.start([host])
    #expect(collector.collector?.forgotten == [host.id])
    collector.collector = nil
    try collector.disk.replace(layout.latestCheckpoint, with: latest, in: layout.checkpoints)
    // The others are followed, and so is the host, but nothing is cosigned for it.
    let other = try StageHost(seed: 43)
    try other.ship(to: engine)
    for round in 1...2 {
      try collector.start([host, other])
      for one in [host, other] {
        try one.append(8)
        try one.sign()
      }
      #expect(try settle([host, other], [collector]))
      let hosts = try #require(collector.collector?.state.hosts)
      #expect(hosts[other.id]?.cosigned == other.log?.size)
      #expect(hosts[host.id]?.cosigned == cosigned && hosts[host.id]?.state.signedSize == host.log?.size)
      #expect(collector.conflicts.count == round)
      #expect(collector.conflicts.last?.contains("nothing is cosigned for this host") == true)
      collector.collector = nil
    }

    let key = try SigningKey(name: "witness-next", as: .cosignature)
    try beginAnew(key)
    let noon = Timestamp(microseconds: 1_700_000_000_000_000)
    let witness = try Witness(
      key: key, logs: [host.key.verifier, other.key.verifier], directory: folder.witness, clock: { noon },
      disk: collector.disk)
    let next = try Collector(folder, from: engine, name: "c1", witness: witness, clock: { noon })
    try next.follow(collector.roster)
    collector.collector = next
    try host.append(8)
    try host.sign()
    #expect(try settle([host], [collector]))
    #expect(next.state.hosts[host.id]?.cosignedBy == key.verifier.description)
    #expect(collector.conflicts.count == 2)
  }

  @Test func `elements over the limit of a slice are cut and put together again`() throws {
    let engine = MemoryTransport(seed: 1)
    let host = try StageHost(seed: 3, segmentBytes: 64 << 10)
    let collector = try StageCollector(from: engine, seed: 4)
    try collector.start([host])
    try host.ship(to: engine, longest: 4_096)
    for _ in 0..<5 { try host.append(50, bytes: 3_000) }
    try host.sign()
    #expect(try settle([host], [collector]))
    #expect(try collector.files(of: host) == host.files())
    #expect(collector.conflicts == [])
  }

  @Test func `a shipper that starts again knows from the last message where it stands`() throws {
    let engine = MemoryTransport(seed: 1)
    let host = try StageHost(seed: 5)
    let collector = try StageCollector(from: engine, seed: 6)
    try collector.start([host])
    for _ in 0..<4 {
      try host.ship(to: engine)
      try host.append(30)
      #expect(try settle([host], [collector]))
    }
    #expect(try collector.files(of: host) == host.files())
    #expect(collector.conflicts == [])
  }

  @Test func `a sealed segment goes again and takes the place of the one that was written`() throws {
    let engine = MemoryTransport(seed: 1)
    let (host, collector) = try hostAndCollector(over: engine, seed: 7)
    try host.append(200)
    try host.sign()
    #expect(try settle([host], [collector]))
    // Its segments are begun by commits, not by the log's own thread: how many are closed by now is the same each time.
    let written = try host.files()
    let report = try #require(try host.log?.seal())
    #expect(report.sealed > 0 && report.left == 0)
    #expect(try host.files() != written)
    try host.append(50)
    try host.sign()
    #expect(try settle([host], [collector]))
    #expect(try settle([host], [collector]))
    #expect(try collector.files(of: host) == host.files())
    let checked = try Verifier(
      directory: collector.folder.host(host.id), pinnedKey: host.key.verifier, disk: collector.disk
    ).run(threads: 1)
    #expect(checked.verdict == .ok, "\(checked.findings)")
    #expect(collector.conflicts == [])
  }

  @Test func `a sealed segment goes once more when the engine lost it and began again`() throws {
    let engine = MemoryTransport(seed: 1)
    let (host, collector) = try hostAndCollector(over: engine, seed: 9)
    try host.append(200)
    try host.sign()
    var now: Int64 = 0
    #expect(try settle([host], [collector], rounds: 60, from: &now))
    #expect(try host.log?.seal().sealed ?? 0 > 0)
    try host.shipAll(from: &now)
    // It was not read, and the next message has a number that is smaller than its own.
    engine.reset()
    try host.append(1)
    #expect(try settle([host], [collector], rounds: 60, from: &now))
    #expect(try collector.files(of: host) == host.files())
    #expect(collector.conflicts == [])
  }

  @Test func `an engine that lost all and counts from 1 gets what is missing of a host that has nothing new`() throws {
    let engine = MemoryTransport(seed: 1)
    let (host, collector) = try hostAndCollector(over: engine, seed: 13)
    try host.append(100)
    try host.sign()
    var now: Int64 = 0
    #expect(try settle([host], [collector], rounds: 60, from: &now))
    try host.append(100)
    try host.shipAll(from: &now)
    // It was not read. Another host's message is the first of the new count.
    engine.reset()
    engine.store(
      FleetMessage(store: String(repeating: "b", count: 32), content: .written, place: .start, bytes: [0]))
    try collector.run()
    #expect(try settle([host], [collector], rounds: 60, from: &now))
    #expect(try collector.files(of: host) == host.files())
    #expect(collector.conflicts == [])
  }

  @Test func `collectors that verify less whatever comes are sent the log again eight times, and again once it grows`()
    throws
  {
    let collectors = DoubtingCollectors(over: MemoryTransport(seed: 1))
    let host = try StageHost(seed: 11)
    try host.append(20)
    try host.ship(to: collectors)
    var now: Int64 = 0
    for beginnings in [1 + 8, 1 + 8 + 8] {
      for _ in 0..<400 {
        now += 5_000_000
        _ = try host.shipper?.step(now: now, isLast: true)
      }
      #expect(collectors.beginnings == beginnings)
      try host.append(1)
    }
  }
}
