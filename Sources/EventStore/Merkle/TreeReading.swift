// Roots of the log's tree without reading the log: from the hashes that sealed segments keep, and from the records only where
// there are none.

/// Computes subtree roots of a stored log.
struct TreeReading {
  private let layout: StoreLayout
  private let disk: any Disk
  private let catalog: SegmentCatalog
  private let firsts: [UInt64]
  private let size: UInt64
  private let reader: FrameReader

  /// A reading of the log's first `size` records.
  init(size: UInt64, layout: StoreLayout, disk: any Disk, catalog: SegmentCatalog) throws(StoreError) {
    self.layout = layout
    self.disk = disk
    self.catalog = catalog
    self.size = size
    firsts = try layout.segmentList(on: disk)
    reader = try FrameReader()
  }

  /// The root over a range of leaves, where it is that of a tree (RFC 6962 §2.1): its complete subtrees folded from the right.
  func root(of range: Range<UInt64>) throws(StoreError) -> TreeHash {
    var hash: TreeHash?
    for place in TreePlace.cover(range).reversed() {
      let left = try root(of: place)
      hash = hash.map { MerkleTree.node(left, $0) } ?? left
    }
    return hash ?? MerkleTree.empty
  }

  /// The root of a complete subtree.
  func root(of place: TreePlace) throws(StoreError) -> TreeHash {
    let range = place.range
    let number = firsts.partitioningIndex { $0 > range.lowerBound } - 1
    guard number >= 0 else { throw missing(range.lowerBound) }
    let next = number + 1 < firsts.count ? firsts[number + 1] : UInt64.max
    guard range.upperBound <= next else {
      let (left, right) = place.children
      return MerkleTree.node(try root(of: left), try root(of: right))
    }
    if next == .max { return MerkleTree.root(of: try lastLeaves(range, from: firsts[number])[...]) }
    let segment = try catalog.segment(firsts[number], before: next)
    if segment.index.hasNodes, let index = SegmentNodes(segment.index.first..<segment.index.end).index(of: place),
      let kept = try segment.index.node(index)
    {
      return kept
    }
    return MerkleTree.root(of: try leaves(range, of: segment)[...])
  }

  /// The hashes of records of a closed segment.
  private func leaves(
    _ range: Range<UInt64>, of segment: SegmentCatalog.Closed
  ) throws(StoreError) -> [TreeHash] {
    var found: [TreeHash] = []
    found.reserveCapacity(range.count)
    var next = range.lowerBound
    while next < range.upperBound {
      guard let frame = segment.index.frame(of: next) else { throw missing(next) }
      let end = min(frame.end, range.upperBound)
      if segment.index.isPruned {
        // A LEAF frame: magic number, size, kind, first position, then the hashes.
        let start = frame.offset + UInt64(FooterPlace.headLength) + 8 + 32 * (next - frame.first)
        var cursor = ByteCursor(try segment.file.read(at: start, count: Int(end - next) * 32))
        for _ in next..<end { if let hash = TreeHash(bytes: try cursor.take(32)) { found.append(hash) } }
      } else {
        try reader.forEachLine(in: frame, of: segment.file) { line, position throws(StoreError) in
          if position >= next, position < end { found.append(MerkleTree.leaf(line)) }
          return position + 1 < end
        }
      }
      next = end
    }
    guard found.count == range.count else { throw missing(next) }
    return found
  }

  /// The hashes of records of the last segment.
  private func lastLeaves(_ range: Range<UInt64>, from first: UInt64) throws(StoreError) -> [TreeHash] {
    let (offset, position) = try catalog.withActive(first) { index throws(StoreError) in
      let frame = index.frame(of: range.lowerBound)
      return (frame?.offset ?? index.offset, frame?.first ?? index.end)
    }
    let reading = try SegmentReading(layout: layout, disk: disk, segment: first, offset: offset, position: position)
    var found: [TreeHash] = []
    while found.count < range.count, let record = try reading.next() {
      if range.contains(record.position) { found.append(MerkleTree.leaf(record.line)) }
    }
    guard found.count == range.count else { throw missing(range.lowerBound + UInt64(found.count)) }
    return found
  }

  private func missing(_ position: UInt64) -> StoreError {
    StoreError(
      .noSuchPosition, "the log has \(position) records, not \(size)", file: layout.root, position: position,
      advice: "give a size that it has")
  }
}
