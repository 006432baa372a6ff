/// A place in a log that is being read, possibly while it is written.
final class SegmentReading {
  private let layout: StoreLayout
  private let disk: any Disk
  /// The position of the record to give next.
  private var wanted: UInt64
  /// The position behind the last record that was decoded, wanted or not; nil if that is not known.
  private var decoded: UInt64?
  /// The first position of the segment that it is in; nil before the first.
  private var segment: UInt64?
  private var walker: SegmentWalker?
  private var file: (any DiskFile)?
  /// Where in the decoded commit the next line begins that was not copied; nil if none is left.
  private var line: Int?
  /// Lines of the commit, copied together so that their records share memory; and where in them the next one begins.
  private var piece: [UInt8] = []
  private var place = 0
  /// How much is copied together: little, since one record that is kept keeps all of it.
  private static let pieceLength = 32 << 10
  /// Where bad bytes were read, and how often; they may have been half of a write that the writer took back.
  private var attempts = (offset: UInt64(0), count: 0)
  private static let attemptLimit = 3
  /// Where the file once ended in the middle of an element although later bytes were synced.
  private var reread: UInt64?

  /// A place before the record at `position`.
  init(layout: StoreLayout, disk: any Disk, position: UInt64) throws(StoreError) {
    self.layout = layout
    self.disk = disk
    wanted = position
    let firsts = try layout.segmentList(on: disk)
    guard let oldest = firsts.first else { return }
    guard let first = firsts.last(where: { $0 <= position }) else {
      throw StoreError(
        .missingSegment, "the log begins with record \(oldest)", file: layout.segments, position: position,
        advice: "read from there, or put the segments back")
    }
    let file = try disk.open(layout.segment(first), .read)
    let start = try Self.frame(of: position, in: file)
    if start == (try FileHead(of: file).end) { decoded = first }
    segment = first
    self.file = file
    walker = try SegmentWalker(file, from: start)
  }

  /// A place at a frame that is known. If it is known of an open file, that must be given: the segment may be sealed by
  /// now.
  init(
    layout: StoreLayout, disk: any Disk, segment: UInt64, offset: UInt64, position: UInt64,
    in known: (any DiskFile)? = nil
  ) throws(StoreError) {
    self.layout = layout
    self.disk = disk
    self.segment = segment
    wanted = position
    decoded = position
    let file = if let known { known } else { try disk.open(layout.segment(segment), .read) }
    self.file = file
    walker = try SegmentWalker(file, from: offset)
  }

  /// Where the frame that holds `position` begins, or where what has no directory yet does.
  private static func frame(of position: UInt64, in file: any DiskFile) throws(StoreError) -> UInt64 {
    let headEnd = try FileHead(of: file).end
    if position == 0 { return headEnd }
    let last = try DirectoryChain.last(of: file, headEnd: headEnd)
    guard var directory = last.directory else { return headEnd }
    if directory.end <= position { return last.end }
    while directory.first > position, let before = try DirectoryChain.directory(before: directory, of: file) {
      directory = before
    }
    return directory.offset
  }

  /// The next record; see `RecordCursor.next`.
  func next() throws(StoreError) -> StoredRecord? {
    while true {
      if let record = try nextInCommit() { return record }
      guard try advance() else { return nil }
    }
  }

  /// Lends the records from here on where they were decoded, until `body` says false or whole commits end.
  func forEach(_ body: (RecordOutline, Span<UInt8>) throws(StoreError) -> Bool) throws(StoreError) {
    while true {
      guard try lendCommit(body) else { return }
      guard try advance() else { return }
    }
  }

  /// Advances to the next element of the log. False at the end of whole commits.
  private func advance() throws(StoreError) -> Bool {
    guard let walker else { return try enterSegment() }
    do throws(StoreError) {
      switch try walker.next() {
      case .commit: line = 0
      case .end(let end): return try leaveSegment(at: end)
      case .skippable(let frame, _) where frame.kind == .leaves:
        throw StoreError(
          .pruned, "the record was pruned", file: walker.path, position: wanted,
          advice: "begin with a record that is kept; auditctl info shows which")
      case .frameStart, .frameEnd, .skippable: break
      }
    } catch {
      guard error.code == .malformed else { throw error }
      if try enterReplacement() { return true }
      let offset = walker.offset
      let isTorn = try isTorn(at: offset)
      // A writer may be writing these bytes, or taking them back; then they differ when they are read again.
      attempts = attempts.offset == offset ? (offset, attempts.count + 1) : (offset, 1)
      guard isTorn || attempts.count < Self.attemptLimit else { throw told(error) }
      guard isTorn else {
        walker.rewindFrame()
        return true
      }
      attempts.count = 0
      try beginAgain()
      return false
    }
    return true
  }

  /// Goes back to where the frame of the next record begins: the bytes from there on may be others since they were
  /// read.
  private func beginAgain() throws(StoreError) {
    guard let file else { return }
    do throws(StoreError) {
      walker = try SegmentWalker(file, from: try Self.frame(of: wanted, in: file))
    } catch {
      throw told(error)
    }
    line = nil
    decoded = nil
    (piece, place) = ([], 0)
  }

  /// True if the log ends at `offset` of the segment, since what follows is a torn tail.
  private func isTorn(at offset: UInt64) throws(StoreError) -> Bool {
    guard let segment, let file else { return false }
    return try TornTail.begins(at: offset, of: file, segment: segment, layout: layout, disk: disk)
  }

  /// Skips the records before `position`.
  func skip(to position: UInt64) { wanted = max(wanted, position) }

  /// True while it has not gone on to another segment.
  func isIn(segment first: UInt64) -> Bool { segment == first }

