// Writes commits, frames, directories and segments (docs/FORMAT.md §4). One thread at a time: the one that has the
// right to write. After an error the file ends where it did before, or `broken` says that it could not be mended.

/// The end of the log that is written on.
final class SegmentWriter {
  /// What the last frame waits for.
  private enum FrameState {
    /// No frame, or a closed one with its directory.
    case none
    /// A frame that takes commits.
    case open(OpenFrame)
    /// An open frame that must be ended before the next commit: its compressor knows of a block that is not there.
    case spent(OpenFrame)
    /// A frame with its end mark and without its directory.
    case owed(OpenFrame, length: UInt64)
  }

  private let layout: StoreLayout
  private let disk: any Disk
  private let identity: StoreIdentity
  private let segmentBytes: UInt64
  /// How old a segment may become, in microseconds.
  private let segmentAge: Int64?
  private let clock: @Sendable () -> Timestamp
  private let frameBytes: UInt64
  /// Bytes a segment may exceed its size before the writer rolls it itself; until then the log's own thread may. 0 for
  /// small segments, which fill faster than a thread wakes.
  private let rollSlack: UInt64
  private let observer: LogObserver
  /// Locks each segment before it is written to; nil for a copy that no other process knows of. Released before
  /// the writer is.
  private weak var lock: StoreLock?
  private let compressor: BlockCompressor

  /// The file that is written to.
  private(set) var file: any DiskFile
  /// The first position of that segment.
  private(set) var first: UInt64
  /// The tree over all that is written.
  private(set) var frontier: MerkleFrontier
  /// All records before this position are synced.
  var synced: UInt64
  /// Why nothing can be written any more.
  private(set) var broken: StoreError?
  /// The position up to which the file says that it is synced.
  private var announced: UInt64
  private var offset: UInt64
  private var directory: UInt64
  private var state = FrameState.none
  /// When the first record of the segment was written; nil if it has none.
  private var begun: Timestamp?
  /// The first position of the segment before; nil in the first.
  private var previous: UInt64?
  private var kept = KeptFrames()
  /// All frames before this position are synced, with their directories.
  var settled: UInt64
  /// All frames before this position have their directories.
  private(set) var closed: UInt64
  /// The first position of a segment that was being begun when that failed, and that may be there all the same.
  private var stray: UInt64?
  /// True if the segment has a footer when it is closed: segments of format 1 have none.
  private var takesFooter = true
  /// True while the segment has its footer and the next one is not begun: nothing may follow a footer.
  private var isClosed = false
  private var out: [UInt8] = []

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
      // A segment with a footer is the last one if the next one could not be begun, or those behind it were taken away.
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
    state = .none  // so that there is one owner of what the frame has, and nothing is copied
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
  /// written; of a new one, the header is kept and not written.
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

  // MARK: Frames

  /// Ends the open frame, if there is one, and writes its directory.
  func closeFrame() throws(StoreError) {
    out.removeAll(keepingCapacity: true)
    switch state {
    case .none: return
    case .open(let frame), .spent(let frame):
      out.append(contentsOf: frame.ending)
      try finish(frame, length: offset + UInt64(out.count) - frame.offset)
    case .owed(let frame, let length): try finish(frame, length: length)
    }
  }

  /// Makes what was found at opening durable: it stands in no memory, so that a failed sync is an error here. A file
  /// that ends with the word that all of it is synced was synced by `StoreCreation.prepareFolders`, so that this word
  /// is durable too.
  func settle() throws(StoreError) {
    if case .none = state, announced >= size, try SyncedEvidence.ends(file) {
      (synced, settled) = (size, size)
      return
    }
    try closeFrame()
    try file.sync()
    (synced, settled) = (size, size)
    try announce()
  }

  /// Makes everything durable, and says so in the directory of the last frame.
  func sync() throws(StoreError) {
    if let broken { throw broken }
    switch state {
    case .none: break
    case .open(let frame), .spent(let frame):
      do throws(StoreError) {
        try write(frame.ending)
        state = .owed(frame, length: offset - frame.offset)
      } catch {
        // What was written before needs no space any more: on a full disk it is synced all the same. If the sync put a new file
        // in the place of this one, the frame ended with it.
        guard broken == nil, synced < size else { throw error }
        let current = file
        try syncFile()
        guard file !== current else { throw error }
      }
    case .owed: break
    }
    if synced < size { try syncFile() }
    try closeFrame()
    try announce()
  }

  private func announce() throws(StoreError) {
    guard announced < size else { return }
    // The last directory was written before the sync, so what is synced has to be said by itself.
    var body: [UInt8] = []
    body.appendUInt64(size)
    try write(SkippableFrame(kind: .synced, body: body).encoded)
    announced = size
  }

  /// Like `sync`, and what it wrote last is durable too.
  func syncWhole() throws(StoreError) {
    try sync()
    try syncFile()
  }

