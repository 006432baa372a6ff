extension LogReader {
  /// The proof that the record at `position` is in the log of its first `size` records; nil is all there are. Cost: reads and
  /// hashes the log up to `size`.
  ///
  /// Throws `noSuchPosition` where the log has not so many records, or the position is not before the size,
  /// and what `cursor` and `RecordCursor.next` throw.
  public func inclusionProof(of position: UInt64, size: UInt64? = nil) throws(StoreError) -> InclusionProof {
    let size = if let size { size } else { try statistics().records }
    guard position < size else {
      throw StoreError(
        .noSuchPosition, "the log of \(size) records has no such one", file: directory, position: position,
        advice: "give a position before the size")
    }
    let path = InclusionProof.ranges(leafIndex: position, treeSize: size)
    let roots = try roots(over: path + [position..<position + 1, 0..<size], size: size)
    return InclusionProof(
      leafIndex: position, treeSize: size, leafHash: roots[path.count], root: roots[path.count + 1],
      hashes: Array(roots.prefix(path.count)))
  }

  /// The proof that the log of `first` records is the beginning of that of `second`. Cost: reads and hashes the log up to
  /// `second`.
  ///
  /// Throws `noSuchPosition` where the log has not so many records, `invalid` where `first` is over `second`, and what
  /// `cursor` and `RecordCursor.next` throw.
  public func consistencyProof(first: UInt64, second: UInt64) throws(StoreError) -> ConsistencyProof {
    guard first <= second else {
      throw StoreError(.invalid, "size \(first) is not before size \(second)", advice: "give the smaller one first")
    }
    let path = first == 0 ? [] : ConsistencyProof.ranges(first: first, second: second)
    let roots = try roots(over: path + [0..<first, 0..<second], size: second)
    return ConsistencyProof(
      first: first, second: second, firstRoot: roots[path.count], secondRoot: roots[path.count + 1],
      hashes: Array(roots.prefix(path.count)))
  }

  private func roots(over ranges: [Range<UInt64>], size: UInt64) throws(StoreError) -> [TreeHash] {
    var roots = SubtreeRoots(ranges)
    var cursor = try self.cursor()
    var count: UInt64 = 0
    while count < size {
      guard let record = try cursor.next() else {
        throw StoreError(
          .noSuchPosition, "the log has \(count) records, not \(size)", file: directory, position: count,
          advice: "give a size that it has")
      }
      roots.append(MerkleTree.leaf(record.line))
      count += 1
    }
    return roots.roots
  }
}
