// The walk of a check over all segments: recomputes every hash, and compares everything that is said with it.

/// What the check knows while it walks.
struct LogCheck {
  let layout: StoreLayout
  let disk: any Disk
  let identity: StoreIdentity
  let notes: NoteCheck
  private let ownRecords: OwnRecordCheck
  /// Roots that checkpoints speak of, by size, filled as the walk comes by.
  var roots: [UInt64: TreeHash] = [:]
  var wanted: [UInt64]
  /// All that was found.
  private(set) var findings: [VerifyReport.Finding] = []
  /// The tree over the records from 0 without a gap.
  private(set) var whole: MerkleFrontier?
  /// The tree as it goes on; after a damage it starts from what the next segment's header says.
  var frontier = MerkleFrontier()
  /// The revision that the next record of each stream must have.
  var streams = StreamTable()
  private var frames = 0
  /// The check of pruned records, and of the records that report them.
  var pruning = PruningCheck()
  /// The position up to which good bytes say that the log was synced.
  var synced: UInt64 = 0
  /// True in the check of one segment ahead of its turn, which does not know what revisions it begins with.
  private(set) var isAhead = false
  /// How far the log seems to reach, damaged parts included.
  private(set) var reach: UInt64 = 0
  /// Receives the number of bytes checked and the total.
  var progress: WorkProgress?
  /// True if the one damage is a torn tail.
  private var isTornOnly = false
  /// The superseded end of the segment before, to compare with what replaces it.
  private var overlap: OverlapCheck?
  /// The largest size of a checkpoint in a segment that a key of the store has signed, and that agrees with the log;
  /// and of one that a trusted key has signed.
  private(set) var signed: (any: UInt64?, trusted: UInt64?)
  /// The largest checkpoint in a segment that a trusted key has signed, and that agrees with the log.
  private(set) var newest: SignedNote?
  /// The faults of the store's own records in the commit under check.
  private var own: [(position: UInt64, message: String)] = []
  private var tally = (done: UInt64(0), told: UInt64(0), total: UInt64(0))

  /// A check that will note the roots at the sizes `wanted`.
  init(layout: StoreLayout, disk: any Disk, identity: StoreIdentity, notes: NoteCheck, wanted: Set<UInt64>) {
    self.layout = layout
    self.disk = disk
    self.identity = identity
    self.notes = notes
    ownRecords = OwnRecordCheck(identity: identity)
    self.wanted = wanted.sorted(by: >)
    noteRoot()
  }

  /// Makes this the check of one segment that begins after these records.
  private mutating func begin(ahead start: MerkleFrontier) {
    frontier = start
    whole = nil
    (roots, streams, findings, synced, isAhead) = ([:], StreamTable(), [], 0, true)
    signed = (nil, nil)
    newest = nil
    wanted.removeAll { $0 <= start.size }
    pruning = PruningCheck()
    progress = nil
  }

  /// The tree over the records from 0 without a gap.
  var intact: MerkleFrontier { whole ?? frontier }

  /// Walks all segments, on that many threads. The findings, and their order, are the same with any number.
  mutating func run(threads: Int) throws(StoreError) {
    let firsts = try listed()
    if progress != nil {
      for first in firsts { tally.total &+= (try? disk.open(layout.segment(first), .read).size()) ?? 0 }
    }
    let ahead = ChecksAhead(of: self, firsts: firsts, threads: threads)
    defer { ahead.stop() }
    for index in firsts.indices {
      let checked = ahead.take(index)
      if try isDirectory(firsts[index]) { continue }
      var walk = try walk(index, of: firsts)
      let before = overlap
      overlap = nil
      do throws(StoreError) {
        try check(&walk, firsts: firsts, checked: checked, superseding: before)
      } catch {
        guard error.code == .malformed || error.code == .torn || error.code == .altered else { throw error }
        try damaged(walk, error)
      }
      reach = max(reach, frontier.size)
      if progress != nil { tally.done &+= try walk.file.size() }
      tell(0)
    }
  }

