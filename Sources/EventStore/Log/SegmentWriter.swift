// Writes commits, frames, directories and segments (docs/FORMAT.md §4). One thread at a time: the one that has the
// right to write. After an error the file ends where it did before, or `broken` says that it could not be mended.

/// The end of the log that is written on.
final class SegmentWriter {
  /// What the last frame waits for.
  enum FrameState {
    /// No frame, or a closed one with its directory.
    case none
    /// A frame that takes commits.
    case open(OpenFrame)
    /// An open frame that must be ended before the next commit: its compressor refers to a block that was not written.
    case spent(OpenFrame)
    /// A frame with its end mark and without its directory.
    case owed(OpenFrame, length: UInt64)
  }

  let layout: StoreLayout
  let disk: any Disk
  let identity: StoreIdentity
  let segmentBytes: UInt64
  /// How old a segment may become, in microseconds.
  let segmentAge: Int64?
  let clock: @Sendable () -> Timestamp
  private let frameBytes: UInt64
  /// Bytes a segment may exceed its size before the writer rolls it itself; until then the log's own thread may. 0 for
  /// small segments, which fill faster than a thread wakes.
  private let rollSlack: UInt64
  let observer: LogObserver
  /// Locks each segment before it is written to; nil for a copy that no other process uses. Released before the writer
  /// is.
  weak var lock: StoreLock?
  private let compressor: BlockCompressor

  /// The file that is written to.
  var file: any DiskFile
  /// The first position of that segment.
  var first: UInt64
  /// The tree over all that is written.
  var frontier: MerkleFrontier
  /// All records before this position are synced.
  var synced: UInt64
  /// Why nothing can be written any more.
  var broken: StoreError?
  /// The position up to which the file states that it is synced.
  var announced: UInt64
  var offset: UInt64
  var directory: UInt64
  var state = FrameState.none
  /// When the first record of the segment was written; nil if it has none.
  var begun: Timestamp?
  /// The first position of the segment before; nil in the first.
  var previous: UInt64?
  var kept = KeptFrames()
  /// All frames before this position are synced, with their directories.
  var settled: UInt64
  /// All frames before this position have their directories.
  var closed: UInt64
  /// The first position of a segment whose creation failed, and that may exist all the same.
  var stray: UInt64?
  /// True if the segment has a footer when it is closed: segments of format 1 have none.
  var takesFooter = true
  /// True while the segment has its footer and the next one is not begun: nothing may follow a footer.
  var isClosed = false
  var out: [UInt8] = []
  /// The note of the last handover that the log has as NOTE. Copies of the log learn of the new key from it alone.
  var handover: SignedNote?
  /// The note of a handover whose NOTE is missing. Its place is immediately behind the records that it covers, so that
  /// no record is written before it.
  var owedHandover: SignedNote?

  /// How many stored bytes are kept at most before a commit waits for a sync.
  private static let keptLimit = 4 << 20

  /// How many records are written.
  var size: UInt64 { frontier.size }

  /// True if a frame waits for more or for its directory.
  var hasOpenFrame: Bool {
    if case .none = state { return false }
    return true
  }

  /// A writer that goes on after what was recovered, or begins the first segment.
  init(
    _ recovered: RecoveredLog, layout: StoreLayout, disk: any Disk, identity: StoreIdentity,
    options: LogOptions, lock: StoreLock? = nil
  ) throws(StoreError) {
    self.layout = layout
    self.disk = disk
    self.identity = identity
    self.lock = lock
    segmentBytes = UInt64(max(options.segmentBytes, 1 << 10))
    segmentAge = options.segmentAge.map { Int64(min(max($0, .zero) / .microseconds(1), 9e18)) }
    clock = options.clock
    frameBytes = UInt64(min(max(options.frameBytes, 1), FrameFormat.largestFrameSize))
    rollSlack = segmentBytes < 1 << 20 ? 0 : max(segmentBytes / 4, 8 << 20)
    compressor = try BlockCompressor()
    observer = options.observer
    if let (file, first, tail) = recovered.segment {
      self.file = GuardedFile(file)
      self.first = first
      let header = try SegmentHeader(frame: try FileHead(of: file).frame)
      (previous, takesFooter) = (header.previous, header.format > 1)
      frontier = tail.frontier
      synced = max(tail.synced, recovered.checkpoint?.size ?? 0)
      announced = tail.synced
      offset = tail.offset
      directory = tail.directory
      settled = frontier.size
      closed = frontier.size
      if let frame = tail.open { state = .spent(frame) }
      if let frame = tail.owed { state = .owed(frame, length: tail.offset - frame.offset) }
      // A segment with a footer is the last one if the next one could not be begun, or if later ones were removed.
      if tail.isSealed { try begin() }
      if segmentAge != nil, size > self.first {
        begun = try SegmentReading(layout: layout, disk: disk, position: self.first).next()?.at
      }
    } else {
      frontier = MerkleFrontier()
      first = 0
      synced = 0
      announced = 0
      settled = 0
      closed = 0
      directory = 0
      try Self.refuseTaken(0, layout: layout, disk: disk)
      (file, offset) = try Self.begin(
        SegmentHeader(identity: identity, frontier: frontier, previous: nil), layout: layout, disk: disk, lock: lock)
    }
  }

