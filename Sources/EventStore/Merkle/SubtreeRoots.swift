/// The roots over some ranges of leaves, from one walk over all leaves.
struct SubtreeRoots {
  private var trees: [(range: Range<UInt64>, tree: MerkleFrontier)]
  private var next: UInt64 = 0

  /// Roots over these ranges.
  init(_ ranges: [Range<UInt64>]) { trees = ranges.map { ($0, MerkleFrontier()) } }

  /// Takes in the next leaf. Cost: a look at each range, of which there are at most about 64.
  mutating func append(_ leaf: TreeHash) {
    for index in trees.indices where trees[index].range.contains(next) { trees[index].tree.append(leaf) }
    next += 1
  }

  /// The roots, in the order of the ranges.
  var roots: [TreeHash] { trees.map(\.tree.root) }
}
