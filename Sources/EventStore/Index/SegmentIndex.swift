// The index of a closed segment (docs/FORMAT.md §10): its footer. The summary is read whole and kept; streams are
// looked up in pages of some 4 KiB, each with its CRC.
//
//     version u32 | flags u32 | first u64 | count u64 | raw u64 | 12 bytes of 0
//     streams u32 | begun u32 | frames u32 | pages u32 | words u32 | nodes u32 | CRC u32 of all before
//     frontier: 32 bytes for each bit set in first + count
//     frames:   offset u64 | first u64 | length u32 | count u32
//     pages:    key of the first stream, 16 bytes | offset u32 | length u32
//     filter:   u64 words
//     CRC u32 of frontier...filter
//     nodes:    32 bytes each
//     pages of streams, each with a CRC u32 at its end

/// The form in which a closed segment holds its records: the flags of its index.
enum SegmentForm: UInt32, Sendable, Hashable {
  /// Rewritten for keeping: large frames without directories.
  case sealed = 0
  /// Pruned: leaf hashes instead of the records.
  case pruned = 1
  /// As it was written: frames, each with its directory.
  case closed = 2

  /// How many records a frame may have: hashes in a LEAF frame, else lines.
  var mostRecordsOfAFrame: Int {
    self == .pruned ? LeafHashes.limit : FrameFormat.largestFrame / (Envelope.shortestLine + 1)
  }
}

/// What a segment holds according to its index; looked up with small reads.
struct SegmentIndex: Sendable {
  /// One page of streams.
  private struct Page: Sendable {
    var key: StreamKey
    var offset: UInt32
    var length: UInt32
  }

  /// The position of the segment's first record.
  let first: UInt64
  /// How many records it has, or had.
  let count: UInt64
  /// How many bytes the lines have, or had, with their `\n`.
  let rawBytes: UInt64
  /// How the segment has its records.
  let form: SegmentForm
  /// How many streams it has.
  let streamCount: Int
  /// How many streams begin in it.
  let begunStreams: Int
  /// True if the records were pruned.
  var isPruned: Bool { form == .pruned }
  /// The tree after the last record.
  let frontier: MerkleFrontier
  /// The frames, in order.
  let frames: [IndexedFrame]
  /// Which streams it may have.
  let filter: StreamFilter
  private let pages: [Page]
  private let nodeCount: Int
  /// Where the nodes begin, counted from the start of the index.
  private let nodesOffset: Int
  private let pagesOffset: Int
  private let file: any DiskFile
  private let base: UInt64
  private let length: Int

  private static let version: UInt32 = 1
  private static let preludeLength = 72
  private static let pageBytes = 4 << 10

  /// The position after the last record.
  var end: UInt64 { frontier.size }

  // MARK: Writing

  /// Lays out the index of a segment.
  static func encode(_ contents: SegmentContents) -> [UInt8] {
    var pages: [UInt8] = []
    var table: [UInt8] = []
    var pageCount: UInt32 = 0
    var page: [UInt8] = []
    var start: StreamKey?
    func endPage() {
      guard let key = start else { return }
      page.appendUInt32(CRC32C.checksum(page))
      key.append(to: &table)
      table.appendUInt32(UInt32(pages.count))
      table.appendUInt32(UInt32(page.count))
      pages.append(contentsOf: page)
      pageCount += 1
      page.removeAll(keepingCapacity: true)
      start = nil
    }
    for stream in contents.streams {
      if start == nil { start = stream.key }
      stream.append(to: &page, base: contents.first)
      if page.count >= pageBytes { endPage() }
    }
    endPage()

    let filter = StreamFilter(contents.streams.map(\.key))
    var out: [UInt8] = []
    out.appendUInt32(version)
    out.appendUInt32(contents.form.rawValue)
    for value in [contents.first, contents.count, contents.rawBytes, 0] { out.appendUInt64(value) }
    out.appendUInt32(0)
    let begun = contents.streams.count { $0.firstRevision == 0 }
    for value in [contents.streams.count, begun, contents.frames.count] { out.appendUInt32(UInt32(value)) }
    for value in [pageCount, UInt32(filter.words.count), UInt32(contents.nodes.count)] { out.appendUInt32(value) }
    out.appendUInt32(CRC32C.checksum(out))
    let summary = out.count
    for hash in contents.frontier.hashes { hash.append(to: &out) }
    for frame in contents.frames {
      out.appendUInt64(frame.offset)
      out.appendUInt64(frame.first)
      out.appendUInt32(frame.length)
      out.appendUInt32(frame.count)
    }
    out.append(contentsOf: table)
    for word in filter.words { out.appendUInt64(word) }
    out.appendUInt32(CRC32C.checksum(out[summary...]))
    for hash in contents.nodes { hash.append(to: &out) }
    return out + pages
  }

