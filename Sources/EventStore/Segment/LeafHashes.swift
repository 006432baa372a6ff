/// The body of a LEAF frame: `first u64`, then the leaf hash of each record from there on, 32 bytes each.
struct LeafHashes {
  /// The position of the first record.
  var first: UInt64
  /// The hashes, in order.
  var hashes: [TreeHash]

  /// The most that one frame has: 1 MiB.
  static let limit = 32_768

  init(first: UInt64, hashes: [TreeHash]) {
    self.first = first
    self.hashes = hashes
  }

  /// Reads a body.
  ///
  /// - Throws: `malformed`.
  init(body: [UInt8]) throws(StoreError) {
    var cursor = ByteCursor(body)
    first = try cursor.uint64()
    hashes = []
    guard cursor.remaining > 0, cursor.remaining % 32 == 0, cursor.remaining / 32 <= Self.limit,
      first <= FrameFormat.largestNumber
    else { throw StoreError(.malformed, "leaf hashes that are no whole number of them", offset: 8) }
    hashes.reserveCapacity(cursor.remaining / 32)
    while cursor.remaining > 0 {
      if let hash = TreeHash(bytes: try cursor.take(32)) { hashes.append(hash) }
    }
  }

  /// The frame that has them.
  var frame: SkippableFrame {
    var body: [UInt8] = []
    body.reserveCapacity(8 + 32 * hashes.count)
    body.appendUInt64(first)
    for hash in hashes { hash.append(to: &body) }
    return SkippableFrame(kind: .leaves, body: body)
  }
}
