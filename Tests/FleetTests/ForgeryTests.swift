import Testing

@testable import EventStore
@testable import Fleet

/// Messages that are not the host's, or not of the log that it has signed.
@Suite struct ForgeryTests {
  private let engine = MemoryTransport(seed: 1)
  private let host: StageHost
  private let collector: StageCollector

  init() throws {
    host = try StageHost(seed: 11, segmentBytes: 64 << 10)
    collector = try StageCollector(from: engine, seed: 12)
    try collector.start([host])
    try host.ship(to: engine)
    try host.append(20)
    try host.sign()
    try #require(try settle([host], [collector]))
  }

  private var record: HostRecord? { collector.collector?.state.hosts[host.id] }

  private func send(_ bytes: [UInt8], at offset: UInt64, segment: UInt64 = 0) {
    engine.store(
      FleetMessage(
        store: host.id, content: .written, place: MirrorPlace(segment: segment, offset: offset), bytes: bytes))
  }

  private func evidence() throws -> [String] { try collector.disk.names(in: collector.folder.evidence) }

  @Test func `other bytes under a checkpoint change nothing and are kept`() throws {
    let files = try collector.files(of: host)
    var bytes = Array((files.values.first ?? [])[300..<500])
    bytes[7] ^= 1
    send(bytes, at: 300)
    try collector.run()
    #expect(try collector.files(of: host) == files)
    #expect(record?.conflicts == 1 && record?.isForked == false)
    #expect(try evidence().count == 1)
  }

  @Test func `well-formed records in a host's name stay behind the checkpoint, and go when the host ships`() throws {
    let files = try host.files()
    let end = try #require(record?.state.end)
    let size = try #require(host.log?.size)
    send(try forgedFrame(), at: end.offset)
    try collector.run()
    #expect(record?.state.size == size + 1 && record?.state.signedSize == size && record?.cosigned == size)
    #expect(try collector.files(of: host) != files)
    try host.append(3)
    try host.sign()
    #expect(try settle([host], [collector]))
    #expect(try collector.files(of: host) == host.files())
    #expect(try evidence().contains { $0.contains("-copy-") })
    #expect(record?.isForked == false)
  }

  @Test func `a forged record in what a failed sync superseded goes, be the next checkpoint with it`() throws {
    let end = try #require(record?.state.end)
    let size = try #require(host.log?.size)
    send(try forgedFrame(), at: end.offset)
    try collector.run()
    #expect(record?.state.size == size + 1)
    host.disk.fail(.sync, number: 1, with: .io)
    try host.append(3)
    try host.log?.sync()
    #expect(try SegmentHeader.supersedes(size, in: StoreLayout(host.directory), on: host.disk))
    // The opening moves away what is superseded: only the segment that supersedes is shipped.
    try host.log?.close()
    try host.open()
    try host.sign()
    #expect(try settle([host], [collector]))
    let report = try Verifier(
      directory: collector.folder.host(host.id), pinnedKey: host.key.verifier, disk: collector.disk
    ).run(threads: 1)
    #expect(report.verdict == .ok && report.anchoredSize == host.log?.size, "\(report.findings)")
    #expect(record?.isForked == false)
    #expect(try evidence().contains { $0.contains("-copy-") })
  }

  @Test(arguments: [false, true])
  func `forged records in what a failed sync superseded go, though a checkpoint comes before as many of the host's`(
    _ isStartedAgain: Bool
  ) throws {
    let end = try #require(record?.state.end)
    let size = try #require(host.log?.size)
    send(try forgedFrame(count: 40), at: end.offset)
    try collector.run()
    #expect(record?.state.size == size + 40)
    host.disk.fail(.sync, number: 1, with: .io)
    try host.append(3)
    try host.log?.sync()
    try host.log?.close()
    try host.open()
    if isStartedAgain {
      // The segment is there, and its checkpoint is not.
      #expect(try settle([host], [collector]))
      collector.collector = nil
      try collector.start([host])
    }
    try host.sign()
    try #require(try #require(host.log?.size) < size + 40)
    #expect(try settle([host], [collector]))
    try host.append(60)
    try host.sign()
    #expect(try settle([host], [collector]))
    let report = try Verifier(
      directory: collector.folder.host(host.id), pinnedKey: host.key.verifier, disk: collector.disk
    ).run(threads: 1)
    #expect(report.verdict == .ok && report.anchoredSize == host.log?.size, "\(report.findings)")
    #expect(record?.isForked == false)
    #expect(try evidence().contains { $0.contains("-copy-") })
  }

