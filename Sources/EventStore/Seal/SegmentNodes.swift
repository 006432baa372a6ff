// Which hashes of the log's tree a sealed segment keeps, so that a proof needs a few small reads and one frame: all
// complete subtrees of 256 leaves and more inside of the segment, and at its two edges, where a group of 256 is shared
// with a neighbor, the complete subtrees that make up its part (docs/FORMAT.md §10).

/// A complete subtree of the log's tree: the leaves index * 2^level up to the next multiple.
struct TreePlace: Sendable, Hashable {
  /// The height over the leaves.
  var level: Int
  /// Its number among those of its level.
  var index: UInt64

  /// The leaves under it. Only for subtrees inside a log, whose positions do not overflow.
  var range: Range<UInt64> { index << UInt64(level)..<(index + 1) << UInt64(level) }

  /// Its two halves; not for a leaf.
  var children: (TreePlace, TreePlace) {
    (TreePlace(level: level - 1, index: index * 2), TreePlace(level: level - 1, index: index * 2 + 1))
  }

  /// The largest complete subtrees that cover a range exactly, in order.
  static func cover(_ range: Range<UInt64>) -> [TreePlace] {
    var places: [TreePlace] = []
    var next = range.lowerBound
    while next < range.upperBound {
      let fitting = 63 - (range.upperBound - next).leadingZeroBitCount
      let level = next == 0 ? fitting : Swift.min(next.trailingZeroBitCount, fitting)
      places.append(TreePlace(level: level, index: next >> UInt64(level)))
      next += 1 << UInt64(level)
    }
    return places
  }
}

/// The hashes that a segment with the positions `range` keeps, in their order.
struct SegmentNodes: Sendable {
  private let edges: [TreePlace]
  /// For each level from `base` on, the numbers of the subtrees inside of the segment.
  private let levels: [Range<UInt64>]
  private let range: Range<UInt64>

  /// The smallest subtrees that are kept: 256 leaves.
  static let base = 8

  /// The plan of a segment. Positions are under 2^62 in every log that was read.
  init(_ range: Range<UInt64>) {
    self.range = range
    let group: UInt64 = 1 << UInt64(Self.base)
    let left = range.lowerBound..<Swift.min((range.lowerBound + group - 1) / group * group, range.upperBound)
    let right = Swift.max(range.upperBound / group * group, left.upperBound)..<range.upperBound
    edges = TreePlace.cover(left) + TreePlace.cover(right)
    var levels: [Range<UInt64>] = []
    for level in Self.base..<62 {
      let size: UInt64 = 1 << UInt64(level)
      let from = (range.lowerBound + size - 1) / size
      let to = range.upperBound / size
      guard from < to else { break }
      levels.append(from..<to)
    }
    self.levels = levels
  }

  /// How many hashes are kept.
  var count: Int { edges.count + levels.reduce(0) { $0 + $1.count } }

  /// Where the hash of a subtree stands among them, or nil if it is not kept.
  func index(of place: TreePlace) -> Int? {
    if place.level < Self.base { return edges.firstIndex(of: place) }
    var start = edges.count
    for (level, range) in levels.enumerated() {
      if level + Self.base == place.level {
        return range.contains(place.index) ? start + Int(place.index - range.lowerBound) : nil
      }
      start += range.count
    }
    return nil
  }

  /// The hashes, from those of all leaves of the segment. Cost: one hash a leaf.
  func hashes(of leaves: [TreeHash]) -> [TreeHash] {
    precondition(leaves.count == range.count, "all leaves of the segment")
    func root(_ part: Range<UInt64>) -> TreeHash {
      let from = Int(part.lowerBound - range.lowerBound)
      return MerkleTree.root(of: leaves[from..<from + part.count])
    }
    var all = edges.map { root($0.range) }
    var below: [TreeHash] = []
    var belowStart: UInt64 = 0
    for (level, indices) in levels.enumerated() {
      var current: [TreeHash] = []
      current.reserveCapacity(indices.count)
      for index in indices {
        if level == 0 {
          current.append(root(TreePlace(level: Self.base, index: index).range))
        } else {
          let left = Int(index * 2 - belowStart)
          current.append(MerkleTree.node(below[left], below[left + 1]))
        }
      }
      all += current
      (below, belowStart) = (current, indices.lowerBound)
    }
    return all
  }
}
