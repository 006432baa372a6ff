// Roots of the log's tree without reading the log: from the trees that segments and directories state, from the hashes
// that sealed segments keep, and from the records of a few frames.

/// Computes subtree roots of a stored log. For one look-up; not for two threads at a time.
final class TreeReading {
  private let layout: StoreLayout
  private let disk: any Disk
  private let size: UInt64
  private let stated: StatedTrees
  private let reader: FrameReader
  /// The hashes of the frames that were decoded last: a proof takes several small subtrees from one frame.
  private var decoded: [(first: UInt64, hashes: [TreeHash])] = []
  private static let decodedLimit = 8
  /// The hashes of the records that have no directory yet.
  private var tail: [TreeHash]?

  /// A reading of the log's first `size` records.
  init(size: UInt64, layout: StoreLayout, disk: any Disk, catalog: SegmentCatalog) throws(StoreError) {
    self.layout = layout
    self.disk = disk
    self.size = size
    stated = try StatedTrees(layout: layout, disk: disk, catalog: catalog)
    reader = try FrameReader()
  }

  /// The tree over the first `size` records; 0 has none. Inside of a sealed segment, whose subtree hashes have no
  /// checksum of their own, it is compared with the tree that is stated at the segment's end: if they do not fit, it
  /// throws `altered`.
  func frontier(at size: UInt64) throws(StoreError) -> MerkleFrontier {
    let places = TreePlace.cover(0..<size)
    var known: [TreePlace: TreeHash] = [:]
    for place in places { known[place] = try root(of: place) }
    guard let last = places.last, let frontier = MerkleFrontier(size: size, hashes: places.compactMap { known[$0] })
    else {
      return MerkleFrontier()
    }
    let segment = try stated.segment(of: last.range.upperBound - 1)
    if let end = segment.index?.frontier, segment.isSealed, size < end.size {
      for place in TreePlace.cover(size..<end.size) { known[place] = try root(of: place) }
      guard TreePlace.cover(0..<end.size).map({ Self.joined($0, known) }) == end.hashes else {
        throw StoreError(
          .altered, "the subtree hashes of a segment do not lead to the tree that it states", file: segment.file.path,
          position: segment.first, advice: "run auditctl verify")
      }
    }
    return frontier
  }

  /// The root of a subtree, computed from the roots of its parts.
  private static func joined(_ place: TreePlace, _ known: [TreePlace: TreeHash]) -> TreeHash {
    if let hash = known[place] { return hash }
    guard place.level > 0 else { return MerkleTree.empty }
    let (left, right) = place.children
    return MerkleTree.node(joined(left, known), joined(right, known))
  }

  /// The root over a range of leaves, if it is that of a tree (RFC 6962 §2.1): its complete subtrees folded from the
  /// right.
  func root(of range: Range<UInt64>) throws(StoreError) -> TreeHash {
    var hash: TreeHash?
    for place in TreePlace.cover(range).reversed() {
      let left = try root(of: place)
      hash = hash.map { MerkleTree.node(left, $0) } ?? left
    }
    return hash ?? MerkleTree.empty
  }

  /// The hash of one record, from its line, or from the kept leaf hash if it was pruned; never from a directory or a
  /// footer alone.
  func leaf(at position: UInt64) throws(StoreError) -> TreeHash {
    guard let hash = try leaves(position..<position + 1, of: try stated.segment(of: position)).first else {
      throw missing(position)
    }
    return hash
  }

  /// The root of a complete subtree. Cost: a stated tree that has it; else those of its halves, one of which is stated
  /// or in one frame at each step, so that one frame is decoded in all.
  func root(of place: TreePlace) throws(StoreError) -> TreeHash {
    let range = place.range
    let width = range.upperBound - range.lowerBound
    if place.index % 2 == 0,
      let found = try stated.frontier(in: range.upperBound...range.upperBound + (width - 1))
    {
      // A tree of that size has this subtree as a whole, behind those of the larger bits.
      return found.hashes[(found.size >> UInt64(place.level + 1)).nonzeroBitCount]
    }
    if width > 1, try stated.frontier(in: range.lowerBound + 1...range.upperBound - 1) != nil {
      let (left, right) = place.children
      return MerkleTree.node(try root(of: left), try root(of: right))
    }
    let segment = try stated.segment(of: range.lowerBound)
    if let index = segment.index, segment.isSealed, index.hasNodes, range.upperBound <= index.end,
      let number = SegmentNodes(index.first..<index.end).index(of: place), let kept = try index.node(number)
    {
      return kept
    }
    return MerkleTree.root(of: try leaves(range, of: segment)[...])
  }

