// The check of what a segment consists of: commits, directories, checkpoints and what was synced.

extension LogCheck {
  mutating func check(
    _ item: SegmentWalker.Item, of walker: SegmentWalker, walk: inout SegmentWalk
  ) throws(StoreError) {
    if walk.footer?.isComplete == true {
      throw StoreError(.malformed, "something stands behind the footer", offset: walk.offset)
    }
    switch item {
    case .frameStart(let offset):
      guard walk.owed == nil else { throw StoreError(.malformed, "a frame has no directory", offset: offset) }
      // Readers believe the footer, and would leave them out.
      guard walk.footer?.form != .pruned else {
        throw StoreError(.malformed, "records that were pruned by the footer are there", offset: offset)
      }
      frames += 1
      walk.frame = FrameTally(offset: offset, first: frontier.size, number: frames)
    case .commit(let offset): try checkCommit(of: walker, at: offset, walk: &walk)
    case .frameEnd(let offset):
      guard let frame = walk.frame, frame.count > 0 else {
        throw StoreError(.malformed, "a frame has no commit", offset: offset)
      }
      walk.frame = nil
      walk.footer?.add(frame, endingAt: offset)
      if walk.footer?.isRewritten != true { walk.owed = frame }
    case .skippable(let frame, let offset): try check(frame, at: offset, walk: &walk)
    case .end: return
    }
  }

  private mutating func checkCommit(
    of walker: SegmentWalker, at offset: UInt64, walk: inout SegmentWalk
  ) throws(StoreError) {
    guard var tally = walk.frame else { throw StoreError(.malformed, "a commit outside of a frame", offset: offset) }
    walk.frame = nil  // leaves one owner of the tally's content, so that nothing is copied
    let before = frontier
    own = []
    do throws(StoreError) {
      try walker.withCommit { commit throws(StoreError) in
        tally.rawBytes += UInt64(commit.count)
        try CommitLines.forEach(in: commit) { line, _ throws(StoreError) in
          let leaf = try checkLine(line, tally: &tally)
          walk.footer?.add(leaf)
          walk.overlap?.see(leaf, at: frontier.size - 1)
          checkNotes(of: &walk)
        }
      }
    } catch {
      // A commit counts as a whole: if one line is bad, none of its lines are in the log.
      frontier = before
      if whole == nil { roots = roots.filter { $0.key <= before.size } }
      throw StoreError(.malformed, error.message, offset: offset)
    }
    walk.frame = tally
    for (position, message) in own {
      findings.append(
        .init(kind: .altered, segment: walk.name, offset: offset, position: position, message: message))
    }
  }

  private mutating func checkLine(_ line: Span<UInt8>, tally: inout FrameTally) throws(StoreError) -> TreeHash {
    let envelope = try Envelope(parsing: line)
    guard envelope.position == frontier.size else {
      throw StoreError(.malformed, "record \(envelope.position) stands where \(frontier.size) should")
    }
    for part in [envelope.stream, envelope.type, envelope.id].compactMap({ $0 })
    where !Self.isUTF8(line.extracting(part)) {
      throw StoreError(.malformed, "record \(envelope.position) has a name that is no UTF-8")
    }
    let name = line.extracting(envelope.stream)
    let known = streams.index(of: name)
    let expected = known.map { streams[$0].next } ?? firstRevision(of: name, as: envelope.revision)
    guard envelope.revision == expected else {
      throw StoreError(
        .malformed, "record \(envelope.position) has revision \(envelope.revision), its stream is at \(expected)")
    }
    let index = known ?? streams.add(name, first: expected, next: expected)
    streams[index].next = expected + 1
    tally.see(envelope, of: &streams[index])
    let leaf = MerkleTree.leaf(line)
    let record = OwnRecordCheck.record(line, of: streams[index].name)
    if let record { pruning.see(record) }
    if let fault = ownRecords.fault(of: record, at: envelope.position) { own.append((envelope.position, fault)) }
    frontier.append(leaf)
    noteRoot()
    return leaf
  }

