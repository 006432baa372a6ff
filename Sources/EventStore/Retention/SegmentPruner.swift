// Drops the records of a closed segment and keeps their leaf hashes (docs/FORMAT.md §10), so that every proof and
// checkpoint of the log still holds.

/// Prunes the closed segments of a store.
struct SegmentPruner {
  let layout: StoreLayout
  let disk: any Disk

  /// True if all records of the segment happened before `time`. Decodes it, up to the first that did not.
  func isOlder(_ first: UInt64, than time: Timestamp, before next: UInt64) throws(StoreError) -> Bool {
    let file = try disk.open(layout.segment(first), .read)
    let walker = try SegmentWalker(file, from: try FileHead(of: file).end)
    var isOlder = true
    while isOlder {
      switch try walker.next() {
      case .commit:
        try walker.withCommit { commit throws(StoreError) in
          try CommitLines.forEach(in: commit) { line, _ throws(StoreError) in
            let envelope = try Envelope(parsing: line)
            if envelope.at >= time, envelope.position < next { isOlder = false }
          }
        }
      case .end: return isOlder
      case .frameStart, .frameEnd, .skippable: continue
      }
    }
    return false
  }

  /// Prunes the segment `first`, which `next` follows. Nil if it is pruned already, and as `replace` says.
  func prune(_ first: UInt64, before next: UInt64) throws(StoreError) -> SegmentReplacement.Outcome? {
    if try PrunedSegments(layout: layout, disk: disk).isPruned(first) { return nil }
    var leaves: [TreeHash] = []
    return try SegmentReplacement(layout: layout, disk: disk).replace(first, before: next) {
      old, limit, draft throws(StoreError) in
      var contents = try SegmentContents(linesOf: old, limit: limit) { _, _, hash in leaves.append(hash) }
      contents.form = .pruned
      contents.streams = contents.streams.map(\.pruned)
      contents.nodes = SegmentNodes(first..<contents.frontier.size).hashes(of: leaves)
      contents.frames = []
      for start in stride(from: 0, to: leaves.count, by: LeafHashes.limit) {
        let part = LeafHashes(
          first: first + UInt64(start), hashes: Array(leaves[start..<min(start + LeafHashes.limit, leaves.count)]))
        let bytes = part.frame.encoded
        contents.frames.append(
          IndexedFrame(
            offset: draft.offset, first: part.first, length: UInt32(bytes.count), count: UInt32(part.hashes.count)))
        try draft.write(bytes)
      }
      return contents
    } compare: { file, contents throws(StoreError) in
      try Self.hashes(of: file) == leaves
    }
  }

  /// The leaf hashes of the segment `first`, which was pruned.
  func leaves(of first: UInt64) throws(StoreError) -> [TreeHash] {
    try Self.hashes(of: try disk.open(layout.segment(first), .read))
  }

  /// All leaf hashes of a pruned segment.
  private static func hashes(of file: any DiskFile) throws(StoreError) -> [TreeHash] {
    let walker = try SegmentWalker(file, from: try FileHead(of: file).end, decoding: false)
    var found: [TreeHash] = []
    while case .skippable(let frame, _) = try walker.next() {
      if frame.kind == .leaves { found += try LeafHashes(body: frame.body).hashes }
    }
    return found
  }
}
