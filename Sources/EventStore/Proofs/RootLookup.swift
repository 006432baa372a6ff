// The tree at any size of the log, from segment headers and directories.

/// Finds the tree over the first records of a log.
struct RootLookup {
  let layout: StoreLayout
  let disk: any Disk

  /// The tree over the first `size` records. Cost: the directories of one segment, and the records of one frame decoded
  /// and hashed.
  ///
  /// - Throws: `noSuchPosition` if the log has fewer, `missingSegment`, `altered`.
  func frontier(at size: UInt64) throws(StoreError) -> MerkleFrontier {
    if size == 0 { return MerkleFrontier() }
    let firsts = try layout.segmentList(on: disk)
    guard let index = firsts.lastIndex(where: { $0 <= size }) else {
      throw StoreError(
        .missingSegment, "the log begins behind \(size) records", file: layout.segments, position: size,
        advice: "put the segments back")
    }
    let file = try disk.open(layout.segment(firsts[index]), .read)
    // The part of a segment that the next one supersedes is never trusted.
    let next = index + 1 < firsts.count ? firsts[index + 1] : nil
    let limit = try next.flatMap { next throws(StoreError) in
      try SegmentHeader.supersedes(next, in: layout, on: disk) ? next : nil
    }
    let form = try limit == nil ? FooterPlace.form(in: file) : try? FooterPlace.index(in: file)?.form
    if let form, form != .closed {
      // A sealed segment has no directories; it keeps hashes of subtrees.
      return try TreeReading(
        size: size, layout: layout, disk: disk, catalog: SegmentCatalog(layout: layout, disk: disk)
      ).frontier(at: size)
    }
    let head = try FileHead(of: file)
    var frontier = try SegmentHeader(frame: head.frame).frontier
    var directory = try DirectoryChain.last(of: file, headEnd: head.end, limit: limit).directory
    while let current = directory {
      if current.end <= size {
        frontier = current.frontier
        break
      }
      directory = try DirectoryChain.directory(before: current, of: file)
    }
    if frontier.size == size { return frontier }
    let reading = try SegmentReading(layout: layout, disk: disk, position: frontier.size)
    while frontier.size < size {
      guard let record = try reading.next() else {
        throw StoreError(
          .noSuchPosition, "the log has \(frontier.size) records, not \(size)", file: layout.root, position: size,
          advice: "give a size that it has")
      }
      frontier.append(MerkleTree.leaf(record.bytes.span))
    }
    return frontier
  }
}

extension LogReader {
  /// The Merkle root over the first `size` records (RFC 6962 §2.1). Cost: the directories of one segment, and one frame
  /// of records. It relies on what the log states, which is why it is quick; `Verifier` computes the root from the
  /// records.
  ///
  /// - Throws: `noSuchPosition` if the log has fewer, and what `cursor` throws.
  public func root(at size: UInt64) throws(StoreError) -> TreeHash {
    try frontier(at: size).root
  }

  /// The complete subtrees of the tree over the first `size` records, largest first. Cost and errors as of `root(at:)`.
  package func frontier(at size: UInt64) throws(StoreError) -> MerkleFrontier {
    try RootLookup(layout: layout, disk: disk).frontier(at: size)
  }
}
