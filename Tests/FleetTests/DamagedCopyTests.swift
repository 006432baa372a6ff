import Foundation
import Testing

@testable import EventStore
@testable import Fleet

/// Damage in the copy of one host's store leaves the other hosts alone, and what else can be verified of that host.
@Suite struct DamagedCopyTests {
  private let engine = MemoryTransport(seed: 1)

  @Test(
    "a checkpoint that cannot be read is a problem of its host alone, which is collected and cosigned all the same",
    arguments: ["5", "latest"])
  func unreadableCheckpoint(_ name: String) throws {
    let hosts = [try StageHost(seed: 51), try StageHost(seed: 53)]
    let collector = try StageCollector(from: engine, seed: 54)
    try collector.start(hosts)
    for host in hosts {
      try host.ship(to: engine)
      try host.append(8)
      try host.sign()
    }
    try #require(try settle(hosts, [collector]))
    collector.collector = nil
    let layout = StoreLayout(collector.folder.host(hosts[0].id))
    let path = layout.checkpoints + "/" + name
    try collector.disk.replace(path, with: Array("nothing\n".utf8), in: layout.checkpoints)

    try collector.start(hosts)
    // The hosts are answered before the next checkpoint comes.
    try collector.run()
    #expect(collector.collector?.damage(of: hosts[0].id)?.contains(path) == true)
    for host in hosts {
      try host.append(8)
      try host.sign()
    }
    #expect(try settle(hosts, [collector]))
    // The host, the file, what to do; once.
    #expect(collector.conflicts.count == 1)
    let told = try #require(collector.conflicts.first)
    #expect(told.hasPrefix("host: ") && told.contains(path) && told.contains("; "), "\(told)")
    let running = try #require(collector.collector)
    // The next checkpoint has taken the place of `latest`.
    #expect((running.damage(of: hosts[0].id)?.contains(path) == true) == (name != "latest"))
    #expect(running.damage(of: hosts[1].id) == nil)
    for host in hosts {
      let record = try #require(running.state.hosts[host.id])
      let size = try #require(host.log?.size)
      #expect(record.state.size == size && record.state.signedSize == size && record.cosigned == size)
      #expect(record.conflicts == 0)
      #expect(try collector.files(of: host) == host.files())
    }
  }

  @Test("with the checkpoint of a handover, the new key's checkpoints are no longer trusted; other hosts go on")
  func unreadableHandover() throws {
    let hosts = [try StageHost(seed: 55), try StageHost(seed: 57)]
    let collector = try StageCollector(from: engine, seed: 58)
    try collector.start(hosts)
    for host in hosts {
      try host.ship(to: engine)
      try host.append(8)
      try host.sign()
    }
    try #require(try settle(hosts, [collector]))
    let next = try SigningKey(name: hosts[0].key.verifier.name)
    _ = try hosts[0].log?.handOver(from: hosts[0].key, to: next, at: Timestamp(microseconds: 1_700_000_000_000_000))
    try #require(try settle(hosts, [collector]))
    let handedOver = try #require(hosts[0].log?.size)
    #expect(collector.collector?.state.hosts[hosts[0].id]?.state.signedSize == handedOver)
    collector.collector = nil
    let layout = StoreLayout(collector.folder.host(hosts[0].id))
    let path = layout.checkpoint(handedOver)
    let good = try collector.disk.contents(of: path, limit: 1 << 16)
    try collector.disk.replace(path, with: Array("nothing\n".utf8), in: layout.checkpoints)

    try collector.start(hosts)
    for (host, key) in zip(hosts, [next, hosts[1].key]) {
      try host.append(8)
      _ = try host.log?.checkpoint(with: key)
    }
    #expect(try !settle(hosts, [collector], rounds: 4))
    #expect(collector.collector?.damage(of: hosts[0].id)?.contains(path) == true)
    let state = try #require(collector.collector?.state)
    #expect(state.hosts[hosts[0].id]?.state.signedSize == handedOver)
    #expect(state.hosts[hosts[1].id]?.cosigned == hosts[1].log?.size)

    // As the report advises.
    collector.collector = nil
    try collector.disk.replace(path, with: good, in: layout.checkpoints)
    try collector.start(hosts)
    try #require(try settle(hosts, [collector]))
    #expect(collector.collector?.damage(of: hosts[0].id) == nil)
    #expect(collector.collector?.state.hosts[hosts[0].id]?.state.signedSize == hosts[0].log?.size)
  }