  // MARK: Commits

  /// Writes one commit: those bytes and lines of the queue.
  ///
  /// - Throws: `StoreError` if nothing of it is in the log.
  func commit(_ bytes: Range<Int>, lines: Range<Int>, of queue: CommitQueue) throws(StoreError) {
    if let broken { throw broken }
    try writeHandover()
    kept.forget(before: settled)
    if keptBytes > Self.keptLimit {
      try closeFrame()
      try syncFile()
      kept.forget(before: settled)
    }
    try removeStray()
    if isClosed || ((isOld || offset >= segmentBytes + rollSlack) && size > first) { try roll() }
    var (frame, place) = try frameForCommit(of: bytes.count)
    let stored: Int
    do throws(StoreError) {
      stored = try queue.bytes.withBytes(bytes) { commit throws(StoreError) in
        try kept.withLast { out throws(StoreError) in try compressor.add(commit, into: &out) }
      }
      try kept.withLast(from: place) { written throws(StoreError) in try write(written) }
    } catch {
      kept.giveUp(from: place)
      throw error
    }
    state = .none  // leaves one owner of the frame's content, so that nothing is copied
    frame.add(rawBytes: bytes.count, stored: stored)
    queue.bytes.withBytes(bytes) { commit in
      var start = 0
      for index in lines {
        let line = queue.lines[index]
        frontier.append(MerkleTree.leaf(commit.extracting(start..<start + line.length - 1)))
        let stream = queue.streams[line.stream]
        frame.note(stream: stream.name, serial: stream.serial, revision: line.revision)
        start += line.length
      }
    }
    state = .open(frame)
    if segmentAge != nil, begun == nil { begun = clock() }
    kept.keep(from: place, end: size)
    // The commit is in the log. If closing the frame fails, the next commit or the close tries again.
    if frame.rawBytes >= frameBytes { try? closeFrame() }
  }

  /// How many bytes are kept in memory because they are not durable.
  var keptBytes: Int { kept.byteCount }

  /// The frame that the next commit goes to, and how many bytes of it are kept. It counts as spent until the commit is
  /// written; the header of a new one is kept and not written yet.
  private func frameForCommit(of count: Int) throws(StoreError) -> (OpenFrame, place: Int) {
    switch state {
    case .spent, .owed: try closeFrame()
    case .none, .open: break
    }
    if case .open(let frame) = state {
      state = .spent(frame)
      return (frame, kept.lastCount)
    }
    kept.begin(after: frontier, commit: count)
    try kept.withLast { out throws(StoreError) in try compressor.begin(into: &out) }
    return (OpenFrame(offset: offset, first: size), 0)
  }

  // MARK: Bytes

  /// Writes at the end of the file; if that fails, cuts off what was written.
  func write(_ bytes: [UInt8]) throws(StoreError) { try write(bytes.span) }

  func write(_ bytes: Span<UInt8>) throws(StoreError) {
    do {
      try file.write(bytes, at: offset)
      offset += UInt64(bytes.count)
    } catch {
      if error.code == .missingSegment {
        broken = error
        throw error
      }
      do {
        try file.truncate(to: offset)
      } catch let second {
        broken = StoreError(
          second.code, "after a failed write, \(second.message)", file: second.file, position: size,
          advice: "mend the disk, then open the log again")
      }
      throw error
    }
  }
}
