/// A proof that a log of one size is the beginning of the log of a later size (RFC 6962 §2.1.2).
public struct ConsistencyProof: Sendable, Hashable {
  /// The earlier size.
  public var first: UInt64
  /// The later size.
  public var second: UInt64
  /// The Merkle root of the earlier log.
  public var firstRoot: TreeHash
  /// The Merkle root of the later log.
  public var secondRoot: TreeHash
  /// The nodes that lead to both roots.
  public var hashes: [TreeHash]

  /// Makes a proof from its parts, taken as they are; `isValid` says whether it holds.
  public init(first: UInt64, second: UInt64, firstRoot: TreeHash, secondRoot: TreeHash, hashes: [TreeHash]) {
    self.first = first
    self.second = second
    self.firstRoot = firstRoot
    self.secondRoot = secondRoot
    self.hashes = hashes
  }

  /// True if the nodes lead to both roots. It does not check where the roots come from: compare them with checkpoints.
  /// Total: returns an answer for any parts (RFC 9162 §2.1.4.2). The empty log is the beginning of every log.
  public var isValid: Bool {
    guard first <= second else { return false }
    if first == second {
      return hashes.isEmpty && firstRoot == secondRoot && (first > 0 || firstRoot == MerkleTree.empty)
    }
    if first == 0 { return hashes.isEmpty && firstRoot == MerkleTree.empty }
    var rest = hashes[...]
    var node = first - 1
    var last = second - 1
    while node & 1 == 1 {
      node >>= 1
      last >>= 1
    }
    // A first size that is a power of two is a node of the later tree, which the proof leaves out.
    var earlier = firstRoot
    if first.nonzeroBitCount > 1 {
      guard let start = rest.popFirst() else { return false }
      earlier = start
    }
    var later = earlier
    for sibling in rest {
      guard last > 0 else { return false }
      if node & 1 == 1 || node == last {
        earlier = MerkleTree.node(sibling, earlier)
        later = MerkleTree.node(sibling, later)
        while node & 1 == 0, node != 0 {
          node >>= 1
          last >>= 1
        }
      } else {
        later = MerkleTree.node(later, sibling)
      }
      node >>= 1
      last >>= 1
    }
    return last == 0 && earlier == firstRoot && later == secondRoot
  }

  /// The ranges of leaves whose roots make the proof, in its order (RFC 6962 §2.1.2, `PROOF`); 0 < first <= second.
  static func ranges(first: UInt64, second: UInt64) -> [Range<UInt64>] {
    var ranges: [Range<UInt64>] = []
    var tree = 0..<second
    // True while the earlier tree is a complete subtree here, whose root the verifier has.
    var isKnown = true
    while tree.upperBound > first {
      let middle = tree.lowerBound + MerkleTree.split(tree.upperBound - tree.lowerBound)
      if first <= middle {
        ranges.append(middle..<tree.upperBound)
        tree = tree.lowerBound..<middle
      } else {
        ranges.append(tree.lowerBound..<middle)
        tree = middle..<tree.upperBound
        isKnown = false
      }
    }
    if !isKnown { ranges.append(tree) }
    return ranges.reversed()
  }
}