  /// The next record of the commit, out of the piece of it that was copied.
  private func nextInCommit() throws(StoreError) -> StoredRecord? {
    while true {
      while place < piece.count {
        let (lines, start) = (piece, place)
        var envelope = Envelope()
        let end = try read(&envelope, in: lines.span, from: start, wanted: wanted)
        place = end + 1
        decoded = envelope.position &+ 1
        guard envelope.position == wanted else { continue }
        wanted += 1
        return StoredRecord(in: lines, at: start..<end, envelope: envelope)
      }
      guard let walker, let start = line else { return nil }
      walker.withCommit { (commit: Span<UInt8>) in
        let end = CommitLines.pieceEnd(in: commit, from: start, usual: Self.pieceLength)
        (piece, place) = (CommitLines.array(commit.extracting(start..<end)), 0)
        line = end < commit.count ? end : nil
      }
    }
  }

  /// Lends what is left of the commit. False if `body` wants no more.
  private func lendCommit(
    _ body: (RecordOutline, Span<UInt8>) throws(StoreError) -> Bool
  ) throws(StoreError) -> Bool {
    guard let walker, var start = line else { return true }
    return try walker.withCommit { commit throws(StoreError) in
      // Its counters stay in registers meanwhile, and one outline serves all lines.
      var next = wanted
      var outline = RecordOutline()
      defer {
        (line, wanted) = (start < commit.count ? start : nil, next)
        decoded = outline.position &+ 1
      }
      while start < commit.count {
        let end = try read(&outline.envelope, in: commit, from: start, wanted: next)
        let bytes = commit.extracting(start..<end)
        start = end + 1
        guard outline.position == next else { continue }
        next += 1
        outline.length = bytes.count
        guard try body(outline, bytes) else { return false }
      }
      return true
    }
  }

  /// Reads the envelope of the line that begins at `start`. Returns where the line ends. The record must not lie behind
  /// `wanted`.
  @inline(__always)
  private func read(
    _ envelope: inout Envelope, in lines: Span<UInt8>, from start: Int, wanted: UInt64
  ) throws(StoreError) -> Int {
    do throws(StoreError) {
      let end = CommitLines.lineEnd(in: lines, from: start)
      guard end < lines.count else { throw StoreError(.malformed, "a commit ends in the middle of a line") }
      try envelope.read(lines.extracting(start..<end))
      guard envelope.position <= wanted else {
        throw StoreError(.malformed, "record \(envelope.position) stands where \(wanted) should")
      }
      return end
    } catch {
      self.wanted = wanted
      // The lines before this one were read.
      decoded = nil
      throw told(StoreError(.malformed, error.message, offset: walker?.offset))
    }
  }

  /// Opens the first segment, if there is one by now.
  private func enterSegment() throws(StoreError) -> Bool {
    guard let first = try layout.segmentList(on: disk).first else { return false }
    try open(first)
    return true
  }

  /// At the end of a segment: goes to the next. False if there is none.
  private func leaveSegment(at end: SegmentWalker.End) throws(StoreError) -> Bool {
    guard let segment, let walker else { return false }
    let following = try layout.segmentList(on: disk).first { $0 > segment }
    // If all of this segment has been read, it does not matter that it was sealed meanwhile.
    if following != wanted, try enterReplacement() { return true }
    guard let later = following else { return end == .cut ? try readAgain(walker) : false }
    // The segment is full by now. The records written to it between the last look and its end must still be read.
    switch try walker.next() {
    case .end(.whole):
      guard later == wanted || wanted > later else {
        throw StoreError(
          .missingSegment, "the records before \(later) are not there", file: layout.segments, position: wanted,
          advice: "run auditctl verify")
      }
      try open(later)
    case .end:
      // Torn where the next segment takes over: left by a failed sync.
      if try enterReplacement() { return true }
      throw told(StoreError(.malformed, "the segment ends in the middle of a frame", offset: walker.offset))
    case .commit: line = 0
    case .frameStart, .frameEnd, .skippable: break
    }
    return true
  }

  /// Called when the file ends in the middle of an element that a writer may be writing: true if later bytes say that
  /// it is synced, so that the writer has finished it by now. Cost: looks at every later byte; without damage, these
  /// are the bytes of one commit.
  ///
  /// - Throws: `altered` if it is found unfinished once more.
  private func readAgain(_ walker: SegmentWalker) throws(StoreError) -> Bool {
    guard let file, try SyncedEvidence.position(in: file, from: walker.offset) > wanted else { return false }
    guard reread != walker.offset else {
      throw told(
        StoreError(
          .malformed, "something says that it goes on behind the end of the file, in a part that was synced",
          offset: walker.offset))
    }
    reread = walker.offset
    walker.rewindFrame()
    return true
  }

  /// Continues in a segment that replaces the current one from `wanted` on, after a failed sync. False if there is
  /// none.
  private func enterReplacement() throws(StoreError) -> Bool {
    guard let segment, let file else { return false }
    if try file.isReplaced() {
      try open(segment)
      return true
    }
    guard let later = try layout.segmentList(on: disk).first(where: { $0 > segment }), later <= wanted,
      try SegmentHeader.supersedes(later, in: layout, on: disk)
    else { return false }
    try open(later)
    return true
  }

  private func open(_ first: UInt64) throws(StoreError) {
    let file = try disk.open(layout.segment(first), .read)
    walker = try SegmentWalker(file, from: try FileHead(of: file).end)
    self.file = file
    segment = first
    decoded = first
    line = nil
    (piece, place) = ([], 0)
  }

  private func told(_ error: StoreError) -> StoreError {
    guard error.code == .malformed else { return error }
    return StoreError(
      .altered, error.message, file: error.file ?? walker?.path, position: min(decoded ?? wanted, wanted),
      offset: error.offset,
      advice: "run auditctl verify")
  }
}
