// Sealed and pruned segments: a whole file arrives, is compared by its tree with the present one, and replaces it.

/// A segment's rewritten form while it is being received.
struct StagedSegment {
  /// The position of its first record.
  let first: UInt64
  /// The draft.
  let file: any DiskFile
  /// How many bytes of it have arrived.
  var size: UInt64 = 0
}

extension StoreMirror {
  /// Where the next byte of the rewritten segment that is being received goes; nil if there is none.
  package var stagedEnd: MirrorPlace? {
    staged.map { MirrorPlace(segment: $0.first, form: .rewritten, offset: $0.size) }
  }

  /// The segments whose rewritten form is here, by their first positions.
  package func rewrittenSegments() throws(StoreError) -> [UInt64] {
    var found: [UInt64] = []
    for first in try layout.segmentList(on: disk) {
      if try isRewritten(try disk.open(layout.segment(first), .read)) { found.append(first) }
    }
    return found
  }

  func takeRewritten(_ bytes: [UInt8], at place: MirrorPlace) throws(StoreError) -> MirrorOutcome {
    // A segment already here in that form stays: records that the host has pruned since are kept.
    if let there = try? disk.open(layout.segment(place.segment), .read), try isRewritten(there) { return .known }
    guard place.segment <= size else { return .gap }
    let path = layout.segment(place.segment) + Draft.suffix
    if place.offset == 0, staged?.first != place.segment || staged?.size == 0 {
      try dropStaged()
      if try disk.exists(path, in: layout.segments) { try disk.remove(path) }
      staged = StagedSegment(first: place.segment, file: try disk.open(path, .createNew))
    }
    guard var draft = staged, draft.first == place.segment, place.offset <= draft.size else { return .gap }
    let there = Int(min(UInt64(bytes.count), draft.size - place.offset))
    guard try draft.file.read(at: place.offset, count: there).elementsEqual(bytes[..<there]) else {
      throw StoreError(.malformed, "these are not the bytes that came before", file: path, offset: place.offset)
    }
    guard there < bytes.count else { return .known }
    try draft.file.write(Array(bytes[there...]).span, at: draft.size)
    draft.size += UInt64(bytes.count - there)
    staged = draft
    guard draft.size <= Self.longestSegment else {
      throw StoreError(.tooLarge, "a rewritten segment is over \(Self.longestSegment) bytes", file: path)
    }
    if try FooterPlace.body(in: draft.file) != nil { try swapIn(draft) }
    return .applied
  }

  /// Segments are begun at 64 MiB unless set otherwise; a draft that never ends must not fill the disk.
  private static let longestSegment: UInt64 = 4 << 30

  /// Forgets a rewritten form that is not whole.
  func dropStaged() throws(StoreError) {
    guard let draft = staged else { return }
    staged = nil
    let path = layout.segment(draft.first) + Draft.suffix
    if try disk.exists(path, in: layout.segments) { try disk.remove(path) }
  }

  /// True if a file begins with the header that is here of its segment, or with the one that the host has put in the
  /// place of that since. If a sync fails before a record of the segment is durable, the host starts it again under its
  /// name, and the header says that it supersedes. If that is as long as the one before (positions of four digits),
  /// what follows stands where it stood, and the copy goes on with the older header until it gets the sealed form. It
  /// misses nothing by that: the segment began at the end of the one before, of which nothing is superseded.
  func begins(_ file: any DiskFile, as own: any DiskFile) throws(StoreError) -> Bool {
    let (new, old) = (try FileHead(of: file), try FileHead(of: own))
    if new.frame.body == old.frame.body { return true }
    let after = try SegmentHeader(frame: new.frame)
    var before = try SegmentHeader(frame: old.frame)
    guard before.supersedes == nil, after.supersedes != nil else { return false }
    before.supersedes = after.supersedes
    guard before == after else { return false }
    // As a writer writes it: readers ignore members that they do not know, and such a copy would not be the host's.
    return try after.frame().body == new.frame.body
  }

  /// True if bytes are those at that place of a segment, but for a header that `begins` takes for the same.
  func has(_ bytes: ArraySlice<UInt8>, in file: any DiskFile, at offset: UInt64) throws(StoreError) -> Bool {
    let own = try file.read(at: offset, count: bytes.count)
    if own.elementsEqual(bytes) { return true }
    let other = MemoryFile(Array(bytes), path: file.path)
    // A message that ends within the header has no such header.
    guard offset == 0, let end = (try? FileHead(of: other))?.end, try FileHead(of: file).end == end,
      own.dropFirst(Int(end)).elementsEqual(bytes.dropFirst(Int(end)))
    else { return false }
    return try begins(other, as: file)
  }