  /// Writes a signed checkpoint between two frames, durable when it returns.
  func append(_ note: SignedNote) throws(StoreError) {
    if isClosed {
      try removeStray()
      try begin()
    }
    try closeFrame()
    let bytes = SkippableFrame(kind: .note, body: Array(note.text.utf8)).encoded
    try write(bytes)
    let current = file
    try syncFile()
    guard file !== current else { return }
    try write(bytes)
    try syncFile()
  }

  /// The revision that the next record of `stream` has by the frame that is still open.
  func nextRevision(of stream: String) -> Int? {
    switch state {
    case .none: nil
    case .open(let frame), .spent(let frame), .owed(let frame, _): frame.nextRevision(of: stream)
    }
  }

  private func finish(_ frame: OpenFrame, length: UInt64) throws(StoreError) {
    try refuseIfGone()
    let place = offset + UInt64(out.count)
    let said = frame.directory(length: length, previous: directory, synced: min(synced, size), frontier: frontier)
    out.append(contentsOf: SkippableFrame(kind: .directory, body: said.encoded).encoded)
    try write(out)
    directory = place
    announced = max(announced, min(synced, size))
    closed = size
    state = .none
  }

  /// Ends the log if its file is not there any more: once a frame, and with each sync, so that what is acknowledged
  /// without a sync is not written to nothing for long.
  private func refuseIfGone() throws(StoreError) {
    do throws(StoreError) {
      try (file as? GuardedFile)?.refuseIfGone()
    } catch {
      if error.code == .missingSegment { broken = error }
      throw error
    }
  }

  private func syncFile() throws(StoreError) {
    let target = closed
    let begun = observer.start
    do {
      try file.sync()
    } catch {
      try leaveFile(because: error)
      return
    }
    synced = size
    settled = max(settled, target)
    observer.synced(durable: size, written: size, since: begun)
  }

  // MARK: After a failed sync

  /// Goes on in a new segment after a sync of the current one failed: what was not durable is written there from
  /// memory, and the new file supersedes the old one from the last frame on that is. All is durable when it returns. If
  /// that fails too, the log takes nothing more.
  func leaveFile(because error: StoreError) throws(StoreError) {
    if let broken { throw broken }
    if error.code == .missingSegment {
      // With the file, what was durable is gone too: there is nothing to go on from.
      broken = error
      throw error
    }
    observer.failed(error, isFatal: false)
    let begun = observer.start
    kept.forget(before: settled)
    let before = (file, frontier, offset, directory, state)
    do throws(StoreError) {
      try removeStray()
      try writeReplacement(after: kept.frontier ?? frontier)
    } catch let second {
      (file, frontier, offset, directory, state) = before
      broken = StoreError(
        error.code, "\(error.message); then \(second.message)", file: error.file, position: synced,
        advice: "what was appended after that position may be lost in a power cut; open the log again")
      throw broken ?? error
    }
    (synced, settled, closed) = (size, size, size)
    announced = min(announced, first)
    kept.forgetAll()
    observer.segmentBegun(first: first)
    observer.synced(durable: size, written: size, since: begun)
  }

  private func writeReplacement(after base: MerkleFrontier) throws(StoreError) {
    let before = base.size == first ? previous : first
    let path = layout.segment(base.size)
    let draft = path + ".tmp"
    if try disk.exists(draft, in: layout.segments) { try disk.remove(draft) }
    file = try disk.open(draft, .createNew)
    offset = 0
    directory = 0
    state = .none
    frontier = base
    let header = SegmentHeader(identity: identity, frontier: base, previous: before, isReplacement: true)
    try write(FrameFormat.prologue + (try header.frame()).encoded)
    for frame in kept.frames { try rewrite(frame) }
    try closeFrame()
    try file.sync()
    try lock?.hold(file)
    try disk.rename(draft, to: path)
    lock?.keepLast()
    try disk.syncDirectory(layout.segments)
    file = GuardedFile(try disk.open(path, .update))
    first = base.size
    previous = before
    (takesFooter, isClosed) = (true, false)
  }

  /// Writes a kept frame as it was, and its directory.
  private func rewrite(_ kept: KeptFrames.Frame) throws(StoreError) {
    var frame = OpenFrame(offset: offset, first: size)
    let walker = try SegmentWalker(MemoryFile(kept.bytes, path: file.path), from: 0)
    reading: while true {
      switch try walker.next() {
      case .frameStart: continue
      case .commit(let start):
        let stored = Int(walker.offset - start) - FrameFormat.blockOverhead
        try walker.withCommit { commit throws(StoreError) in
          frame.add(rawBytes: commit.count, stored: stored)
          try CommitLines.forEach(in: commit) { line, _ throws(StoreError) in
            let envelope = try Envelope(parsing: line)
            let name = String(decoding: CommitLines.array(line.extracting(envelope.stream)), as: UTF8.self)
            frame.note(stream: name, revision: envelope.revision)
            frontier.append(MerkleTree.leaf(line))
          }
        }
      case .end(.openFrame): break reading
      case .frameEnd, .skippable, .end: throw StoreError(.malformed, "a kept frame is not as it was written")
      }
    }
    try write(kept.bytes)
    state = .open(frame)
    try closeFrame()
  }

