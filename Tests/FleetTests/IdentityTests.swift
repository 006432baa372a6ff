import Testing

@testable import EventStore
@testable import Fleet

/// Which `store.json` a copy takes: nothing in it is signed, and what carries it may invent one.
@Suite struct IdentityTests {
  private static let time = Timestamp(microseconds: 1_700_000_000_000_000)

  /// What someone else makes of a host's `store.json`.
  enum Forgery: CaseIterable {
    case anotherKey, keyOfAnotherOrigin, anotherOrigin, backup, restored, restoredFromNothing, retired, retiredOfAnother
    case retiredTooEarly, format
  }

  private func bytes(of identity: StoreIdentity) throws -> [UInt8] {
    let scratch = MemoryDisk(seed: 1)
    try scratch.makeDurableDirectory("/scratch")
    let layout = StoreLayout("/scratch")
    try identity.save(to: layout, on: scratch)
    return try scratch.contents(of: layout.identity, limit: 1 << 20)
  }

  private func identity(of host: StageHost) throws -> StoreIdentity {
    try StoreIdentity(of: StoreLayout(host.directory), on: host.disk)
  }

  private func forged(_ forgery: Forgery, of host: StageHost) throws -> [UInt8] {
    var said = try identity(of: host)
    let other = try SigningKey(name: said.origin).verifier.description
    let foreign = try SigningKey(name: "another").verifier.description
    let own = host.key.verifier.description
    func origin(_ size: UInt64) -> StoreOrigin {
      StoreOrigin(store: said.id, origin: "older", size: size, root: MerkleTree.empty.description)
    }
    switch forgery {
    case .anotherKey: said.publicKey = other
    case .keyOfAnotherOrigin: said.publicKey = foreign
    case .anotherOrigin: (said.origin, said.publicKey) = ("another", foreign)
    case .backup: said.backup = BackupMark(at: "2026-11-21T08:35:00.123456Z", size: 1, root: "")
    case .restored: said.restoredFrom = [origin(4)]
    case .restoredFromNothing: said.restoredFrom = [origin(0)]
    case .retired: said.retiredKeys = [RetiredKey(key: other, until: 3)]
    case .retiredOfAnother: said.retiredKeys = [RetiredKey(key: foreign, until: 3)]
    case .retiredTooEarly: (said.retiredKeys, said.publicKey) = ([RetiredKey(key: own, until: 3)], other)
    case .format: said.format = 1
    }
    return try bytes(of: said)
  }

  /// A member that no store has, and one that stands there twice, which readers read differently.
  private func withMember(_ member: String, of host: StageHost) throws -> [UInt8] {
    let text = String(decoding: try bytes(of: identity(of: host)), as: UTF8.self)
    return Array(text.replacing("{\n", with: "{\n  \(member),\n", maxReplacements: 1).utf8)
  }

  @Test("a store.json that contradicts key, log or format is refused, counted and kept, and the host goes on")
  func forgeries() throws {
    let engine = MemoryTransport(seed: 1)
    let (host, collector) = try hostAndCollector(over: engine, seed: 91)
    try host.append(20)
    try host.sign()
    #expect(try settle([host], [collector]))
    let path = collector.folder.host(host.id) + "/store.json"
    let before = try collector.disk.contents(of: path, limit: 1 << 20)
    var messages = try Forgery.allCases.map { ("\($0)", try forged($0, of: host)) }
    for member in ["\"Origin\": \"x\"", "\"origin\": \"x\""] {
      messages.append((member, try withMember(member, of: host)))
    }
    messages.append(("nothing", Array("{}\n".utf8)))
    for (number, (what, bytes)) in messages.enumerated() {
      engine.store(FleetMessage(store: host.id, content: .identity, place: .start, bytes: bytes))
      try collector.run()
      let record = try #require(collector.collector?.state.hosts[host.id])
      #expect(record.conflicts == UInt64(number + 1) && record.conflict?.hasPrefix("store.json ") == true, "\(what)")
      #expect(try collector.disk.contents(of: path, limit: 1 << 20) == before, "\(what)")
      #expect(try collector.disk.names(in: collector.folder.evidence).count == number + 1, "\(what)")
      let report = try Verifier(
        directory: collector.folder.host(host.id), pinnedKey: host.key.verifier, disk: collector.disk
      ).run(threads: 1)
      #expect(report.verdict == .ok, "\(what): \(report.findings)")
    }
    try host.append(3)
    try host.sign()
    #expect(try settle([host], [collector]))
    #expect(try collector.files(of: host) == host.files())
    #expect(collector.collector?.state.hosts[host.id]?.conflicts == UInt64(messages.count))
  }

