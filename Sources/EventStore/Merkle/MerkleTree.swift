// The Merkle tree of RFC 6962 §2.1 over the lines of the log, as pure functions: the hash of a leaf, of a node, of a
// range of leaves. Agreement with an independent computation is what `independent_check.py` tests.
import Crypto

/// Hashes and index arithmetic of the log's tree.
enum MerkleTree {
  /// The hash of the tree without leaves: SHA-256 of nothing (RFC 6962 §2.1).
  static let empty = TreeHash(SHA256.hash(data: [UInt8]()))

  /// The hash of one line, without its `\n`: SHA-256(0x00 || line).
  static func leaf(_ line: Span<UInt8>) -> TreeHash {
    var hasher = SHA256()
    var prefix: UInt8 = 0
    // SAFETY: the byte outlives the call, which only reads it. Passed by address: as a collection it would cost as much
    // as hashing a block.
    unsafe withUnsafeBytes(of: &prefix) { unsafe hasher.update(bufferPointer: $0) }
    unsafe line.withUnsafeBytes { bytes in
      // SAFETY: the span's bytes outlive the call, which only reads them.
      unsafe hasher.update(bufferPointer: bytes)
    }
    return TreeHash(hasher.finalize())
  }

  /// The hash of one line.
  static func leaf(_ line: [UInt8]) -> TreeHash { leaf(line.span) }

  /// The hash of a node over two: SHA-256(0x01 || left || right).
  static func node(_ left: TreeHash, _ right: TreeHash) -> TreeHash {
    let (a, b, c, d) = left.words
    let (e, f, g, h) = right.words
    // The prefix as the last byte of a word and eight words, all in one stack buffer: nothing is allocated.
    var words = (
      UInt64(1).bigEndian, a.bigEndian, b.bigEndian, c.bigEndian, d.bigEndian, e.bigEndian, f.bigEndian, g.bigEndian,
      h.bigEndian
    )
    var hasher = SHA256()
    unsafe withUnsafeBytes(of: &words) { bytes in
      // SAFETY: nine words without padding are 72 readable bytes for the time of the call.
      unsafe hasher.update(bufferPointer: UnsafeRawBufferPointer(rebasing: bytes[7...]))
    }
    return TreeHash(hasher.finalize())
  }

  /// The hash of the tree over `leaves` (RFC 6962 §2.1, `MTH`), as it is defined there. Cost: one node hash a leaf.
  static func root(of leaves: ArraySlice<TreeHash>) -> TreeHash {
    guard let first = leaves.first else { return empty }
    guard leaves.count > 1 else { return first }
    let middle = leaves.startIndex + Int(split(UInt64(leaves.count)))
    return node(root(of: leaves[..<middle]), root(of: leaves[middle...]))
  }

  /// The largest power of two under `count`, where a tree of `count` > 1 leaves splits (RFC 6962 §2.1, `k`).
  static func split(_ count: UInt64) -> UInt64 {
    precondition(count > 1, "a tree of one leaf does not split")
    return 1 << UInt64(63 - (count - 1).leadingZeroBitCount)
  }
}