  @Test func `forged records go before the sealed form of the segment that supersedes them comes`() throws {
    let small = try StageHost(seed: 21)
    let collector = try StageCollector(from: engine, seed: 22)
    try collector.start([small])
    try small.ship(to: engine)
    try small.append(8)
    try small.sign()
    try #require(try settle([small], [collector]))
    let size = try #require(small.log?.size)
    let mirror = try #require(collector.collector?.mirror(of: small.id))
    let place = mirror.received
    #expect(try mirror.take(forgedFrame(count: 40, from: size), at: place) == .applied)
    small.disk.fail(.sync, number: 1, with: .io)
    try small.append(3)
    try small.log?.sync()
    try small.log?.close()
    try small.open()
    let count = try small.files().count
    while try small.files().count == count {
      try small.append(1, bytes: 1_000)
      try small.roll()
    }
    try small.sign()
    #expect(try #require(try small.log?.seal()).sealed > 0)
    let sealed = try #require(try small.files()[SegmentName.name(first: size)])
    let file = MemoryFile(sealed, path: "segment")
    try #require(try FooterPlace.form(in: file) == .sealed)
    try #require(try SegmentHeader(frame: FileHead(of: file).frame).supersedes == size)
    guard case .conflict = try mirror.take(sealed, at: MirrorPlace(segment: size, form: .rewritten)) else {
      Issue.record("records were superseded by fewer others")
      return
    }
    #expect(mirror.size == size)
    #expect(try mirror.take(sealed, at: MirrorPlace(segment: size, form: .rewritten)) == .applied)
  }