  // MARK: Reading

  /// Reads the summary of an index of `length` bytes that begins at `base` in `file`.
  ///
  /// - Throws: `malformed` if it is damaged.
  init(_ file: any DiskFile, at base: UInt64, length: Int) throws(StoreError) {
    // Most summaries are smaller; then one read is enough.
    var bytes = try file.read(at: base, count: Swift.min(length, 64 << 10))
    var cursor = ByteCursor(bytes)
    guard try cursor.uint32() == Self.version else {
      throw StoreError(.malformed, "an index of another version", file: file.path, offset: base)
    }
    let form = SegmentForm(rawValue: try cursor.uint32())
    first = try cursor.uint64()
    count = try cursor.uint64()
    rawBytes = try cursor.uint64()
    _ = try cursor.take(12)
    streamCount = Int(try cursor.uint32())
    begunStreams = Int(try cursor.uint32())
    let frameCount = Int(try cursor.uint32())
    let pageCount = Int(try cursor.uint32())
    let wordCount = Int(try cursor.uint32())
    nodeCount = Int(try cursor.uint32())
    let (end, overflowed) = first.addingReportingOverflow(count)
    guard try cursor.uint32() == CRC32C.checksum(bytes[..<(Self.preludeLength - 4)]), !overflowed,
      end <= FrameFormat.largestNumber, rawBytes <= FrameFormat.largestNumber, streamCount <= count,
      begunStreams <= streamCount, let form
    else { throw StoreError(.malformed, "an index with a damaged head", file: file.path, offset: base) }
    self.form = form
    let summary = end.nonzeroBitCount * 32 + (frameCount + pageCount) * 24 + wordCount * 8
    nodesOffset = Self.preludeLength + summary + 4
    pagesOffset = nodesOffset + nodeCount * 32
    guard pagesOffset <= length else {
      throw StoreError(.malformed, "an index that is cut off", file: file.path, offset: base)
    }
    if bytes.count < nodesOffset {
      bytes = try file.read(at: base, count: nodesOffset)
      cursor = ByteCursor(bytes, offset: Self.preludeLength)
    }
    let crc = CRC32C.checksum(bytes.dropFirst(Self.preludeLength).prefix(summary))
    var hashes: [TreeHash] = []
    for _ in 0..<end.nonzeroBitCount {
      if let hash = TreeHash(bytes: try cursor.take(32)) { hashes.append(hash) }
    }
    var frames: [IndexedFrame] = []
    frames.reserveCapacity(frameCount)
    for _ in 0..<frameCount {
      frames.append(
        IndexedFrame(
          offset: try cursor.uint64(), first: try cursor.uint64(), length: try cursor.uint32(),
          count: try cursor.uint32()))
    }
    var pages: [Page] = []
    pages.reserveCapacity(pageCount)
    var pagesEnd = 0
    for _ in 0..<pageCount {
      let page = Page(
        key: try StreamKey(from: &cursor), offset: try cursor.uint32(), length: try cursor.uint32())
      // Pages must follow each other: overlapping ones would be read as often as they are named.
      guard page.length >= 4, Int(page.offset) == pagesEnd, pagesOffset + pagesEnd + Int(page.length) <= length else {
        throw StoreError(.malformed, "an index with a page outside of its place", file: file.path, offset: base)
      }
      pagesEnd += Int(page.length)
      pages.append(page)
    }
    filter = try StreamFilter(from: &cursor, words: wordCount)
    guard try cursor.uint32() == crc, let frontier = MerkleFrontier(size: end, hashes: hashes) else {
      throw StoreError(.malformed, "an index whose CRC does not fit", file: file.path, offset: base)
    }
    var next = first
    var place: UInt64 = 0
    for frame in frames {
      guard frame.first == next, frame.count > 0, frame.end <= end, frame.offset <= FrameFormat.largestNumber,
        frame.offset >= place, frame.count <= form.mostRecordsOfAFrame
      else {
        throw StoreError(.malformed, "an index whose frames do not follow each other", file: file.path, offset: base)
      }
      next = frame.end
      place = frame.offset + UInt64(frame.length)
    }
    guard next == end else {
      throw StoreError(.malformed, "an index that does not cover its segment", file: file.path, offset: base)
    }
    self.frontier = frontier
    self.frames = frames
    self.pages = pages
    self.file = file
    self.base = base
    self.length = length
  }