  /// Compares a complete draft with the present segment, and replaces it.
  private func swapIn(_ draft: StagedSegment) throws(StoreError) {
    let path = layout.segment(draft.first)
    let head = try FileHead(of: draft.file)
    let header = try SegmentHeader(frame: head.frame)
    let isNew = draft.first > current?.first ?? 0 || current == nil
    var stated: MerkleFrontier?
    if isNew {
      try check(header, named: draft.first)
      // If it supersedes, it has to have the records that it replaces.
      if let current, current.tail.frontier.size > header.first { stated = current.tail.frontier }
    } else {
      let own = try disk.open(path, .read)
      guard try begins(draft.file, as: own) else {
        throw StoreError(.malformed, "the header is not the one that came before", file: path)
      }
      stated = current?.tail.frontier
      if let next = try layout.segmentList(on: disk).first(where: { $0 > draft.first }) {
        stated = try SegmentHeader(of: next, in: layout, on: disk).frontier
      }
    }
    let found = try RewrittenWalk(of: draft.file, head: head, header: header, stated: stated)
    let isWhole = !isNew && draft.first != current?.first
    if isWhole, found.form == .pruned { return try dropStaged() }
    // A host that reports pruned records may want them forgotten here.
    if !isNew, found.form == .pruned, try !keepCurrent() {
      throw StoreError(.tooLarge, "there is no room to keep the records as evidence that were pruned", file: path)
    }
    try draft.file.sync()
    try disk.rename(path + Draft.suffix, to: path)
    staged = nil
    (hasNewNames, isDirty) = (true, true)
    let end = MirrorPlace(segment: draft.first, form: .rewritten, offset: draft.size)
    if !isWhole { current = try MirrorSegment(of: draft.first, in: layout, on: disk) }
    if let identity {
      for note in found.notes where note.size > signed?.size ?? 0 {
        try notes.see(note, endingAt: end, identity: identity)
        if notes.newest?.note == note { signed = (note.size, end) }
      }
    }
    if let known = signed, known.end.segment == draft.first { signed = (known.size, end) }
  }
}

/// What a rewritten segment was found to hold.
private struct RewrittenWalk {
  private(set) var frontier: MerkleFrontier
  private(set) var notes: [SignedNote] = []
  private(set) var form: SegmentForm
  /// The checkpoints that stand before the records that they cover.
  private var pending: [SignedNote] = []
  private var footer: FooterCheck
  private let file: any DiskFile

  /// Walks a whole file. `stated` is a tree that the walk must reach on the way.
  ///
  /// - Throws: `malformed`.
  init(
    of file: any DiskFile, head: FileHead, header: SegmentHeader, stated: MerkleFrontier?
  ) throws(StoreError) {
    guard let place = try FooterPlace.body(in: file), let index = try FooterPlace.index(in: file),
      index.form != .closed
    else { throw StoreError(.malformed, "a rewritten segment without its footer", file: file.path) }
    self.file = file
    form = index.form
    frontier = header.frontier
    footer = FooterCheck(of: index.form, after: header.frontier)
    let walker = try SegmentWalker(file, from: head.end)
    var isStated = stated == nil || stated == frontier
    walk: while true {
      switch try walker.next() {
      case .end(.whole): break walk
      case .end: throw StoreError(.malformed, "a rewritten segment ends in the middle of something", file: file.path)
      case .frameStart, .frameEnd: continue
      case .commit:
        guard form != .pruned else {
          throw StoreError(.malformed, "a segment whose records were pruned has some", file: file.path)
        }
        var leaves: [TreeHash] = []
        let start = frontier.size
        try walker.withCommit { commit throws(StoreError) in
          try CommitLines.forEach(in: commit) { line, _ throws(StoreError) in
            guard try Envelope(parsing: line).position == start + UInt64(leaves.count) else {
              throw StoreError(.malformed, "a record stands at another position", position: start)
            }
            leaves.append(MerkleTree.leaf(line))
          }
        }
        for leaf in leaves { try see(leaf, stated, &isStated) }
      case .skippable(let frame, let start):
        switch frame.kind {
        case .note: try see(try MirrorSegment.note(in: frame, at: start, of: file))
        case .leaves:
          for leaf in try footer.hashes(of: frame, at: start, after: frontier) {
            footer.add(leaf)
            try see(leaf, stated, &isStated)
          }
        case .footer: continue
        case .head, .directory, .synced:
          throw StoreError(.malformed, "unexpected frame in a rewritten segment", file: file.path)
        }
      }
    }
    guard index.first == header.first, index.frontier == frontier, isStated, pending.isEmpty
    else { throw StoreError(.malformed, "a rewritten segment has another tree than the records", file: file.path) }
    try compare(try file.read(at: place.offset, count: place.length))
  }

  private mutating func see(
    _ leaf: TreeHash, _ stated: MerkleFrontier?, _ isStated: inout Bool
  ) throws(StoreError) {
    frontier.append(leaf)
    if let stated, stated.size == frontier.size { isStated = stated == frontier }
    while let note = pending.first, note.size == frontier.size {
      pending.removeFirst()
      try take(note)
    }
  }

  /// Adds a checkpoint: it stands before the records, and is compared when the walk reaches its size.
  private mutating func see(_ note: SignedNote) throws(StoreError) {
    if note.size == frontier.size { return try take(note) }
    // There may be two of one size: a writer that was killed may have signed one without remembering it.
    guard note.size >= pending.last?.size ?? frontier.size else {
      throw StoreError(.malformed, "a checkpoint of \(note.size) records stands behind its place", position: note.size)
    }
    pending.append(note)
  }

  private mutating func take(_ note: SignedNote) throws(StoreError) {
    guard note.root == frontier.root else {
      throw StoreError(.malformed, "a checkpoint states another root", position: note.size)
    }
    notes.append(note)
  }

  /// Compares the footer with the records before it: it has exactly one valid encoding.
  private mutating func compare(_ body: [UInt8]) throws(StoreError) {
    if form == .pruned {
      _ = try footer.complete(with: body, frontier: frontier)
      return
    }
    var leaves: [TreeHash] = []
    var contents = try SegmentContents(linesOf: file, limit: nil) { _, _, leaf in leaves.append(leaf) }
    contents.form = form
    contents.nodes = SegmentNodes(contents.first..<contents.frontier.size).hashes(of: leaves)
    guard SegmentIndex.encode(contents) == body else {
      throw StoreError(.malformed, "the footer does not match its segment", file: file.path)
    }
  }
}
