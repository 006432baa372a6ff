// The tree of a log as its records make it. What directories, footers and headers state of the tree is quick to read
// and has no signature: a key signs it only after the records were counted, from the latest place that it has signed
// before.

/// Recomputes the tree from the records of a log, front to back.
struct TreeRecount {
  /// The tree over all requested records.
  private(set) var frontier = MerkleFrontier()
  /// The root of the first `from` records. Whoever knows it from elsewhere knows that the counting began with the right
  /// tree.
  private(set) var root = MerkleTree.empty
  /// The records from `from` on that say what was pruned.
  private(set) var told: [(record: PrunedRecord, at: UInt64)] = []

  private let from: UInt64
  private let size: UInt64

  /// Counts the records from the segment on that has the record before `from`, up to `size`. Cost: decodes and hashes
  /// them.
  ///
  /// - Throws: `altered` if they are not consecutive, `malformed` if they cannot be read, `missingSegment`, and what
  ///   the disk throws.
  init(of layout: StoreLayout, on disk: any Disk, from: UInt64, to size: UInt64) throws(StoreError) {
    (self.from, self.size) = (from, size)
    let firsts = try layout.segmentList(on: disk)
    guard let start = firsts.lastIndex(where: { $0 <= from }) else {
      guard size > 0 else { return }
      throw StoreError(
        .missingSegment, "the segment with record \(from) is not there", file: layout.segments, position: from,
        advice: "put the segments back")
    }
    for index in start..<firsts.count where index == start || frontier.size < size {
      let next = index + 1 < firsts.count ? firsts[index + 1] : nil
      let limit = try next.flatMap { next throws(StoreError) in
        try SegmentHeader.supersedes(next, in: layout, on: disk) ? next : nil
      }
      try count(try disk.open(layout.segment(firsts[index]), .read), isFirst: index == start, upTo: limit)
    }
    guard frontier.size == size else {
      throw StoreError(
        .altered,
        "the log has \(frontier.size) records that stand one behind the other, and \(size) by its directories",
        file: layout.root, position: frontier.size, advice: Self.advice)
    }
  }

  private static let advice = "run auditctl verify, and keep the store as evidence"

  private mutating func count(_ file: any DiskFile, isFirst: Bool, upTo limit: UInt64?) throws(StoreError) {
    let head = try FileHead(of: file)
    let header = try SegmentHeader(frame: head.frame)
    guard isFirst || header.frontier == frontier else {
      throw StoreError(
        .altered, "the header states another tree than the records before it make", file: file.path,
        position: frontier.size, advice: Self.advice)
    }
    if isFirst { frontier = header.frontier }
    note()
    let walker = try SegmentWalker(file, from: head.end)
    while frontier.size < size {
      if walker.frame == nil, limit == frontier.size { return }
      switch try walker.next() {
      case .commit:
        try walker.withCommit { commit throws(StoreError) in
          try CommitLines.forEach(in: commit) { line, _ throws(StoreError) in
            see(line)
            add(MerkleTree.leaf(line))
          }
        }
      case .skippable(let frame, _) where frame.kind == .leaves:
        for leaf in try LeafHashes(body: frame.body).hashes { add(leaf) }
      case .frameStart, .frameEnd, .skippable: continue
      case .end: return
      }
    }
  }

  private mutating func add(_ leaf: TreeHash) {
    guard frontier.size < size else { return }
    frontier.append(leaf)
    note()
  }

  private mutating func see(_ line: Span<UInt8>) {
    guard frontier.size >= from, frontier.size < size,
      let pruned = OwnRecordCheck.record(line).flatMap(PrunedRecord.init)
    else { return }
    told.append((pruned, frontier.size))
  }

  private mutating func note() { if frontier.size == from { root = frontier.root } }
}
