/// What must be kept of a tree to go on appending to it: the roots of its complete subtrees, largest first, one for
/// each bit set in the size. O(log n) memory, and one node hash a leaf over time.
public struct MerkleFrontier: Sendable, Hashable {
  /// How many leaves the tree has.
  public private(set) var size: UInt64
  /// The roots of the complete subtrees, largest first: as many as `size` has bits set.
  public private(set) var hashes: [TreeHash]

  /// The tree without leaves.
  public init() {
    size = 0
    hashes = []
  }

  /// The tree of `size` leaves with these subtree roots, or nil if their number does not fit the size.
  public init?(size: UInt64, hashes: [TreeHash]) {
    guard size.nonzeroBitCount == hashes.count else { return nil }
    self.size = size
    self.hashes = hashes
  }

  /// Adds a leaf at the right.
  public mutating func append(_ leaf: TreeHash) {
    var hash = leaf
    // Each trailing one bit of the size is a complete subtree that the new one pairs with.
    for _ in 0..<(~size).trailingZeroBitCount {
      guard let left = hashes.popLast() else { break }
      hash = MerkleTree.node(left, hash)
    }
    hashes.append(hash)
    size += 1
  }

  /// The hash of the whole tree (RFC 6962 §2.1): the subtrees folded from the right.
  public var root: TreeHash {
    guard var hash = hashes.last else { return MerkleTree.empty }
    for left in hashes.dropLast().reversed() { hash = MerkleTree.node(left, hash) }
    return hash
  }
}