  /// What keeps a copy from being opened.
  enum Fault: CaseIterable {
    case identity, header, unknown
  }

  /// Two hosts whose logs were collected and cosigned, and their collector.
  private func collected(seed: UInt64) throws -> (hosts: [StageHost], collector: StageCollector) {
    let hosts = [try StageHost(seed: seed), try StageHost(seed: seed + 2)]
    let collector = try StageCollector(from: engine, seed: seed + 3)
    try collector.start(hosts)
    for host in hosts { try host.ship(to: engine) }
    try grow(hosts)
    try #require(try settle(hosts, [collector]))
    return (hosts, collector)
  }

  private func grow(_ hosts: [StageHost]) throws {
    for host in hosts {
      try host.append(8)
      try host.sign()
    }
  }

  @Test(
    "a copy that cannot be opened is a problem of its host alone, which is collected again once the copy is mended",
    arguments: Fault.allCases)
  func unusableCopy(_ fault: Fault) throws {
    let (hosts, collector) = try collected(seed: 61)
    collector.collector = nil
    let (id, folder, disk) = (hosts[0].id, collector.folder, collector.disk)
    let layout = StoreLayout(folder.host(id))
    let (path, parent) = fault == .identity ? (layout.identity, layout.root) : (layout.segment(0), layout.segments)
    let good = try disk.contents(of: path, limit: 1 << 20)
    let record = try #require(try CollectorState(of: folder)?.hosts[id])
    switch fault {
    case .identity: try disk.replace(path, with: Array("nothing\n".utf8), in: parent)
    case .header: try disk.open(path, .update).truncate(to: 5)
    case .unknown:
      var state = try #require(try CollectorState(of: folder))
      state.hosts[id] = nil
      try state.save(to: folder)
    }
    let before = try collector.files(of: hosts[0])

    // Twice: what the collector knows of the host, or does not, is the same at the second start.
    for start in 1...2 {
      try collector.start(hosts)
      try grow(hosts)
      #expect(try !settle(hosts, [collector], rounds: 4))
      #expect(collector.conflicts.count == start, "\(collector.conflicts)")
      let told = try #require(collector.conflicts.last)
      #expect(told.hasPrefix("host: ") && told.contains(id) && told.contains("; "), "\(told)")
      #expect(collector.collector?.damage(of: id)?.contains(id) == true)
      #expect(collector.collector?.damage(of: hosts[1].id) == nil)
      #expect(try collector.files(of: hosts[0]) == before)
      let state = try #require(try CollectorState(of: folder))
      #expect(state.hosts[id]?.state == (fault == .unknown ? nil : record.state))
      #expect(state.hosts[hosts[1].id]?.state.size == hosts[1].log?.size)
      #expect(state.hosts[hosts[1].id]?.cosigned == hosts[1].log?.size)
      collector.collector = nil
    }

    // As the report advises.
    if fault == .unknown {
      var state = try #require(try CollectorState(of: folder))
      state.hosts[id] = record
      try state.save(to: folder)
    } else {
      try disk.replace(path, with: good, in: parent)
    }
    try collector.start(hosts)
    #expect(try settle(hosts, [collector]))
    #expect(collector.conflicts.count == 2)
    #expect(collector.collector?.damage(of: id) == nil)
    #expect(collector.collector?.state.hosts[id]?.cosigned == hosts[0].log?.size)
    #expect(try collector.files(of: hosts[0]) == hosts[0].files())
  }