  mutating func check(
    _ frame: SkippableFrame, at offset: UInt64, walk: inout SegmentWalk
  ) throws(StoreError) {
    switch frame.kind {
    case .directory:
      let said: FrameDirectory
      do throws(StoreError) { said = try FrameDirectory(body: frame.body) } catch {
        throw error.shifted(by: offset + 12)
      }
      guard let tally = walk.owed else {
        throw StoreError(.malformed, "a directory follows no frame", offset: offset)
      }
      if let wrong = tally.difference(from: said, standingAt: offset, after: walk.directory, frontier: frontier) {
        throw StoreError(.malformed, "a directory says of its frame what is not so: \(wrong)", offset: offset)
      }
      walk.owed = nil
      walk.directory = offset
      synced = max(synced, said.synced)
    case .note:
      guard walk.owed == nil else { throw StoreError(.malformed, "a frame has no directory", offset: offset) }
      guard walk.footer?.isRewritten != true || walk.footer?.hasFrames == false else {
        throw StoreError(.malformed, "a checkpoint behind the records of a sealed or pruned segment", offset: offset)
      }
      checkNote(frame.body, at: offset, walk: &walk)
    case .synced:
      var cursor = ByteCursor(frame.body)
      let said = try cursor.uint64()
      guard walk.footer?.isRewritten != true else {
        throw StoreError(.malformed, "a sealed or pruned segment says what was synced", offset: offset)
      }
      guard walk.owed == nil, said <= frontier.size, cursor.remaining == 0 else {
        throw StoreError(.malformed, "more is said to be synced than there is", offset: offset)
      }
      synced = max(synced, said)
    case .leaves: try checkLeaves(frame, at: offset, walk: &walk)
    case .footer: try checkFooter(frame.body, at: offset, walk: &walk)
    case .head: throw StoreError(.malformed, "a second header", offset: offset)
    }
  }

  /// Checks a checkpoint in the segment: it must belong to this place of the log.
  private mutating func checkNote(_ body: [UInt8], at offset: UInt64, walk: inout SegmentWalk) {
    guard let text = String(validating: body, as: UTF8.self), let note = try? SignedNote(text: text) else {
      find(.badSignature, walk, offset: offset, "A checkpoint in the segment cannot be read.")
      return
    }
    synced = max(synced, min(note.size, frontier.size))
    if let wrong = notes.fault(of: note) { find(.badSignature, walk, offset: offset, wrong) }
    if walk.footer?.isRewritten == true, note.size > frontier.size {
      walk.footer?.notes.append(.init(note: note, offset: offset))
    } else if note.size != frontier.size {
      find(.altered, walk, offset: offset, "A checkpoint of \(note.size) records stands behind \(frontier.size).")
    } else if note.root != frontier.root {
      find(.forked, walk, offset: offset, "The checkpoint of \(note.size) records states another root.")
    } else {
      agreed(note)
    }
  }

  /// Takes in the sizes of the checkpoints in a segment that was checked ahead.
  mutating func take(signed other: (any: UInt64?, trusted: UInt64?)) {
    signed.any = [signed.any, other.any].compactMap { $0 }.max()
    signed.trusted = [signed.trusted, other.trusted].compactMap { $0 }.max()
  }

  /// Takes in the largest checkpoint of a segment that was checked ahead.
  mutating func take(newest other: SignedNote?) {
    if let other, other.size > newest?.size ?? 0 { newest = other }
  }

  /// Takes in a checkpoint in a segment whose root is that of the log.
  mutating func agreed(_ note: SignedNote) {
    guard whole == nil, notes.fault(of: note) == nil else { return }
    signed.any = max(signed.any ?? 0, note.size)
    guard notes.isTrusted(note) else { return }
    signed.trusted = max(signed.trusted ?? 0, note.size)
    take(newest: note)
  }

  private static func isUTF8(_ name: Span<UInt8>) -> Bool {
    for index in 0..<name.count where name[index] >= 0x80 {
      return String(validating: (0..<name.count).map { name[$0] }, as: UTF8.self) != nil
    }
    return true
  }

  mutating func noteRoot() {
    while let next = wanted.last, next <= frontier.size {
      if next == frontier.size, whole == nil { roots[next] = frontier.root }
      wanted.removeLast()
    }
  }
}
