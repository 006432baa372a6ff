// The state of a log's last segment, as far as a writer needs it: read from the last good directory on.

/// The end of a segment.
struct Tail {
  /// The bytes after the last whole commit.
  struct Damage {
    /// Their offset in the file.
    var offset: UInt64
    /// The fault found in them.
    var message: String
    /// True if they could continue past the end of the file; false if they are invalid as they are.
    var isCut: Bool
  }

  /// The tree over all records that are whole.
  var frontier: MerkleFrontier
  /// Where the next byte is to be written.
  var offset: UInt64
  /// The offset of the last directory; 0 if there is none.
  var directory: UInt64
  /// The position up to which the directories say that everything was synced.
  var synced: UInt64
  /// A frame without an end mark.
  var open: OpenFrame?
  /// A frame with an end mark, which ends at `offset`, but without its directory.
  var owed: OpenFrame?
  /// What follows the whole commits.
  var damage: Damage?
  /// True if the segment has a footer, which a crash has not torn: it takes nothing more, a new one has to follow it.
  var isSealed = false

  /// Reads the tail of a segment.
  ///
  /// - Throws: `StoreError` only if the file cannot be read; damage is a result.
  init(of file: any DiskFile, head: FileHead, header: SegmentHeader) throws(StoreError) {
    if let footer = try? FooterPlace.index(in: file), footer.first == header.first,
      try Self.isWhole(footer, in: file)
    {
      (frontier, synced, directory, isSealed) = (footer.frontier, footer.end, 0, true)
      offset = try file.size()
      return
    }
    var last = try DirectoryChain.last(of: file, headEnd: head.end)
    synced = max(header.first, last.synced)
    if let directory = last.directory, directory.end > synced {
      // The last directory may have reached the disk while earlier frames did not: every frame that may be missing is
      // decoded.
      last = try DirectoryChain.last(of: file, headEnd: head.end, limit: synced)
    }
    frontier = last.directory?.frontier ?? header.frontier
    directory = last.offset
    offset = last.end
    if last.isTail {
      offset = try file.size()
    } else {
      try read(try SegmentWalker(file, from: last.end))
    }
  }

  /// False for a footer that a crash may have torn. The footer of a sealed or pruned segment was synced before the file
  /// got its name.
  private static func isWhole(_ footer: SegmentIndex, in file: any DiskFile) throws(StoreError) -> Bool {
    if footer.form != .closed { return true }
    return try SyncedEvidence.ends(file)
  }

  private mutating func read(_ walker: SegmentWalker) throws(StoreError) {
    while true {
      do throws(StoreError) {
        guard try take(try walker.next(), from: walker) else { return }
        offset = walker.offset
      } catch {
        guard error.code == .malformed else { throw error }
        damage = Damage(offset: offset, message: error.message, isCut: false)
        leaveEmptyFrame()
        return
      }
    }
  }

  /// Takes in an item; false at the end.
  mutating func take(_ item: SegmentWalker.Item, from walker: SegmentWalker) throws(StoreError) -> Bool {
    switch item {
    case .frameStart(let start):
      guard owed == nil else { throw StoreError(.malformed, "a frame follows a frame without directory") }
      open = OpenFrame(offset: start, first: frontier.size)
    case .commit(let start): try takeCommit(of: walker, stored: Int(walker.offset - start) - FrameFormat.blockOverhead)
    case .frameEnd:
      guard let frame = open, frame.count > 0 else { throw StoreError(.malformed, "a frame has no commit") }
      owed = frame
      open = nil
    case .skippable(let frame, let start):
      try takeSkippable(frame, at: start)
    case .end(let end):
      if end == .cut {
        damage = Damage(offset: offset, message: "the file ends in the middle of a commit", isCut: true)
      }
      leaveEmptyFrame()
      return false
    }
    return true
  }

  private mutating func takeCommit(of walker: SegmentWalker, stored: Int) throws(StoreError) {
    guard var frame = open else { throw StoreError(.malformed, "a commit outside of a frame") }
    let position = frontier.size
    try walker.withCommit { commit throws(StoreError) in
      var next = position
      var envelopes: [Envelope] = []
      try CommitLines.forEach(in: commit) { line, _ throws(StoreError) in
        let envelope = try Envelope(parsing: line)
        guard envelope.position == next else {
          throw StoreError(.malformed, "record \(envelope.position) stands where \(next) should")
        }
        next += 1
        envelopes.append(envelope)
      }
      // All of it is good; only now it counts.
      open = nil  // leaves one owner of the frame's content, so that nothing is copied
      frame.add(rawBytes: commit.count, stored: stored)
      var index = 0
      try CommitLines.forEach(in: commit) { line, _ throws(StoreError) in
        let envelope = envelopes[index]
        index += 1
        let name = String(decoding: CommitLines.array(line.extracting(envelope.stream)), as: UTF8.self)
        frame.note(stream: name, revision: envelope.revision)
        frontier.append(MerkleTree.leaf(line))
      }
    }
    open = frame
  }

  private mutating func takeSkippable(_ frame: SkippableFrame, at start: UInt64) throws(StoreError) {
    switch frame.kind {
    case .directory:
      let said = try FrameDirectory(body: frame.body)
      guard let frame = owed,
        said
          == frame.directory(
            length: start - frame.offset, previous: directory, synced: said.synced, frontier: frontier)
      else { throw StoreError(.malformed, "a directory does not fit its frame") }
      owed = nil
      directory = start
      synced = max(synced, said.synced)
    case .note:
      guard owed == nil else { throw StoreError(.malformed, "a checkpoint follows a frame without directory") }
    case .synced:
      var cursor = ByteCursor(frame.body)
      let said = try cursor.uint64()
      guard owed == nil, said <= frontier.size else {
        throw StoreError(.malformed, "more is said to be synced than there is")
      }
      synced = max(synced, said)
    case .head, .footer, .leaves: throw StoreError(.malformed, "unexpected frame in an open segment")
    }
  }

  /// A frame with only a header cannot be distinguished from a cut one: it is removed.
  private mutating func leaveEmptyFrame() {
    guard let frame = open, frame.count == 0 else { return }
    damage = Damage(
      offset: frame.offset, message: damage?.message ?? "a frame has no commit", isCut: damage?.isCut ?? true)
    offset = frame.offset
    open = nil
  }
}