  /// The findings about pruned records, given that `size` records are covered by checkpoints that count.
  func pruned(coveredTo size: UInt64) -> [VerifyReport.Finding] {
    // A record of pruning was synced before any record went: a torn tail is no excuse.
    pruning.findings(isWhole: whole == nil || isTornOnly, coveredTo: size)
  }

  /// True, and reported, if a directory has the name of a segment.
  private mutating func isDirectory(_ first: UInt64) throws(StoreError) -> Bool {
    guard (try? disk.names(in: layout.segment(first))) != nil else { return false }
    findings.append(
      .init(
        kind: .altered, segment: SegmentName.name(first: first), offset: nil, position: first,
        message: "A directory has the name of a segment."))
    if whole == nil { whole = frontier }
    return true
  }

  /// The segments; none if the directory is gone too.
  private mutating func listed() throws(StoreError) -> [UInt64] {
    do throws(StoreError) {
      return try layout.segmentList(on: disk)
    } catch {
      guard error.code == .notFound else { throw error }
      findings.append(
        .init(
          kind: .missingSegment, segment: "segments", offset: nil, position: 0,
          message: "The directory of the segments is not there."))
      return []
    }
  }

  /// The beginning of a walk through the segment number `index`.
  private func walk(_ index: Int, of firsts: [UInt64]) throws(StoreError) -> SegmentWalk {
    let isLast = index == firsts.count - 1
    return SegmentWalk(
      first: firsts[index], previous: index > 0 ? firsts[index - 1] : nil,
      limit: isLast ? nil : limit(by: firsts[index + 1]), isLast: isLast,
      file: try disk.open(layout.segment(firsts[index]), .read))
  }

  /// From where on a segment replaces the one before it; nil if it does not, or cannot be read: that is reported later.
  private func limit(by next: UInt64) -> UInt64? {
    (try? SegmentHeader.supersedes(next, in: layout, on: disk)) == true ? next : nil
  }

  /// One segment on the way.
  private struct SegmentWalk {
    let first: UInt64
    let previous: UInt64?
    /// From where on the next segment supersedes this one.
    let limit: UInt64?
    let isLast: Bool
    let file: any DiskFile
    /// Where the item under check begins.
    var offset: UInt64 = 0
    var frame: FrameTally?
    var owed: FrameTally?
    var directory: UInt64 = 0
    /// What its footer must say, if it ends with one, or may by the time that the check comes to its end.
    var footer: FooterCheck?
    /// True of the last one if it had no footer when the check of it began: a writer may close it meanwhile.
    var mayStayOpen = false
    /// The superseded end of the segment before, if this one supersedes it.
    var overlap: OverlapCheck?
    var name: String { SegmentName.name(first: first) }
  }

  // MARK: Segments