  @Test func `a checkpoint by the host's key over another root is not taken`() throws {
    let end = try #require(record?.state.end)
    let size = try #require(host.log?.size)
    let note = try SignedNote(
      origin: host.key.verifier.name, size: size, root: MerkleTree.leaf(Array("another".utf8)), signedBy: host.key)
    send(SkippableFrame(kind: .note, body: Array(note.text.utf8)).encoded, at: end.offset)
    try collector.run()
    #expect(record?.conflicts == 1)
    #expect(record?.isForked == true)
    #expect(try collector.files(of: host) == host.files())
    #expect(
      try Verifier(directory: collector.folder.host(host.id), pinnedKey: host.key.verifier, disk: collector.disk)
        .run(threads: 1).verdict == .ok)
  }

  @Test func `a checkpoint by another key is not taken`() throws {
    let end = try #require(record?.state.end)
    let size = try #require(host.log?.size)
    let other = try SigningKey(name: host.key.verifier.name)
    let root = try #require(collector.collector?.mirror(of: host.id)?.root)
    let note = try SignedNote(origin: other.verifier.name, size: size, root: root, signedBy: other)
    send(SkippableFrame(kind: .note, body: Array(note.text.utf8)).encoded, at: end.offset)
    try collector.run()
    #expect(record?.conflicts == 1 && record?.isForked == false)
    #expect(record?.cosigned == size)
    #expect(try collector.files(of: host) == host.files())
  }

  @Test func `a segment that says it was pruned and has its records stops no collector`() throws {
    let written = try #require(try host.files().values.first)
    let file = MemoryFile(written, path: "segment")
    let head = try FileHead(of: file)
    var lines: [UInt8] = []
    var contents = try SegmentContents(linesOf: file, limit: nil) { line, _, _ in
      lines += CommitLines.array(line) + [0x0A]
    }
    var frame: [UInt8] = []
    let compressor = try BlockCompressor()
    try compressor.begin(into: &frame)
    _ = try compressor.add(lines.span, into: &frame)
    frame += FrameFormat.endMark
    contents.form = .pruned
    contents.streams = contents.streams.map(\.pruned)
    contents.frames = [
      IndexedFrame(offset: head.end, first: 0, length: UInt32(frame.count), count: UInt32(contents.count))
    ]
    let footer = SkippableFrame(kind: .footer, body: SegmentIndex.encode(contents))
    engine.store(
      FleetMessage(
        store: host.id, content: .rewritten, place: MirrorPlace(segment: 0, form: .rewritten, offset: 0),
        bytes: written[..<Int(head.end)] + frame + footer.encoded))
    try collector.run()
    #expect(record?.conflicts == 1)
    try host.append(3)
    try host.sign()
    #expect(try settle([host], [collector]))
    #expect(try collector.files(of: host) == host.files())
  }

  @Test func `anything at all in a message is refused or ignored, and the host goes on`() throws {
    var random = SeededRandom(99)
    for _ in 0..<300 {
      let bytes = (0..<Int(random.next() % 300)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
      let contents: [FleetMessage.Content] = [.written, .rewritten, .identity]
      let content = contents[Int(random.next() % 3)]
      let segments: [UInt64] = [0, 0, host.log?.size ?? 0, random.next() >> 2]
      let segment = segments[Int(random.next() % 4)]
      let offsets: [UInt64] = [0, random.next() % 4_000, random.next() >> 2]
      let offset = offsets[Int(random.next() % 3)]
      engine.store(
        FleetMessage(
          store: host.id, content: content,
          place: MirrorPlace(
            segment: segment, form: content == .rewritten ? .rewritten : .written, offset: offset), bytes: bytes))
      if let whole = FleetMessage(encoded: bytes, of: host.id) { Issue.record("\(whole)") }
    }
    try collector.run()
    try host.append(5)
    try host.sign()
    #expect(try settle([host], [collector]))
    #expect(try collector.files(of: host) == host.files())
    #expect(try evidence().count <= 256)
  }

  /// A segment as it is once its records were pruned.
  private func pruned(_ written: [UInt8]) throws -> [UInt8] {
    let file = MemoryFile(written, path: "segment")
    let head = try FileHead(of: file)
    var leaves: [TreeHash] = []
    var contents = try SegmentContents(linesOf: file, limit: nil) { _, _, leaf in leaves.append(leaf) }
    let frame = LeafHashes(first: contents.first, hashes: leaves).frame.encoded
    contents.form = .pruned
    contents.streams = contents.streams.map(\.pruned)
    contents.nodes = SegmentNodes(contents.first..<contents.frontier.size).hashes(of: leaves)
    contents.frames = [
      IndexedFrame(
        offset: head.end, first: contents.first, length: UInt32(frame.count), count: UInt32(leaves.count))
    ]
    let footer = SkippableFrame(kind: .footer, body: SegmentIndex.encode(contents)).encoded
    return Array(written[..<Int(head.end)]) + frame + footer
  }

  private func sendPruned(_ written: [UInt8]) throws {
    engine.store(
      FleetMessage(
        store: host.id, content: .rewritten, place: MirrorPlace(segment: 0, form: .rewritten, offset: 0),
        bytes: try pruned(written)))
    try collector.run()
  }

  /// Fills the room for evidence of the host.
  private func fillEvidence() throws {
    for number in 1...256 {
      let path = collector.folder.evidence + "/\(host.id)-0-0-copy-\(number).bin"
      try collector.disk.replace(path, with: [1], in: collector.folder.evidence)
    }
  }

  /// Well-formed records behind the end of the host's log, or from a position on.
  private func forgedFrame(count: UInt64 = 1, from position: UInt64? = nil) throws -> [UInt8] {
    let end = try #require(host.log?.size)
    let size = position ?? end
    let lines = Array(
      (0..<count).map {
        "{\"n\":\(size + $0),\"at\":\"2026-11-21T08:35:00.123456Z\",\"stream\":\"forged\",\"rev\":\($0),\"type\":\"t\",\"v\":1,\"data\":{}}\n"
      }.joined().utf8)
    var frame = FrameFormat.frameHeader
    frame.appendUInt32(UInt32(lines.count) | FrameFormat.rawBlock)
    frame += lines
    frame.appendUInt32(lines.withUnsafeBytes { XXH32.checksum($0) })
    return frame
  }

  @Test func `the records of a last segment that comes pruned are kept as evidence`() throws {
    let written = try #require(try collector.files(of: host).values.first)
    try sendPruned(written)
    let copy = try #require(try evidence().first { $0.contains("-copy-") })
    let kept = try collector.disk.contents(of: collector.folder.evidence + "/" + copy, limit: 1 << 20)
    #expect(kept == written)
  }

  @Test func `without room for evidence a last segment that comes pruned takes nothing away`() throws {
    try fillEvidence()
    let files = try collector.files(of: host)
    try sendPruned(try #require(files.values.first))
    #expect(try collector.files(of: host) == files)
    #expect(record?.conflicts == 1 && record?.conflict?.contains("no room") == true)
    try host.append(3)
    try host.sign()
    #expect(try settle([host], [collector]))
    #expect(try collector.files(of: host) == host.files())
  }

  @Test func `messages that contradict leave room for what the copy had`() throws {
    let end = try #require(record?.state.end)
    for number in 0..<300 { send([UInt8](repeating: UInt8(number % 256), count: 40 + number / 256), at: 300) }
    try collector.run()
    #expect(try evidence().count < 256)
    let forged = try forgedFrame()
    send(forged, at: end.offset)
    try collector.run()
    try host.append(3)
    try host.sign()
    #expect(try settle([host], [collector]))
    let copy = try #require(try evidence().first { $0.contains("-copy-") })
    #expect(try collector.disk.contents(of: collector.folder.evidence + "/" + copy, limit: 1 << 20) == forged)
  }

  @Test func `what no checkpoint covers is not dropped without room for it as evidence`() throws {
    try fillEvidence()
    let end = try #require(record?.state.end)
    send(try forgedFrame(), at: end.offset)
    try collector.run()
    let files = try collector.files(of: host)
    let size = try #require(record?.state.size)
    // Bytes that do not verify, behind it: they alone go.
    let next = try #require(record?.state.end)
    send([UInt8](repeating: 0x7F, count: 100), at: next.offset)
    try collector.run()
    #expect(try collector.files(of: host) == files)
    #expect(record?.state.size == size && record?.conflicts == 1)
    #expect(record?.conflict?.contains("no room") == true)
    // Once there is room again, the host's own records come.
    for name in try evidence() { try collector.disk.remove(collector.folder.evidence + "/" + name) }
    try host.append(3)
    try host.sign()
    #expect(try settle([host], [collector]))
    #expect(try collector.files(of: host) == host.files())
  }

  /// A file whose footer says another revision of its first stream, with a good CRC.
  private func withAnotherFooter(_ bytes: [UInt8], _ form: SegmentForm) throws -> [UInt8] {
    let file = MemoryFile(bytes, path: "segment")
    let place = try #require(try FooterPlace.body(in: file))
    var leaves: [TreeHash] = []
    var contents = try SegmentContents(linesOf: file, limit: nil) { _, _, leaf in leaves.append(leaf) }
    contents.form = form
    if form == .sealed {
      contents.nodes = SegmentNodes(contents.first..<contents.frontier.size).hashes(of: leaves)
    }
    #expect(try SegmentIndex.encode(contents) == file.read(at: place.offset, count: place.length))
    let first = contents.streams[0]
    contents.streams[0] = IndexedStream(
      name: first.name, firstRevision: first.firstRevision + 1, positions: first.positions)
    let footer = SkippableFrame(kind: .footer, body: SegmentIndex.encode(contents)).encoded
    return bytes[..<(Int(place.offset) - Int(FooterPlace.headLength))] + footer
  }

  @Test func `a footer that says another index is refused, in each form of a segment`() throws {
    let small = try StageHost(seed: 13)
    let collector = try StageCollector(from: engine, seed: 14)
    try collector.start([small])
    try small.ship(to: engine)
    try #require(try settle([small], [collector]))
    let start = try #require(collector.collector?.state.hosts[small.id]?.state.end)
    try small.append(150)
    try small.sign()
    let written = try #require(try small.files()[SegmentName.name(first: 0)])
    engine.store(
      FleetMessage(
        store: small.id, content: .written, place: start,
        bytes: Array(try withAnotherFooter(written, .closed)[Int(start.offset)...])))
    try collector.run()
    #expect(collector.conflicts.count == 1)
    #expect(try settle([small], [collector]))
    #expect(try collector.files(of: small) == small.files())
    #expect(try #require(try small.log?.seal()).sealed > 0)
    let sealed = try #require(try small.files()[SegmentName.name(first: 0)])
    engine.store(
      FleetMessage(
        store: small.id, content: .rewritten, place: MirrorPlace(segment: 0, form: .rewritten),
        bytes: try withAnotherFooter(sealed, .sealed)))
    try collector.run()
    #expect(collector.conflicts.count == 2)
    #expect(try settle([small], [collector]))
    #expect(try collector.files(of: small) == small.files())
    let report = try Verifier(
      directory: collector.folder.host(small.id), pinnedKey: small.key.verifier, disk: collector.disk
    ).run(threads: 1)
    #expect(report.verdict == .ok, "\(report.findings)")
  }

  @Test func `a sealed form of other records, or with a checkpoint over another root, is refused`() throws {
    let small = try StageHost(seed: 17)
    let collector = try StageCollector(from: engine, seed: 18)
    try collector.start([small])
    try small.ship(to: engine)
    try small.log?.sync()
    let clone = try StageHost(cloneOf: small, disk: small.disk.leftByCut())
    for one in [small, clone] {
      try one.append(150)
      try one.sign()
    }
    try #require(try settle([small], [collector]))
    let files = try collector.files(of: small)
    let name = SegmentName.name(first: 0)
    _ = try clone.log?.seal()
    var forged = [try #require(try clone.files()[name])]
    _ = try small.log?.seal()
    forged.append(try withCheckpoint(over: 5, by: small.key, try #require(try small.files()[name])))
    for (index, bytes) in forged.enumerated() {
      engine.store(
        FleetMessage(
          store: small.id, content: .rewritten, place: MirrorPlace(segment: 0, form: .rewritten), bytes: bytes))
      try collector.run()
      #expect(collector.conflicts.count == index + 1)
      #expect(try collector.files(of: small) == files)
    }
    #expect(try settle([small], [collector]))
    #expect(try collector.files(of: small) == small.files())
  }

  @Test func `a forged record gives way to the sealed form of its segment`() throws {
    let small = try StageHost(seed: 19)
    let collector = try StageCollector(from: engine, seed: 20)
    try collector.start([small])
    try small.ship(to: engine)
    try #require(try settle([small], [collector]))
    let end = try #require(collector.collector?.state.hosts[small.id]?.state.end)
    let size = try #require(small.log?.size)
    let line = Array(
      "{\"n\":\(size),\"at\":\"2026-11-21T08:35:00.123456Z\",\"stream\":\"forged\",\"rev\":0,\"type\":\"t\",\"v\":1,\"data\":{}}\n"
        .utf8)
    var block: [UInt8] = []
    block.appendUInt32(UInt32(line.count) | FrameFormat.rawBlock)
    block += line
    block.appendUInt32(line.withUnsafeBytes { XXH32.checksum($0) })
    engine.store(
      FleetMessage(
        store: small.id, content: .written, place: MirrorPlace(segment: 0, offset: end.offset),
        bytes: small.frameIsOpen ? block : FrameFormat.frameHeader + block))
    try collector.run()
    #expect(collector.collector?.state.hosts[small.id]?.state.size == size + 1)
    try small.append(150)
    #expect(try #require(try small.log?.seal()).sealed > 0)
    #expect(try settle([small], [collector]))
    #expect(try collector.files(of: small) == small.files())
  }

  /// A sealed file with one checkpoint more, by that key over another root, and a footer that fits.
  private func withCheckpoint(over size: UInt64, by key: SigningKey, _ bytes: [UInt8]) throws -> [UInt8] {
    let file = MemoryFile(bytes, path: "segment")
    let head = Int(try FileHead(of: file).end)
    let footer = Int(try #require(try FooterPlace.body(in: file)).offset) - Int(FooterPlace.headLength)
    let note = try SignedNote(
      origin: key.verifier.name, size: size, root: MerkleTree.leaf(Array("another".utf8)), signedBy: key)
    let frame = SkippableFrame(kind: .note, body: Array(note.text.utf8)).encoded
    let changed = bytes[..<head] + frame + bytes[head..<footer]
    var leaves: [TreeHash] = []
    var contents = try SegmentContents(linesOf: MemoryFile(Array(changed), path: "segment"), limit: nil) {
      leaves.append($2)
    }
    contents.form = .sealed
    contents.nodes = SegmentNodes(contents.first..<contents.frontier.size).hashes(of: leaves)
    return changed + SkippableFrame(kind: .footer, body: SegmentIndex.encode(contents)).encoded
  }

  @Test(arguments: [MirrorPlace(segment: 1 << 52), MirrorPlace(segment: 0, offset: 1 << 52)])
  func `an answer that names a place that the log does not have stops no host`(_ place: MirrorPlace) throws {
    var lie = try #require(try engine.ask(FleetQuestion(store: host.id, end: .start)).first)
    (lie.read, lie.wanted, lie.state.end, lie.state.signed) = (1 << 52, place, place, place)
    try engine.answer([lie])
    try host.ship(to: engine)
    try host.append(8)
    try host.sign()
    #expect(try settle([host], [collector]))
    #expect(record?.state.size == host.log?.size && record?.conflicts == 0)
    #expect(try collector.files(of: host) == host.files())
  }

  @Test func `a store.json of another origin that comes first does not keep out the host's`() throws {
    let late = try StageHost(seed: 15)
    let collector = try StageCollector(from: engine, seed: 16)
    try collector.start([late])
    var identity = try StoreIdentity(of: StoreLayout(late.directory), on: late.disk)
    identity.origin = "other"
    let scratch = MemoryDisk(seed: 1)
    try scratch.makeDurableDirectory("/scratch")
    try identity.save(to: StoreLayout("/scratch"), on: scratch)
    engine.store(
      FleetMessage(
        store: late.id, content: .identity, place: .start,
        bytes: try scratch.contents(of: "/scratch/store.json", limit: 1 << 20)))
    try collector.run()
    try late.ship(to: engine)
    try late.append(3)
    try late.sign()
    #expect(try settle([late], [collector]))
    #expect(try collector.files(of: late) == late.files())
    let copied = try StoreIdentity(of: StoreLayout(collector.folder.host(late.id)), on: collector.disk)
    #expect(copied.origin == late.log?.identity.origin)
  }

  @Test func `a message as a file is read as it was written, and nothing else is one`() throws {
    let message = FleetMessage(
      store: host.id, content: .written, place: MirrorPlace(segment: 7, offset: 9), bytes: [1, 2, 3, 10, 4], before: 12)
    let bytes = message.encoded
    #expect(FleetMessage(encoded: bytes, of: host.id) == message)
    for index in bytes.indices {
      var changed = bytes
      changed[index] ^= 1
      #expect(FleetMessage(encoded: changed, of: host.id) == nil)
      #expect(FleetMessage(encoded: Array(bytes[..<index]), of: host.id) == nil)
    }
  }
}
