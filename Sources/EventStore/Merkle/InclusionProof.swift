/// A proof that one record is in the log of a given size (RFC 6962 §2.1.1).
public struct InclusionProof: Sendable, Hashable {
  /// The record's position.
  public var leafIndex: UInt64
  /// The size of the log that it is proved of.
  public var treeSize: UInt64
  /// The hash of the record: SHA-256(0x00 || line without `\n`).
  public var leafHash: TreeHash
  /// The Merkle root of that log.
  public var root: TreeHash
  /// The audit path, from the leaf up.
  public var hashes: [TreeHash]

  /// Makes a proof from its parts, taken as they are; `isValid` says whether it holds.
  public init(leafIndex: UInt64, treeSize: UInt64, leafHash: TreeHash, root: TreeHash, hashes: [TreeHash]) {
    self.leafIndex = leafIndex
    self.treeSize = treeSize
    self.leafHash = leafHash
    self.root = root
    self.hashes = hashes
  }

  /// True if the path leads from the leaf to the root. It does not check where the root comes from: compare it with a
  /// checkpoint. Total: returns an answer for any parts (RFC 9162 §2.1.3.2).
  public var isValid: Bool {
    guard leafIndex < treeSize else { return false }
    var node = leafIndex
    var last = treeSize - 1
    var hash = leafHash
    for sibling in hashes {
      guard last > 0 else { return false }
      if node & 1 == 1 || node == last {
        hash = MerkleTree.node(sibling, hash)
        while node & 1 == 0, node != 0 {
          node >>= 1
          last >>= 1
        }
      } else {
        hash = MerkleTree.node(hash, sibling)
      }
      node >>= 1
      last >>= 1
    }
    return last == 0 && hash == root
  }

  /// The ranges of leaves whose roots make the path, from the leaf up (RFC 6962 §2.1.1, `PATH`).
  static func ranges(leafIndex: UInt64, treeSize: UInt64) -> [Range<UInt64>] {
    var ranges: [Range<UInt64>] = []
    var tree = 0..<treeSize
    while tree.upperBound - tree.lowerBound > 1 {
      let middle = tree.lowerBound + MerkleTree.split(tree.upperBound - tree.lowerBound)
      if leafIndex < middle {
        ranges.append(middle..<tree.upperBound)
        tree = tree.lowerBound..<middle
      } else {
        ranges.append(tree.lowerBound..<middle)
        tree = middle..<tree.upperBound
      }
    }
    return ranges.reversed()
  }
}
