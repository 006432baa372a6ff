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

  private func mirror(of host: StageHost, from state: MirrorState?, on disk: MemoryDisk) throws -> StoreMirror {
    try StoreMirror(
      directory: "/fleet/copy", state: state, evidence: "/fleet/evidence", pinned: host.key.verifier, disk: disk)
  }

  /// A copy, by itself on its disk, of all that a host has written.
  private func copied(_ host: StageHost, seed: UInt64) throws -> (copy: StoreMirror, disk: MemoryDisk) {
    let disk = MemoryDisk(seed: seed)
    for path in ["/fleet", "/fleet/evidence"] { try disk.makeDurableDirectory(path) }
    let copy = try mirror(of: host, from: nil, on: disk)
    let identity = try host.disk.contents(of: host.directory + "/store.json", limit: 1 << 20)
    #expect(try copy.take(identity: identity, of: host.id) == .applied)
    for (name, bytes) in try host.files().sorted(by: { $0.key < $1.key }) {
      let segment = try #require(SegmentName.first(of: name))
      #expect(try copy.take(bytes, at: MirrorPlace(segment: segment)) == .applied)
    }
    _ = try copy.sync()
    return (copy, disk)
  }

  @Test func `a key that is handed over is trusted by the copy, and what it signs is anchored`() throws {
    let (host, collector) = try hostAndCollector(over: engine, seed: 21)
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

  @Test("a handover that the disk lets fail and the host completes is trusted by the copy", arguments: [false, true])
  func completedHandover(isOpenedAgain: Bool) throws {
    let host = try StageHost(seed: 39, segmentBytes: 1 << 20)
    let collector = try StageCollector(from: engine, seed: 40)
    try collector.start([host])
    try host.ship(to: engine)
    try host.append(10)
    try host.sign()
    #expect(try settle([host], [collector]))
    let next = try SigningKey(name: host.key.verifier.name)
    // The first is that of `latest`, which completes the handover.
    host.disk.fail(.rename, number: 2, with: .noSpace)
    #expect(throws: StoreError(.noSpace, "")) {
      try host.log?.handOver(from: host.key, to: next, at: Timestamp(microseconds: 1_700_000_000_000_000))
    }
    #expect(!host.disk.isFaultPending)
    if isOpenedAgain {
      try host.log?.close()
      try host.open()
    }
    try host.append(10)
    _ = try host.log?.checkpoint(with: next)
    #expect(try settle([host], [collector]))
    try expectCollected(host, by: collector)
  }

  @Test("a handover is trusted by the copy if a failed sync superseded its place before it was collected")
  func supersededHandover() throws {
    let host = try StageHost(seed: 41, segmentBytes: 1 << 20)
    let collector = try StageCollector(from: engine, seed: 42)
    try collector.start([host])
    try host.ship(to: engine)
    try host.append(10)
    try host.sign()
    #expect(try settle([host], [collector]))
    let next = try SigningKey(name: host.key.verifier.name)
    _ = try host.log?.handOver(from: host.key, to: next, at: Timestamp(microseconds: 1_700_000_000_000_000))
    host.disk.fail(.sync, number: 1, with: .io)
    try host.append(5)
    try host.log?.sync()
    #expect(!host.disk.isFaultPending)
    #expect(try host.files().count == 2)
    try host.log?.close()
    try host.open()
    try host.append(5)
    _ = try host.log?.checkpoint(with: next)
    #expect(try settle([host], [collector]))
    try expectCollected(host, by: collector)
  }

  /// Expects a copy of all that a host has, which trusts the key that the host signs with.
  private func expectCollected(_ host: StageHost, by collector: StageCollector) throws {
    #expect(try collector.files(of: host) == host.files())
    #expect(collector.conflicts == [])
    let identity = try host.disk.contents(of: host.directory + "/store.json", limit: 1 << 20)
    let copied = collector.folder.host(host.id) + "/store.json"
    #expect(try collector.disk.contents(of: copied, limit: 1 << 20) == identity)
    let report = try verdict(collector, host)
    #expect(report.verdict == .ok && report.anchoredSize == host.log?.size, "\(report.findings)")
  }

  @Test("the checkpoint of a handover that cannot be read is good again once it comes again")
  func handoverComesAnew() throws {
    let host = try StageHost(seed: 37)
    try host.append(8)
    try host.sign()
    let (copy, disk) = try copied(host, seed: 38)
    let known = copy.state
    let next = try SigningKey(name: host.key.verifier.name)
    _ = try host.log?.handOver(from: host.key, to: next, at: Timestamp(microseconds: 1_700_000_000_000_000))
    let bytes = try #require(try host.files()[SegmentName.name(first: 0)])
    #expect(try copy.take(bytes, at: .start) == .applied)
    _ = try copy.sync()
    let layout = StoreLayout(copy.directory)
    let path = layout.checkpoint(copy.size)
    let good = try disk.contents(of: path, limit: 1 << 16)
    try disk.replace(path, with: Array("nothing\n".utf8), in: layout.checkpoints)

    // As after a kill before its state was saved: the state is older than the copy, and the handover comes again.
    let again = try mirror(of: host, from: known, on: disk)
    #expect(again.unreadable.map(\.file) == [path])
    #expect(try again.take(bytes, at: .start) == .applied)
    _ = try again.sync()
    #expect(again.unreadable.isEmpty)
    #expect(try disk.contents(of: path, limit: 1 << 16) == good)
  }

  @Test func `records that the host prunes stay in the copy`() throws {
    let (host, collector) = try hostAndCollector(over: engine, seed: 23)
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
    let (host, collector) = try hostAndCollector(over: engine, seed: 29)
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
    // What was replaced is reported, and no more once it is settled.
    let told = collector.conflicts.count
    #expect(told > 0)
    try host.append(5)
    try host.sign()
    #expect(try settle([host], [collector]))
    #expect(collector.conflicts.count == told)
  }

  @Test("a header that a failed sync replaced by one of the same length gives way to that of the sealed form")
  func replacedHeaderOfTheSameLength() throws {
    let host = try StageHost(seed: 33)
    while host.log?.size ?? 0 < 1_000 { try host.append(8) }
    try host.sign()
    let before = try host.files()
    while try host.files().count == before.count {
      try host.append(8)
      try host.roll()
    }
    try host.append(5)
    let (copy, disk) = try copied(host, seed: 34)
    let name = try #require(try host.files().keys.max())
    let first = try #require(SegmentName.first(of: name))
    #expect(before[name] == nil && first >= 1_000 && first < 10_000)
    let old = try #require(try segmentFiles(of: copy.directory, on: disk)[name])

    host.disk.fail(.sync, number: 1, with: .io)
    try host.log?.sync()
    #expect(try SegmentHeader.supersedes(first, in: StoreLayout(host.directory), on: host.disk))
    let new = try #require(try host.files()[name])
    let end = Int(try FileHead(of: MemoryFile(new, path: name)).end)
    #expect(try FileHead(of: MemoryFile(old, path: name)).end == UInt64(end))
    try #require(old.count < new.count && new[end...].starts(with: old[end...]) && !new.starts(with: old))
    // A shipper goes on where it stood, and one that goes back says nothing new.
    let place = MirrorPlace(segment: first, offset: UInt64(old.count))
    #expect(try copy.take(Array(new[old.count...]), at: place) == .applied)
    #expect(try copy.take(new, at: MirrorPlace(segment: first)) == .known)
    #expect(try !SegmentHeader.supersedes(first, in: StoreLayout(copy.directory), on: disk))

    let count = try host.files().count
    while try host.files().count == count {
      try host.append(8)
      try host.roll()
    }
    try host.sign()
    for (name, bytes) in try host.files().sorted(by: { $0.key < $1.key }) {
      let segment = try #require(SegmentName.first(of: name))
      if segment >= first { #expect(try copy.take(bytes, at: MirrorPlace(segment: segment)) == .applied) }
    }
    #expect(try #require(try host.log?.seal()).sealed > 0)
    let sealed = try #require(try host.files()[name])
    #expect(try FooterPlace.form(in: MemoryFile(sealed, path: name)) == .sealed)
    #expect(try copy.take(sealed, at: MirrorPlace(segment: first, form: .rewritten)) == .applied)
    _ = try copy.sync()
    #expect(try segmentFiles(of: copy.directory, on: disk)[name] == sealed)
    #expect(try disk.names(in: "/fleet/evidence").isEmpty)
    let report = try Verifier(directory: copy.directory, pinnedKey: host.key.verifier, disk: disk).run(threads: 1)
    #expect(report.verdict == .ok && report.records == host.log?.size, "\(report.findings)")
  }

  @Test("a header that says anything else than the one before is refused, whole or with the sealed form")
  func anotherHeaderOfTheSameLength() throws {
    let host = try StageHost(seed: 35)
    while try host.files().count < 3 {
      try host.append(8)
      try host.roll()
    }
    try host.append(8)
    try host.sign()
    let (copy, disk) = try copied(host, seed: 36)
    let name = try #require(try host.files().keys.sorted().dropFirst().first)
    let first = try #require(SegmentName.first(of: name))
    func changed(_ bytes: [UInt8], superseding: Bool) throws -> [UInt8] {
      let head = try FileHead(of: MemoryFile(bytes, path: name))
      var header = try SegmentHeader(frame: head.frame)
      header.previous = (header.previous ?? 0) + 1
      if superseding { header.supersedes = header.first }
      return FrameFormat.prologue + (try header.frame()).encoded + Array(bytes[Int(head.end)...])
    }
    let written = try #require(try host.files()[name])
    try host.log?.sync()
    #expect(try #require(try host.log?.seal()).sealed > 1)
    let sealed = try #require(try host.files()[name])
    let forms: [([UInt8], SliceForm)] = [(written, .written), (sealed, .rewritten)]
    for (bytes, form) in forms {
      for superseding in [false, true] {
        let message = try changed(bytes, superseding: superseding)
        let outcome = try copy.take(message, at: MirrorPlace(segment: first, form: form))
        guard case .conflict = outcome else {
          Issue.record("\(form), superseding \(superseding): \(outcome)")
          continue
        }
        #expect(try segmentFiles(of: copy.directory, on: disk)[name] == written)
      }
    }
    // One that supersedes, with spaces in it: nothing else differs, and no writer writes it.
    let head = try FileHead(of: MemoryFile(sealed, path: name))
    let number = "\(first)" + String(repeating: " ", count: max(0, 4 - "\(first)".count))
    let text = String(decoding: head.frame.body, as: UTF8.self)
      .replacing("\"supersedes\":null", with: "\"supersedes\":" + number)
    let spaced = SkippableFrame(kind: .head, body: Array(text.utf8))
    try #require(try SegmentHeader(frame: spaced).supersedes == first)
    try #require(number.hasSuffix(" ") && spaced.body.count == head.frame.body.count)
    let message = FrameFormat.prologue + spaced.encoded + Array(sealed[Int(head.end)...])
    let outcome = try copy.take(message, at: MirrorPlace(segment: first, form: .rewritten))
    guard case .conflict = outcome else {
      Issue.record("\(outcome)")
      return
    }
    #expect(try copy.take(sealed, at: MirrorPlace(segment: first, form: .rewritten)) == .applied)
  }
}