  @Test(
    "a store.json that was forged before the first record gives way to the host's",
    arguments: [Forgery.restored, .restoredFromNothing, .retired, .retiredTooEarly, .format])
  func forgedFirst(_ forgery: Forgery) throws {
    let engine = MemoryTransport(seed: 1)
    let host = try StageHost(seed: 93)
    let collector = try StageCollector(from: engine, seed: 94)
    try collector.start([host])
    try host.append(20)
    // The one that it forges from names the key.
    try host.sign()
    engine.store(
      FleetMessage(store: host.id, content: .identity, place: .start, bytes: try forged(forgery, of: host)))
    try collector.run()
    try host.ship(to: engine)
    #expect(try settle([host], [collector]))
    let path = collector.folder.host(host.id) + "/store.json"
    #expect(try collector.disk.contents(of: path, limit: 1 << 20) == bytes(of: identity(of: host)))
    #expect(try collector.files(of: host) == host.files())
  }

  @Test(
    "a forged store.json that signed records contradict gives way to one that they do not",
    arguments: [Forgery.restoredFromNothing, .retired, .format])
  func contradictedByRecords(_ forgery: Forgery) throws {
    let host = try StageHost(seed: 103, segmentBytes: 1 << 20)
    try host.append(8)
    try host.sign()
    let copy = try copied(host, to: MemoryDisk(seed: 104), saying: forged(forgery, of: host))
    #expect(copy.state.signedSize == host.log?.size)
    #expect(try copy.take(identity: bytes(of: identity(of: host)), of: host.id) == .applied)
    #expect(copy.identity == host.log?.identity)
  }

  @Test("a store.json that names no key is taken before the first checkpoint, and is old after it")
  func firstCheckpoint() throws {
    let engine = MemoryTransport(seed: 1)
    let (host, collector) = try hostAndCollector(over: engine, seed: 95)
    let first = try bytes(of: identity(of: host))
    try host.append(5)
    #expect(try settle([host], [collector]))
    let path = collector.folder.host(host.id) + "/store.json"
    #expect(try collector.disk.contents(of: path, limit: 1 << 20) == first)
    try host.sign()
    #expect(try settle([host], [collector]))
    let named = try bytes(of: identity(of: host))
    #expect(named != first)
    engine.store(FleetMessage(store: host.id, content: .identity, place: .start, bytes: first))
    try collector.run()
    #expect(try collector.disk.contents(of: path, limit: 1 << 20) == named)
    #expect(collector.conflicts == [])
  }

  // MARK: Handovers

  /// A copy of a signed host, on its disk, with the host's `store.json` or another.
  private func copied(_ host: StageHost, to disk: MemoryDisk, saying bytes: [UInt8]? = nil) throws -> StoreMirror {
    for path in ["/fleet", "/fleet/evidence"] { try disk.makeDurableDirectory(path) }
    let copy = try StoreMirror(
      directory: "/fleet/copy", state: nil, evidence: "/fleet/evidence", pinned: host.key.verifier, disk: disk)
    #expect(try copy.take(identity: bytes ?? self.bytes(of: identity(of: host)), of: host.id) == .applied)
    #expect(try copy.take(segment(of: host), at: .start) == .applied)
    _ = try copy.sync()
    return copy
  }

  private func segment(of host: StageHost) throws -> [UInt8] {
    try #require(try host.files()[SegmentName.name(first: 0)])
  }

  private func handOver(_ host: StageHost) throws -> SigningKey {
    let next = try SigningKey(name: host.key.verifier.name)
    _ = try host.log?.handOver(from: host.key, to: next, at: Self.time)
    return next
  }

