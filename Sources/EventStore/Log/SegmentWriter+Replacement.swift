// What the writer does after a failed sync: it goes on in a segment that supersedes the end of the one before
// (docs/FORMAT.md §9).

extension SegmentWriter {
  /// Goes on in a new segment after a sync of the current one failed: what was not durable is written there from
  /// memory, and the new file supersedes the old one after its last durable frame. All is durable when it returns. If
  /// that fails too, the log accepts nothing more.
  func leaveFile(because error: StoreError) throws(StoreError) {
    if let broken { throw broken }
    if error.code == .missingSegment {
      // If the file is gone, so are its durable records: there is nothing to continue from.
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
    // The NOTE of that size in the file before is superseded.
    if let handover, handover.size == base.size {
      try write(SkippableFrame(kind: .note, body: Array(handover.text.utf8)).encoded)
    }
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
}