  @Test(
    "a copy that is moved away, or may not be used any more, is a problem of its host alone",
    arguments: [StoreError.Code.notFound, .permission])
  func unreachableCopy(_ code: StoreError.Code) throws {
    let (hosts, collector) = try collected(seed: 81)
    let id = hosts[0].id
    let bar = BarredDisk(collector.disk)
    collector.collector = nil
    collector.bar = bar
    try collector.start(hosts)
    try grow(hosts)
    try #require(try settle(hosts, [collector]))
    let known = try #require(collector.collector?.state.hosts[id]?.state)

    bar.refuse(collector.folder.host(id), with: code)
    // While it runs, and from its next start on.
    for start in 1...2 {
      try grow(hosts)
      #expect(try !settle(hosts, [collector], rounds: 4))
      #expect(collector.conflicts.count == start, "\(collector.conflicts)")
      let told = try #require(collector.conflicts.last)
      #expect(told.hasPrefix("host: ") && told.contains(id) && told.contains("; "), "\(told)")
      #expect(collector.collector?.damage(of: id)?.contains(id) == true)
      #expect(collector.collector?.damage(of: hosts[1].id) == nil)
      #expect(try collector.collector?.newestNote(of: id) == nil)
      #expect(collector.collector?.state.hosts[id]?.state == known)
      #expect(collector.collector?.state.hosts[hosts[1].id]?.cosigned == hosts[1].log?.size)
      collector.collector = nil
      if start == 1 { try collector.start(hosts) }
    }

    bar.refuseNothing()
    try collector.start(hosts)
    #expect(try settle(hosts, [collector]))
    #expect(collector.conflicts.count == 2)
    for host in hosts { #expect(try collector.files(of: host) == host.files()) }
  }

  @Test("a store.json for a copy that was moved away is a problem of its host alone")
  func identityWithoutCopy() throws {
    let (hosts, collector) = try collected(seed: 85)
    let id = hosts[0].id
    let bar = BarredDisk(collector.disk)
    collector.collector = nil
    collector.bar = bar
    try collector.start(hosts)
    bar.refuse(collector.folder.host(id), with: .notFound)
    let identity = try hosts[0].disk.contents(of: hosts[0].directory + "/store.json", limit: 1 << 20)
    engine.store(FleetMessage(store: id, content: .identity, place: .start, bytes: identity))
    try grow([hosts[1]])
    #expect(try settle([hosts[1]], [collector]))
    #expect(collector.collector?.damage(of: id)?.contains(id) == true)
    #expect(collector.collector?.state.hosts[hosts[1].id]?.cosigned == hosts[1].log?.size)
  }

  @Test("the status shows a copy that the state does not know as damaged, and none that is not there")
  func statusOfUnknownCopy() throws {
    let (hosts, collector) = try collected(seed: 87)
    collector.collector = nil
    let folder = collector.folder
    let now = Timestamp(microseconds: collector.time)
    let late = try StageHost(seed: 89)
    let keys = try enroll(hosts + [late], in: folder, at: now)
    defer { try? FileManager.default.removeItem(atPath: keys) }
    var state = try #require(try CollectorState(of: folder))
    state.hosts[hosts[0].id] = nil
    try state.save(to: folder)
    let lines = try FleetStatus(of: folder, at: now).lines
    let line = try #require(lines.first { $0.host.store == hosts[0].id })
    #expect(line.state == .damaged)
    #expect(line.damage?.contains("nothing says how far this copy is good") == true, "\(line.damage ?? "")")
    for host in [hosts[1], late] {
      let line = try #require(lines.first { $0.host.store == host.id })
      #expect(line.damage == nil && line.state != .damaged)
    }
  }

  @Test("the status says what a copy lacks that was cut or made again")
  func statusOfLackingCopy() throws {
    let (hosts, collector) = try collected(seed: 91)
    collector.collector = nil
    let folder = collector.folder
    let now = Timestamp(microseconds: collector.time)
    let keys = try enroll(hosts, in: folder, at: now)
    defer { try? FileManager.default.removeItem(atPath: keys) }
    var state = try #require(try CollectorState(of: folder))
    state.hosts[hosts[0].id]?.state = MirrorState()
    try state.save(to: folder)
    let lines = try FleetStatus(of: folder, at: now).lines
    let line = try #require(lines.first { $0.host.store == hosts[0].id })
    #expect(line.state == .damaged && line.damage?.contains("were cosigned") == true, "\(line)")
    #expect(lines.first { $0.host.store == hosts[1].id }?.damage == nil)
  }

  @Test("hosts whose records are missing from the fleet's own store are not silently left out")
  func shortRoster() throws {
    let (hosts, collector) = try collected(seed: 93)
    let folder = collector.folder
    let now = Timestamp(microseconds: collector.time)
    let keys = try enroll(hosts, in: folder, at: now)
    defer { try? FileManager.default.removeItem(atPath: keys) }
    #expect(try folder.roster().active.count == 2)
    let segments = folder.store + "/segments"
    for name in try collector.disk.names(in: segments) { try collector.disk.remove(segments + "/" + name) }
    #expect(throws: StoreError(.truncated, "")) { try FleetStatus(of: folder, at: now) }
    #expect(throws: StoreError(.truncated, "")) { try folder.roster() }
    #expect(try folder.roster(allowsShortfall: true).active.isEmpty)
  }

  /// Enrolls hosts in the fleet's own store. Returns the directory of its key, which the caller removes.
  private func enroll(_ hosts: [StageHost], in folder: FleetFolder, at now: Timestamp) throws -> String {
    let keys = NSTemporaryDirectory() + "fleet-" + UUID().uuidString
    try FleetStore(folder, keyFile: keys + "/fleet.key").append(
      hosts.map { host in
        let data = JSON.members([("name", .string(host.id)), ("publicKey", .string(host.key.verifier.description))])
        return Roster.record(.enrolled, of: host.id, data, at: now)
      })
    return keys
  }

  @Test("a copy that the state does not know is an alarm of its host, once, with what to do")
  func alarm() throws {
    let (hosts, collector) = try collected(seed: 75)
    collector.collector = nil
    let (id, folder) = (hosts[0].id, collector.folder)
    var state = try #require(try CollectorState(of: folder))
    state.hosts[id] = nil
    try state.save(to: folder)
    try collector.start(hosts)
    let running = try #require(collector.collector)
    let keys = NSTemporaryDirectory() + "fleet-" + UUID().uuidString
    defer { try? FileManager.default.removeItem(atPath: keys) }
    var watch = FleetWatch(FleetStore(folder, keyFile: keys + "/fleet.key"), from: collector.roster)
    let now = Timestamp(microseconds: collector.time)
    let changes = try watch.look(at: running, roster: collector.roster, now: now)
    #expect(changes.map(\.store) == [id] && changes.map(\.state) == [.damaged])
    let conflict = try #require(changes.first?.conflict)
    #expect(conflict == running.damage(of: id) && conflict.contains("; "), "\(conflict)")
    #expect(try watch.look(at: running, roster: collector.roster, now: now).isEmpty)
  }

  @Test("a copy that is changed under the collector is a problem of its host alone")
  func changedWhileRunning() throws {
    let (hosts, collector) = try collected(seed: 67)
    let id = hosts[0].id
    let layout = StoreLayout(collector.folder.host(id))
    let path = layout.segment(0)
    var bytes = try collector.disk.contents(of: path, limit: 1 << 20)
    let end = MirrorPlace(segment: 0, offset: UInt64(bytes.count))
    try #require(collector.collector?.state.hosts[id]?.state.end == end)
    bytes[0] ^= 0xFF
    try collector.disk.replace(path, with: bytes, in: layout.segments)
    // Bytes that do not fit: the copy is cut where its checkpoint ends, for which its file is opened again.
    engine.store(FleetMessage(store: id, content: .written, place: end, bytes: Array(repeating: 0x67, count: 64)))
    try grow([hosts[1]])
    #expect(try settle([hosts[1]], [collector]))
    #expect(collector.conflicts.count == 1 && collector.conflicts.first?.contains(path) == true)
    #expect(collector.collector?.damage(of: id)?.contains(path) == true)
    let state = try #require(collector.collector?.state)
    #expect(state.hosts[id]?.state.end == end)
    #expect(state.hosts[hosts[1].id]?.cosigned == hosts[1].log?.size)
  }

  @Test("a witness that cannot read what it remembers of one host cosigns nothing for that one alone")
  func unreadableMemory() throws {
    let (hosts, collector) = try collected(seed: 71)
    collector.collector = nil
    let witness = collector.folder.witness
    let mark = witness + "/" + FileName.name(of: hosts[0].key.verifier.name) + ".cosigned"
    try collector.disk.replace(mark, with: Array(repeating: 0x78, count: 1 << 17), in: witness)
    let before = try #require(hosts[0].log?.size)

    try collector.start(hosts)
    try grow(hosts)
    #expect(try settle(hosts, [collector]))
    #expect(collector.conflicts.count == 1 && collector.conflicts.first?.contains(mark) == true)
    #expect(collector.collector?.forgotten.contains(hosts[0].id) == true)
    #expect(collector.collector?.forgotten.contains(hosts[1].id) == false)
    let state = try #require(collector.collector?.state)
    #expect(state.hosts[hosts[0].id]?.cosigned == before)
    #expect(state.hosts[hosts[1].id]?.cosigned == hosts[1].log?.size)
    for host in hosts { #expect(state.hosts[host.id]?.state.size == host.log?.size) }
  }
}