  @Test("a store.json that comes before the checkpoint of its handover waits until that is synced")
  func identityBeforeHandover() throws {
    let host = try StageHost(seed: 97, segmentBytes: 1 << 20)
    try host.append(8)
    try host.sign()
    let before = try bytes(of: identity(of: host))
    let disk = MemoryDisk(seed: 98)
    let copy = try copied(host, to: disk)
    let next = try handOver(host)
    let after = try bytes(of: identity(of: host))
    let path = copy.directory + "/store.json"

    #expect(try copy.take(identity: after, of: host.id) == .gap)
    #expect(try copy.takeWaitingIdentity() == .gap)
    #expect(try copy.take(segment(of: host), at: .start) == .applied)
    #expect(try copy.takeWaitingIdentity() == .gap)
    #expect(try disk.contents(of: path, limit: 1 << 20) == before)
    _ = try copy.sync()
    #expect(try copy.takeWaitingIdentity() == .applied)
    #expect(try disk.contents(of: path, limit: 1 << 20) == after)
    #expect(try copy.takeWaitingIdentity() == nil)
    // One of before is old, and no contradiction.
    #expect(try copy.take(identity: before, of: host.id) == .known)
    #expect(try disk.contents(of: path, limit: 1 << 20) == after)
    // One that retires the key at another size is none of the host's.
    var said = try identity(of: host)
    said.retiredKeys[0].until += 1
    guard case .conflict = try copy.take(identity: bytes(of: said), of: host.id) else {
      Issue.record("a handover at another size is believed")
      return
    }
    #expect(copy.identity?.publicKey == next.verifier.description)
  }

  @Test("a store.json that names a handover which the log does not have is refused once the log has gone on")
  func handoverThatNeverComes() throws {
    let host = try StageHost(seed: 99, segmentBytes: 1 << 20)
    try host.append(8)
    try host.sign()
    let disk = MemoryDisk(seed: 100)
    let copy = try copied(host, to: disk)
    var said = try identity(of: host)
    said.retiredKeys = [RetiredKey(key: host.key.verifier.description, until: copy.size + 1)]
    said.publicKey = try SigningKey(name: said.origin).verifier.description
    #expect(try copy.take(identity: bytes(of: said), of: host.id) == .gap)
    try host.append(8)
    try host.sign()
    #expect(try copy.take(segment(of: host), at: .start) == .applied)
    _ = try copy.sync()
    guard case .conflict? = try copy.takeWaitingIdentity() else {
      Issue.record("it still waits")
      return
    }
    #expect(copy.identity?.publicKey == host.key.verifier.description)
    #expect(try disk.names(in: "/fleet/evidence").count == 1)
  }

  @Test(
    "a host that handed its log over, before or after it was enrolled, is collected without a contradiction",
    arguments: [false, true], [false, true])
  func handoverBeforeCollection(isCollectedBefore: Bool, isNewKeyEnrolled: Bool) throws {
    let engine = MemoryTransport(seed: 1)
    let host = try StageHost(seed: 101)
    try host.append(8)
    try host.sign()
    let collector = try StageCollector(from: engine, seed: 102)
    try collector.start([host])
    try host.ship(to: engine)
    if isCollectedBefore { #expect(try settle([host], [collector])) }
    let next = try handOver(host)
    try host.append(8)
    _ = try host.log?.checkpoint(with: next)
    if isNewKeyEnrolled {
      collector.roster.enroll(host.id, key: next.verifier)
      try collector.collector?.follow(collector.roster)
    }
    #expect(try settle([host], [collector]))
    #expect(collector.conflicts == [])
    let path = collector.folder.host(host.id) + "/store.json"
    #expect(try collector.disk.contents(of: path, limit: 1 << 20) == bytes(of: identity(of: host)))
    #expect(try collector.files(of: host) == host.files())
    let report = try Verifier(
      directory: collector.folder.host(host.id), pinnedKey: isNewKeyEnrolled ? next.verifier : host.key.verifier,
      disk: collector.disk
    ).run(threads: 1)
    #expect(report.verdict == .ok && report.anchoredSize == host.log?.size, "\(report.findings)")
  }
}
