extension LogReader {
  /// The proof that the record at `position` is in the log of its first `size` records; nil is all there are. Cost: some
  /// small reads a segment where they are sealed; else reads and hashes the segments that are not.
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
    let proof = InclusionProof(
      leafIndex: position, treeSize: size, leafHash: roots[path.count], root: roots[path.count + 1],
      hashes: Array(roots.prefix(path.count)))
    guard proof.isValid else { throw contradiction }
    return proof
  }

  /// The proof that the log of `first` records is the beginning of that of `second`. Cost: as of
  /// `inclusionProof`.
  ///
  /// Throws `noSuchPosition` where the log has not so many records, `invalid` where `first` is over `second`, and what
  /// `cursor` and `RecordCursor.next` throw.
  public func consistencyProof(first: UInt64, second: UInt64) throws(StoreError) -> ConsistencyProof {
    guard first <= second else {
      throw StoreError(.invalid, "size \(first) is not before size \(second)", advice: "give the smaller one first")
    }
    let path = first == 0 ? [] : ConsistencyProof.ranges(first: first, second: second)
    let roots = try roots(over: path + [0..<first, 0..<second], size: second)
    let proof = ConsistencyProof(
      first: first, second: second, firstRoot: roots[path.count], secondRoot: roots[path.count + 1],
      hashes: Array(roots.prefix(path.count)))
    guard proof.isValid else { throw contradiction }
    return proof
  }

  /// The hashes that footers state do not fit each other.
  private var contradiction: StoreError {
    StoreError(
      .altered, "the subtree hashes of the log's segments contradict each other", file: directory,
      advice: "run auditctl verify")
  }

  private func roots(over ranges: [Range<UInt64>], size: UInt64) throws(StoreError) -> [TreeHash] {
    let tree = try TreeReading(size: size, layout: layout, disk: disk, catalog: catalog)
    var roots: [TreeHash] = []
    do throws(StoreError) {
      for range in ranges { roots.append(try tree.root(of: range)) }
    } catch {
      guard error.code == .malformed else { throw error }
      throw StoreError(
        .altered, error.message, file: error.file, position: error.position, offset: error.offset,
        advice: "run auditctl verify")
    }
    return roots
  }
}