  /// The hashes of records of one segment.
  private func leaves(_ range: Range<UInt64>, of segment: StatedTrees.Segment) throws(StoreError) -> [TreeHash] {
    var found: [TreeHash] = []
    var next = range.lowerBound
    while next < range.upperBound {
      let hashes: (first: UInt64, hashes: [TreeHash])
      if let index = segment.index, index.isPruned {
        hashes = try prunedLeaves(next..<range.upperBound, of: segment.file, index)
      } else if let frame = segment.frames.last(where: { $0.first <= next }), next < frame.end {
        hashes = try leaves(of: frame, in: segment.file)
      } else {
        guard segment.index == nil else { throw missing(next) }
        hashes = (segment.end, try tailLeaves(of: segment))
      }
      // A caller may ask for any position.
      guard next >= hashes.first, next - hashes.first < UInt64(hashes.hashes.count) else { throw missing(next) }
      let part = hashes.hashes.dropFirst(Int(next - hashes.first)).prefix(Int(clamping: range.upperBound - next))
      found += part
      next += UInt64(part.count)
    }
    return found
  }

  private func leaves(
    of frame: IndexedFrame, in file: any DiskFile
  ) throws(StoreError) -> (first: UInt64, hashes: [TreeHash]) {
    if let known = decoded.first(where: { $0.first == frame.first }) { return known }
    var hashes: [TreeHash] = []
    hashes.reserveCapacity(min(Int(frame.count), 1 << 12))
    try reader.forEachLine(in: frame, of: file) { line, _ throws(StoreError) in
      hashes.append(MerkleTree.leaf(line))
      return true
    }
    if decoded.count == Self.decodedLimit { decoded.removeFirst() }
    decoded.append((frame.first, hashes))
    return (frame.first, hashes)
  }

  /// Hashes that replace records, from one LEAF frame.
  private func prunedLeaves(
    _ range: Range<UInt64>, of file: any DiskFile, _ index: SegmentIndex
  ) throws(StoreError) -> (first: UInt64, hashes: [TreeHash]) {
    guard let frame = index.frame(of: range.lowerBound), frame.count <= LeafHashes.limit else {
      throw missing(range.lowerBound)
    }
    let count = min(frame.end, range.upperBound) - range.lowerBound
    // Magic number, size, kind, first position, then the hashes.
    let start = frame.offset + UInt64(FooterPlace.headLength) + 8 + 32 * (range.lowerBound - frame.first)
    var cursor = ByteCursor(try file.read(at: start, count: Int(count) * 32))
    var hashes: [TreeHash] = []
    for _ in 0..<count { if let hash = TreeHash(bytes: try cursor.take(32)) { hashes.append(hash) } }
    return (range.lowerBound, hashes)
  }

  /// The hashes of the records of the last segment that are in no known frame, those before `size`.
  private func tailLeaves(of segment: StatedTrees.Segment) throws(StoreError) -> [TreeHash] {
    if let tail { return tail }
    let reading = try SegmentReading(
      layout: layout, disk: disk, segment: segment.first, offset: segment.tail, position: segment.end,
      in: segment.file)
    var hashes: [TreeHash] = []
    while segment.end + UInt64(hashes.count) < size, let record = try reading.next() {
      hashes.append(MerkleTree.leaf(record.line))
    }
    tail = hashes
    return hashes
  }

  private func missing(_ position: UInt64) -> StoreError {
    StoreError(
      .noSuchPosition, "the log has fewer than \(size) records", file: layout.root, position: position,
      advice: "give a size that it has")
  }
}
