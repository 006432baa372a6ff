// The check of one segment: its header against what comes before it, its end, and its check ahead of its turn.

extension LogCheck {
  mutating func check(
    _ walk: inout SegmentWalk, firsts: [UInt64], checked: SegmentAhead?, superseding overlap: OverlapCheck?
  ) throws(StoreError) {
    let head = try FileHead(of: walk.file)
    let header = try SegmentHeader(frame: head.frame)
    try enter(walk, header: header, firsts: firsts)
    if let checked, adopt(checked) { return }
    walk.overlap = overlap
    try check(&walk, from: head.end)
    walk.overlap?.end()
    if let overlap = walk.overlap, let fault = overlap.fault {
      findings.append(
        .init(
          kind: .altered, segment: overlap.segment, offset: fault.offset, position: walk.first,
          message: "\(fault.message), in the part that \(walk.name) supersedes."))
    } else if let overlap = walk.overlap, let cut = overlap.cut {
      findings.append(
        .init(
          kind: .torn, segment: overlap.segment, offset: cut, position: walk.first,
          message: "The part that \(walk.name) supersedes ends in the middle of a frame that lz4 skips, with records "
            + "behind it if the files are joined; the next opening for writing moves it away."))
    }
  }

  /// Checks the segment number `index` ahead of its turn, starting from the tree in its header. Nil if there is
  /// anything to report: then the segment is checked in its turn.
  func ahead(_ index: Int, of firsts: [UInt64]) -> SegmentAhead? {
    guard var walk = try? walk(index, of: firsts), let head = try? FileHead(of: walk.file),
      let header = try? SegmentHeader(frame: head.frame), header.first == walk.first, header.supersedes == nil,
      walk.limit == nil
    else { return nil }
    var check = self
    check.begin(ahead: header.frontier)
    guard (try? check.check(&walk, from: head.end)) != nil, check.findings.isEmpty else { return nil }
    return SegmentAhead(start: header.frontier, check: check)
  }

  mutating func check(_ walk: inout SegmentWalk, from start: UInt64) throws(StoreError) {
    walk.offset = start
    let form = try FooterCheck.form(of: walk.file, from: start, first: walk.first, isLast: walk.isLast)
    // A footer in the superseded part of a segment was left by a failed sync; no reader trusts it.
    if let form, form != .closed || walk.limit == nil { walk.footer = FooterCheck(of: form, after: frontier) }
    if form == nil, walk.isLast { (walk.footer, walk.mayStayOpen) = (FooterCheck(of: .closed, after: frontier), true) }
    let walker = try SegmentWalker(walk.file, from: start)
    while true {
      // The rest was not synced when the writer left this file, and is in the next one.
      if walk.footer == nil, let limit = walk.limit, limit == frontier.size, walk.frame == nil, walk.owed == nil {
        overlap = try OverlapCheck(of: walk.file, from: walker.offset, first: limit, segment: walk.name)
        return
      }
      let item = try walker.next()
      if case .end(let end) = item {
        try leave(walk, end: end)
        return
      }
      try check(item, of: walker, walk: &walk)
      walk.offset = walker.offset
      if tally.done &+ walk.offset &- tally.told >= 1 << 20 { tell(walk.offset) }
    }
  }

  /// Reports the progress of the check, `offset` bytes into a segment.
  mutating func tell(_ offset: UInt64) {
    tally.told = tally.done &+ offset
    progress?(min(tally.told, tally.total), tally.total)
  }

  /// Checks a header against the log before it, and continues from the header if the log has a gap there.
  private mutating func enter(_ walk: SegmentWalk, header: SegmentHeader, firsts: [UInt64]) throws(StoreError) {
    // No crash leaves a complete header of another segment.
    func fail(_ what: String) -> StoreError { StoreError(.altered, "the header \(what)", offset: 11) }
    guard header.first == walk.first else { throw fail("says first position \(header.first)") }
    let writer = identity.writer(ofSegment: header.first)
    guard header.store.isSame(as: writer.id), header.origin.isSame(as: writer.origin) else {
      throw fail("is of another store")
    }
    synced = max(synced, header.first)
    if header.first != frontier.size {
      let before = header.previous.map { !firsts.contains($0) } ?? false
      let isMissing = before || walk.previous == nil
      // If the segment before was damaged, that has been reported.
      if whole == nil || isMissing {
        find(
          isMissing ? .missingSegment : .altered, walk, offset: 11,
          isMissing
            ? "The records \(frontier.size) to \(header.first &- 1) are not there: a segment is missing."
            : "The segment begins with record \(header.first), the one before ends at \(frontier.size).")
      }
      restart(from: header.frontier)
    } else if header.frontier != frontier {
      find(.altered, walk, offset: 11, "The header's subtree hashes are not those of the records before it.")
      restart(from: header.frontier)
    }
    if header.previous != walk.previous, walk.previous != nil || header.previous == nil {
      find(.altered, walk, offset: 11, "The header names another segment as the one before.")
    } else if header.previous != nil, header.first == 0 {
      find(.altered, walk, offset: 11, "The header of the first segment names one before it.")
    }
  }

  /// Continues after a gap: the records before it are unknown, so revisions are accepted as they come.
  private mutating func restart(from said: MerkleFrontier) {
    if whole == nil { whole = frontier }
    frontier = said
    streams = StreamTable()
  }

  /// Reports a closed segment without a successor: the next one could not be begun, or is gone. After a sealed or
  /// pruned segment it is gone, since only segments with a successor are sealed or pruned.
  mutating func findFollower(of walk: SegmentWalk, rewritten: Bool) throws(StoreError) {
    // A writer may have begun it since the segments were listed.
    guard try layout.segmentList(on: disk).last == walk.first else { return }
    find(
      rewritten ? .missingSegment : .ok, walk, offset: walk.offset,
      "The segment is closed, and none follows it: "
        + (rewritten ? "one was there when it was sealed or pruned." : "the next one was never begun, or is gone."))
  }

  private mutating func leave(_ walk: SegmentWalk, end: SegmentWalker.End) throws(StoreError) {
    if walk.isLast {
      guard try SegmentEnds.agree(of: walk.file, headEnd: try FileHead(of: walk.file).end) else {
        throw StoreError(
          .altered, "the file ends with bytes that look like a directory or a footer and stand in no place of one",
          offset: walk.offset)
      }
    }
    switch end {
    case .whole where walk.mayStayOpen && walk.footer?.isComplete == false: return
    case .whole where walk.footer.map(\.isComplete) ?? (walk.owed == nil):
      if walk.isLast, let footer = walk.footer { try findFollower(of: walk, rewritten: footer.isRewritten) }
    case .whole where walk.footer != nil:
      throw StoreError(.malformed, "the segment ends without its footer", offset: walk.offset)
    case .whole: throw StoreError(.malformed, "the last frame has no directory", offset: walk.offset)
    case .openFrame where walk.isLast && (walk.frame?.count ?? 0) > 0: return
    case .openFrame, .cut:
      // An active writer may have half a commit in the file at any moment.
      if walk.isLast, StoreLock.isHeld(in: layout, on: disk) { return }
      throw StoreError(.torn, "the file ends in the middle of a commit", offset: walk.offset)
    }
  }
}