  /// The form stated by the first 8 bytes of an index, or nil if they do not begin an index.
  static func form(head: [UInt8]) -> SegmentForm? {
    var cursor = ByteCursor(head)
    guard (try? cursor.uint32()) == version, let flags = try? cursor.uint32() else { return nil }
    return SegmentForm(rawValue: flags)
  }

  /// What it says of a stream; nil if the segment has no record of it. One read if the filter lets it pass.
  func stream(_ name: [UInt8], key: StreamKey) throws(StoreError) -> IndexedStream? {
    guard filter.mayHave(key) else { return nil }
    var low = 0
    var high = pages.count
    while low < high {
      let middle = (low + high) / 2
      if pages[middle].key <= key { low = middle + 1 } else { high = middle }
    }
    guard low > 0 else { return nil }
    return try streams(ofPage: low - 1).first { $0.key == key && ($0.name == name || $0.name.isEmpty) }
  }

  /// All streams, sorted by key.
  func allStreams() throws(StoreError) -> [IndexedStream] {
    var all: [IndexedStream] = []
    for page in pages.indices {
      all += try streams(ofPage: page)
      guard all.count <= streamCount else {
        throw StoreError(.malformed, "an index with more streams than it says", file: file.path, offset: base)
      }
    }
    return all
  }

  private func streams(ofPage index: Int) throws(StoreError) -> [IndexedStream] {
    let page = pages[index]
    let place = base + UInt64(pagesOffset) + UInt64(page.offset)
    let bytes = try file.read(at: place, count: Int(page.length))
    var end = ByteCursor(bytes, offset: Int(page.length) - 4)
    guard bytes.count == Int(page.length), try end.uint32() == CRC32C.checksum(bytes.dropLast(4)) else {
      throw StoreError(.malformed, "a page of an index whose CRC does not fit", file: file.path, offset: place)
    }
    var cursor = ByteCursor(bytes)
    var streams: [IndexedStream] = []
    while cursor.remaining > 4 {
      do throws(StoreError) {
        streams.append(try IndexedStream(from: &cursor, range: first..<self.end))
      } catch {
        throw error.shifted(by: place).inFile(file.path)
      }
    }
    return streams
  }

  /// The frame that holds `position`, or nil.
  func frame(of position: UInt64) -> IndexedFrame? {
    var low = 0
    var high = frames.count
    while low < high {
      let middle = (low + high) / 2
      if frames[middle].first <= position { low = middle + 1 } else { high = middle }
    }
    guard low > 0, position < frames[low - 1].end else { return nil }
    return frames[low - 1]
  }

  /// The hash number `index` of those that the segment keeps, or nil if it keeps none.
  func node(_ index: Int) throws(StoreError) -> TreeHash? {
    guard index >= 0, index < nodeCount else { return nil }
    return TreeHash(bytes: try file.read(at: base + UInt64(nodesOffset + 32 * index), count: 32))
  }

  /// True if it keeps hashes of the tree.
  var hasNodes: Bool { nodeCount > 0 }
}
