import Testing

@testable import EventStore

/// Indexes whose checksums fit and whose numbers would make a reader take memory, or time, that no segment is worth.
@Suite struct CraftedIndexTests {
  /// What a segment of so many streams, a record each, holds.
  private func contents(_ count: Int, _ form: SegmentForm = .closed) -> SegmentContents {
    var tree = MerkleFrontier()
    for number in 0..<count { tree.append(MerkleTree.leaf(Array("\(number)".utf8))) }
    var contents = SegmentContents(first: 0, frontier: tree)
    contents.form = form
    contents.rawBytes = UInt64(100 * count)
    contents.frames = [IndexedFrame(offset: 500, first: 0, length: 40, count: UInt32(count))]
    contents.streams = (0..<count)
      .map { IndexedStream(name: Array("stream/\($0)".utf8), firstRevision: 0, positions: [UInt64($0)]) }
      .map { form == .pruned ? $0.pruned : $0 }
      .sorted { $0.key < $1.key }
    return contents
  }

  private func index(_ body: [UInt8]) throws -> SegmentIndex {
    try SegmentIndex(MemoryFile(body, path: "index"), at: 0, length: body.count)
  }

  /// The body with a number in its head replaced, and the checksum made good.
  private func changed(_ body: [UInt8], at offset: Int, to value: UInt32) -> [UInt8] {
    var body = body
    body.put(value, at: offset)
    body.put(CRC32C.checksum(body[..<68]), at: 68)
    return body
  }

  private func expectRefused(_ body: [UInt8], _ note: Comment, sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(throws: StoreError(.malformed, ""), note, sourceLocation: sourceLocation) { try index(body).allStreams() }
  }

  @Test func `numbers that no segment has are refused before anything is made of them`() throws {
    let good = SegmentIndex.encode(contents(3))
    #expect(try index(good).allStreams().count == 3)
    // Streams stand behind the version, flags, first, count, raw and 12 bytes of 0.
    expectRefused(changed(good, at: 44, to: .max), "more streams than records")
    expectRefused(changed(good, at: 44, to: 2), "fewer streams than there are")
    expectRefused(changed(good, at: 48, to: 4), "more streams begin than there are")
    var large = contents(3)
    large.rawBytes = .max
    expectRefused(SegmentIndex.encode(large), "bytes that no log has")
    large = contents(3)
    large.rawBytes = FrameFormat.largestNumber
    #expect(try index(SegmentIndex.encode(large)).rawBytes == FrameFormat.largestNumber)
  }

  @Test func `pages stand one behind the other`() throws {
    let good = SegmentIndex.encode(contents(400))
    #expect(try index(good).allStreams().count == 400)
    var cursor = ByteCursor(good, offset: 56)
    let pages = Int(try cursor.uint32())
    try #require(pages > 2)
    // The table stands behind the head, the tree and the one frame; a page has its key, its offset and its length.
    let table = 72 + 32 * UInt64(400).nonzeroBitCount + 24
    var bad = good
    for page in 1..<pages { bad.put(0, at: table + 24 * page + 16) }
    let words = Int(try cursor.uint32())
    let end = table + 24 * pages + 8 * words
    bad.put(CRC32C.checksum(bad[72..<end]), at: end)
    expectRefused(bad, "pages that are one")
  }

  @Test func `frames stand one behind the other, and have no more records than there is room for`() throws {
    var twice = contents(2)
    twice.frames = [
      IndexedFrame(offset: 500, first: 0, length: 40, count: 1),
      IndexedFrame(offset: 500, first: 1, length: 40, count: 1),
    ]
    expectRefused(SegmentIndex.encode(twice), "one frame twice")
    twice.frames[1].offset = 540
    #expect(try index(SegmentIndex.encode(twice)).frames.count == 2)
    #expect(SegmentForm.closed.mostRecordsOfAFrame == (8 << 20) / 91)
    let most = LeafHashes.limit
    #expect(try index(SegmentIndex.encode(contents(most, .pruned))).frames[0].count == UInt32(most))
    expectRefused(SegmentIndex.encode(contents(most + 1, .pruned)), "more hashes than a frame has")
  }

  @Test func `empty lines are no records of a frame`() throws {
    var frame: [UInt8] = []
    let compressor = try BlockCompressor()
    try compressor.begin(into: &frame)
    _ = try compressor.add([UInt8](repeating: 0x0A, count: 4 << 20).span, into: &frame)
    frame += FrameFormat.endMark
    let file = MemoryFile(frame, path: "frame")
    let place = IndexedFrame(offset: 0, first: 0, length: UInt32(frame.count), count: 1 << 22)
    var lines = 0
    #expect(throws: StoreError(.malformed, "")) {
      try FrameReader().forEachLine(in: place, of: file) { _, _ in
        lines += 1
        return true
      }
    }
    #expect(lines == 0)
  }
}

extension [UInt8] {
  fileprivate mutating func put(_ value: UInt32, at offset: Int) {
    var bytes: [UInt8] = []
    bytes.appendUInt32(value)
    replaceSubrange(offset..<offset + 4, with: bytes)
  }
}