  private mutating func check(
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
    }
  }

  /// Checks the segment number `index` ahead of its turn, from what its header says of what is before it. Nil if there
  /// is anything to report: then the segment is checked in its turn.
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

  private mutating func check(_ walk: inout SegmentWalk, from start: UInt64) throws(StoreError) {
    walk.offset = start
    let form = try FooterCheck.form(of: walk.file, from: start, first: walk.first, isLast: walk.isLast)
    // A footer behind the place from where on the segment is superseded is what a failed sync left; no reader believes
    // it.
    if let form, form != .closed || walk.limit == nil { walk.footer = FooterCheck(of: form, after: frontier) }
    if form == nil, walk.isLast { (walk.footer, walk.mayStayOpen) = (FooterCheck(of: .closed, after: frontier), true) }
    let walker = try SegmentWalker(walk.file, from: start)
    while true {
      // What follows was not synced when the writer left this file, and stands in the next.
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
  private mutating func tell(_ offset: UInt64) {
    tally.told = tally.done &+ offset
    progress?(min(tally.told, tally.total), tally.total)
  }

  /// Checks what a header says against what came before it, and goes on from the header if that is not whole.
  private mutating func enter(_ walk: SegmentWalk, header: SegmentHeader, firsts: [UInt64]) throws(StoreError) {
    // No crash leaves a header that is whole and another segment's.
    func fail(_ what: String) -> StoreError { StoreError(.altered, "the header \(what)", offset: 11) }
    guard header.first == walk.first else { throw fail("says first position \(header.first)") }
    let writer = identity.writer(ofSegment: header.first)
    guard header.store.utf8.elementsEqual(writer.id.utf8), header.origin.utf8.elementsEqual(writer.origin.utf8) else {
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

  /// Goes on behind a gap: the records before it cannot be counted on, revisions are taken as they come.
  private mutating func restart(from said: MerkleFrontier) {
    if whole == nil { whole = frontier }
    frontier = said
    streams = StreamTable()
  }

  /// Reports if no segment follows one that is closed: the next one could not be begun, or is gone; if it was sealed or
  /// pruned, which is done only to segments that another follows, it is gone.
  private mutating func findFollower(of walk: SegmentWalk, rewritten: Bool) throws(StoreError) {
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
      // A writer that is at it may have half a commit in the file at any moment.
      if walk.isLast, StoreLock.isHeld(in: layout, on: disk) { return }
      throw StoreError(.torn, "the file ends in the middle of a commit", offset: walk.offset)
    }
  }

  // MARK: Items

  private mutating func check(
    _ item: SegmentWalker.Item, of walker: SegmentWalker, walk: inout SegmentWalk
  ) throws(StoreError) {
    if walk.footer?.isComplete == true {
      throw StoreError(.malformed, "something stands behind the footer", offset: walk.offset)
    }
    switch item {
    case .frameStart(let offset):
      guard walk.owed == nil else { throw StoreError(.malformed, "a frame has no directory", offset: offset) }
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
    walk.frame = nil  // so that there is one owner of what the tally has, and nothing is copied
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
      // A commit counts as a whole: of one with a bad line, no line is in the log.
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

  private mutating func check(
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

  /// A checkpoint in the segment: it must be of this place of the log.
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

  /// Takes in what checkpoints of a segment that was checked ahead are of.
  mutating func take(signed other: (any: UInt64?, trusted: UInt64?)) {
    signed.any = [signed.any, other.any].compactMap { $0 }.max()
    signed.trusted = [signed.trusted, other.trusted].compactMap { $0 }.max()
  }

  /// Takes in the largest checkpoint of a segment that was checked ahead.
  mutating func take(newest other: SignedNote?) {
    if let other, other.size > newest?.size ?? 0 { newest = other }
  }

  /// Takes in a checkpoint in a segment whose root is that of the log.
  private mutating func agreed(_ note: SignedNote) {
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

  private mutating func noteRoot() {
    while let next = wanted.last, next <= frontier.size {
      if next == frontier.size, whole == nil { roots[next] = frontier.root }
      wanted.removeLast()
    }
  }

  // MARK: Sealed and pruned segments

  private mutating func checkLeaves(
    _ frame: SkippableFrame, at offset: UInt64, walk: inout SegmentWalk
  ) throws(StoreError) {
    do throws(StoreError) {
      guard !isAhead else { throw StoreError(.malformed, "what was pruned is not checked ahead") }
      guard let hashes = try walk.footer?.hashes(of: frame, at: offset, after: frontier) else {
        throw StoreError(.malformed, "hashes of pruned records in a segment without footer")
      }
      pruning.note(frontier.size..<frontier.size + UInt64(hashes.count), in: walk.name, at: offset)
      for hash in hashes {
        frontier.append(hash)
        noteRoot()
        walk.footer?.add(hash)
        checkNotes(of: &walk)
      }
    } catch {
      throw StoreError(.malformed, error.message, offset: offset)
    }
  }

  private mutating func checkFooter(
    _ body: [UInt8], at offset: UInt64, walk: inout SegmentWalk
  ) throws(StoreError) {
    do throws(StoreError) {
      guard let pruned = try walk.footer?.complete(with: body, frontier: frontier), walk.owed == nil else {
        throw StoreError(.malformed, "a footer that does not end its segment")
      }
      for stream in pruned where !pruning.take(stream) && whole == nil {
        throw StoreError(.malformed, "the footer says another revision of a stream than the one before it")
      }
    } catch {
      throw StoreError(.malformed, error.message, offset: offset)
    }
    for pending in walk.footer?.notes ?? [] {
      find(
        .altered, walk, offset: pending.offset,
        "A checkpoint of \(pending.note.size) records stands in a segment that ends at \(frontier.size).")
    }
    synced = max(synced, frontier.size)
  }

  /// Compares the checkpoints of a sealed segment, which stand before its records, as the walk comes by their places.
  private mutating func checkNotes(of walk: inout SegmentWalk) {
    while let next = walk.footer?.notes.first, next.note.size <= frontier.size {
      walk.footer?.notes.removeFirst()
      if next.note.size < frontier.size {
        let message = "A checkpoint of \(next.note.size) records stands behind a larger one."
        find(.altered, walk, offset: next.offset, message)
      } else if next.note.root == frontier.root {
        agreed(next.note)
      } else {
        find(
          .forked, walk, offset: next.offset,
          "The checkpoint of \(next.note.size) records states another root.")
      }
    }
  }

  /// The revision that a stream of which nothing was seen must begin with: 0, or what was pruned of it; if that cannot
  /// be known, the one that it has.
  func firstRevision(of stream: Span<UInt8>, as found: Int) -> Int {
    whole == nil && !isAhead ? pruning.nextRevision(of: stream) : found
  }

  // MARK: Damage

  /// Reports damage: torn if it is in the tail and nothing behind it was known to be synced, else altered.
  private mutating func damaged(_ walk: SegmentWalk, _ error: StoreError) throws(StoreError) {
    let offset = error.offset ?? walk.offset
    let evidence = try SyncedEvidence.said(in: walk.file, from: min(offset, walk.offset))
    let behind = evidence.synced
    let position = max(frontier.size, walk.first)
    // Of a file that is cut off, nothing that a checkpoint covers needs to be there; good frames behind say that it is
    // not cut.
    let isCut = error.code == .torn && evidence.end < notes.largestSize
    let known = max(synced, behind, isCut ? 0 : notes.largestSize)
    // A segment is begun when all before it is synced: one whose name lies further on says that more was there.
    let isGap = walk.first > frontier.size && whole == nil
    // Only a segment that another follows is sealed or pruned, and it is replaced as a whole: no crash leaves a part of
    // it.
    var isRewritten = walk.isLast && walk.footer?.isRewritten == true
    if walk.isLast, !isRewritten { isRewritten = try FooterCheck.looksRewritten(walk.file) }
    let isTorn = walk.isLast && position >= known && error.code != .altered && !isGap && !isRewritten
    let told = error.message.prefix(1).uppercased() + error.message.dropFirst()
    if isTorn, position < notes.largestSize {
      find(.truncated, walk, offset: offset, "\(told); a checkpoint covers \(notes.largestSize) records.")
    } else {
      find(
        isTorn ? .torn : .altered, walk, offset: offset,
        isTorn
          ? "\(told); nothing that the log says was synced is lost." : "\(told), in a part of the log that was synced.")
    }
    if isRewritten { try findFollower(of: walk, rewritten: true) }
    if whole == nil { (whole, isTornOnly) = (frontier, isTorn) }
    // What is torn has no sync that a directory could speak of: unsigned bytes must not say that more was there.
    reach = max(reach, position, isTorn ? 0 : evidence.end)
  }

  private mutating func find(
    _ kind: VerifyReport.Verdict, _ walk: SegmentWalk, offset: UInt64, _ message: String
  ) {
    findings.append(
      .init(kind: kind, segment: walk.name, offset: offset, position: frontier.size, message: message))
  }
}