  // MARK: Segments

  /// True if the segment has its size, or its age.
  var isFull: Bool { (offset >= segmentBytes || isOld) && size > first }

  /// True if the first record of the segment is older than the options want.
  private var isOld: Bool {
    guard let segmentAge, let begun else { return false }
    let (age, overflow) = clock().microseconds.subtractingReportingOverflow(begun.microseconds)
    return !overflow && age >= segmentAge
  }

  /// Begins the next segment if this one is full. `index` is what is known of this one already; without it, all of its
  /// directories are read here.
  func rollIfFull(knowing index: ActiveIndex? = nil) throws(StoreError) {
    if let broken { throw broken }
    if isFull { try roll(knowing: index) }
  }

  private func roll(knowing index: ActiveIndex? = nil) throws(StoreError) {
    if !isClosed {
      try sync()
      // A sync that failed has begun a new segment already.
      guard isFull else { return }
      let current = file
      if takesFooter, let footer = footer(knowing: index) {
        try write(SkippableFrame(kind: .footer, body: footer).encoded)
        try syncFile()
        isClosed = file === current
      } else {
        try syncFile()
      }
      guard file === current else { return }
    }
    try begin()
  }

  /// What the footer of the segment is to say, all of whose frames have their directories; nil if these cannot be read,
  /// or have so many streams that they do not fit into a frame. Such a segment ends without a footer, and is read by
  /// its directories.
  private func footer(knowing known: ActiveIndex?) -> [UInt8]? {
    guard var index = known?.file === file ? known : try? ActiveIndex(first, of: file), (try? index.update()) != nil,
      index.frontier == frontier
    else { return nil }
    let body = SegmentIndex.encode(index.contents)
    return body.count <= FrameFormat.largestPayload - SkippableFrame.overhead ? body : nil
  }

  /// Goes on in a new segment; all before it is synced.
  private func begin() throws(StoreError) {
    let header = SegmentHeader(identity: identity, frontier: frontier, previous: first)
    try removeStray()
    // Before it counts as one that this attempt may leave: such a one is removed.
    try Self.refuseTaken(header.first, layout: layout, disk: disk)
    stray = header.first
    (file, offset) = try Self.begin(header, layout: layout, disk: disk, lock: lock)
    stray = nil
    previous = first
    first = header.first
    begun = nil
    (takesFooter, isClosed) = (true, false)
    announced = max(announced, first)
    directory = 0
    observer.segmentBegun(first: first)
  }

  /// Removes a segment that could not be begun wholly, before another record is written: else the log would go on in
  /// this file and begin there too.
  private func removeStray() throws(StoreError) {
    guard let first = stray else { return }
    let path = layout.segment(first)
    if try disk.exists(path, in: layout.segments) { try disk.remove(path) }
    try disk.syncDirectory(layout.segments)
    stray = nil
  }

  /// Makes a segment file with its header, whole, locked and durable before it has its name. Returns the file and its
  /// length.
  private static func begin(
    _ header: SegmentHeader, layout: StoreLayout, disk: any Disk, lock: StoreLock?
  ) throws(StoreError) -> (any DiskFile, UInt64) {
    let path = layout.segment(header.first)
    let bytes = FrameFormat.prologue + (try header.frame()).encoded
    var locked: (any DiskFile)?
    do throws(StoreError) {
      // The draft of the very first segment says that the store was only just made: see `StoreCreation`.
      try disk.putInPlace(of: path, keepingDraft: header.first == 0) { draft throws(StoreError) in
        try draft.write(bytes.span, at: 0)
        try draft.sync()
        try lock?.hold(draft)
        locked = draft
      }
      try disk.syncDirectory(layout.segments)
    } catch {
      if let locked { lock?.giveBack(locked) }
      throw error
    }
    lock?.keepLast()
    return (GuardedFile(try disk.open(path, .update)), UInt64(bytes.count))
  }

  /// Throws `altered` if a segment of that name is there already: only a replacement after a failed sync may be put in
  /// the place of one.
  private static func refuseTaken(_ first: UInt64, layout: StoreLayout, disk: any Disk) throws(StoreError) {
    let path = layout.segment(first)
    guard try disk.entry(path, followingLinks: false) != nil else { return }
    throw StoreError(
      .altered, "the segment that is to be begun is there already", file: path, position: first,
      advice: "keep the store as evidence, run auditctl verify, then open the log again")
  }

  // MARK: Bytes

  /// Writes at the end of the file; if that fails, cuts off what came of it.
  private func write(_ bytes: [UInt8]) throws(StoreError) { try write(bytes.span) }

  private func write(_ bytes: Span<UInt8>) throws(StoreError) {
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
