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
    let line = Array(
      "{\"n\":\(size),\"at\":\"2026-11-21T08:35:00.123456Z\",\"stream\":\"forged\",\"rev\":0,\"type\":\"t\",\"v\":1,\"data\":{}}\n"
        .utf8)
    var frame = FrameFormat.frameHeader
    frame.appendUInt32(UInt32(line.count) | FrameFormat.rawBlock)
    frame += line
    frame.appendUInt32(line.withUnsafeBytes { XXH32.checksum($0) })
    send(frame, at: end.offset)
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
