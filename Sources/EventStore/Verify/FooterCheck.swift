// The facts that a check gathers about a segment with a footer, to compare with the footer. Taken from the bytes alone.

/// The state of a check inside of a segment that ends with a footer.
struct FooterCheck {
  /// A checkpoint that stands before the records, until the walk reaches its place.
  struct PendingNote {
    var note: SignedNote
    var offset: UInt64
  }

  /// The hashes of its records, in order; not kept of a segment that has directories, whose footer has no hashes.
  private(set) var leaves: [TreeHash] = []
  /// The checkpoints whose places are still to come.
  var notes: [PendingNote] = []
  /// True once the footer was seen; nothing may follow it.
  private(set) var isComplete = false
  /// The form in which the segment holds its records.
  private(set) var form: SegmentForm
  private let first: UInt64
  private var frames: [IndexedFrame] = []
  private var gathering = StreamGathering()
  private var rawBytes: UInt64 = 0

  /// A segment of that form that begins after these records.
  init(of form: SegmentForm, after frontier: MerkleFrontier) {
    self.form = form
    first = frontier.size
  }

  /// True if the segment was rewritten: it has no directories, and its checkpoints stand before its records.
  var isRewritten: Bool { form != .closed }

  /// True once a frame of records, or of their hashes, was seen.
  var hasFrames: Bool { !frames.isEmpty }

  /// Adds the hash of a record.
  mutating func add(_ leaf: TreeHash) {
    if isRewritten { leaves.append(leaf) }
  }

  /// Adds a frame of records that ends at `end` in the file.
  mutating func add(_ frame: FrameTally, endingAt end: UInt64) {
    frames.append(
      IndexedFrame(
        offset: frame.offset, first: frame.first, length: UInt32(clamping: end - frame.offset), count: frame.count))
    rawBytes &+= frame.rawBytes
    for stream in frame.streams {
      gathering.add(stream.name, firstRevision: stream.firstRevision, positions: stream.positions)
    }
  }

  /// Adds the hashes that replace pruned records.
  ///
  /// - Throws: `malformed`.
  mutating func hashes(
    of frame: SkippableFrame, at offset: UInt64, after frontier: MerkleFrontier
  ) throws(StoreError) -> [TreeHash] {
    guard isRewritten, frames.isEmpty || form == .pruned else {
      throw StoreError(.malformed, "hashes of pruned records stand beside records")
    }
    form = .pruned
    let found = try LeafHashes(body: frame.body)
    guard found.first == frontier.size else {
      throw StoreError(.malformed, "the hashes of records from \(found.first) stand where \(frontier.size) should")
    }
    if let last = frames.last, last.count != UInt32(LeafHashes.limit) {
      throw StoreError(.malformed, "more hashes of pruned records follow a frame that is not full")
    }
    frames.append(
      IndexedFrame(
        offset: offset, first: found.first, length: UInt32(clamping: frame.length), count: UInt32(found.hashes.count)))
    return found.hashes
  }

  /// Compares the footer with what was seen, byte by byte: it has exactly one valid encoding. Returns its streams if
  /// the records were pruned, since only the footer has them.
  ///
  /// - Throws: `malformed`.
  mutating func complete(with body: [UInt8], frontier: MerkleFrontier) throws(StoreError) -> [IndexedStream] {
    guard !isComplete else { throw StoreError(.malformed, "a second footer") }
    isComplete = true
    let said = try SegmentIndex(MemoryFile(body, path: "footer"), at: 0, length: body.count)
    var contents = SegmentContents(first: first, frontier: frontier)
    contents.rawBytes = rawBytes
    contents.frames = frames
    contents.form = form
    if isRewritten { contents.nodes = SegmentNodes(first..<frontier.size).hashes(of: leaves) }
    contents.streams = form == .pruned ? try said.allStreams() : gathering.sorted
    if form == .pruned {
      contents.rawBytes = said.rawBytes
      guard contents.streams.reduce(0, { $0 &+ $1.count }) == leaves.count,
        contents.streams.allSatisfy({ $0.name.isEmpty && $0.count > 0 }),
        Set(contents.streams.map(\.key)).count == contents.streams.count
      else { throw StoreError(.malformed, "the footer counts other records than there were") }
    }
    guard SegmentIndex.encode(contents) == body else {
      throw StoreError(.malformed, "the footer does not match its segment")
    }
    return form == .pruned ? contents.streams : []
  }
}
