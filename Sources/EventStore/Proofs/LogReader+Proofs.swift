extension LogReader {
  /// The proof that the record at `position` is in the log of its first `size` records; nil is all there are. Cost:
  /// some small reads, and a decode of as many frames as the proof has hashes at most, however large the log is.
  ///
  /// - Throws: `noSuchPosition` if the log has not so many records, or the position is not before the size, and what
  ///   `cursor` and `RecordCursor.next` throw.
  public func inclusionProof(of position: UInt64, size: UInt64? = nil) throws(StoreError) -> InclusionProof {
    let size = if let size { size } else { try statistics().records }
    guard position < size else {
      throw StoreError(
        .noSuchPosition, "the log of \(size) records has no such position", file: directory, position: position,
        advice: "give a position before the size")
    }
    let path = InclusionProof.ranges(leafIndex: position, treeSize: size)
    let (hashes, roots, leaf) = try hashes(over: path, at: [size], ofRecord: position)
    let proof = InclusionProof(leafIndex: position, treeSize: size, leafHash: leaf, root: roots[0], hashes: hashes)
    guard proof.isValid else { throw contradiction }
    return proof
  }

  /// The proofs that several records are in the log of its first `size` records, in the order of `positions`. Cost:
  /// that of one proof and of the frames that hold the records, if the positions ascend.
  ///
  /// - Throws: what `inclusionProof` throws.
  public func inclusionProofs(of positions: [UInt64], size: UInt64) throws(StoreError) -> [InclusionProof] {
    for position in positions where position >= size {
      throw StoreError(
        .noSuchPosition, "the log of \(size) records has no such position", file: directory, position: position,
        advice: "give positions before the size")
    }
    let proofs = try located { () throws(StoreError) in
      let tree = try TreeReading(size: size, layout: layout, disk: disk, catalog: catalog)
      let root = try tree.frontier(at: size).root
      // Neighbors share all but the lowest nodes of their paths.
      var known: [Range<UInt64>: TreeHash] = [:]
      var proofs: [InclusionProof] = []
      for position in positions {
        var hashes: [TreeHash] = []
        for range in InclusionProof.ranges(leafIndex: position, treeSize: size) {
          let hash = if let hash = known[range] { hash } else { try tree.root(of: range) }
          if range.count > 1 { known[range] = hash }
          hashes.append(hash)
        }
        proofs.append(
          InclusionProof(
            leafIndex: position, treeSize: size, leafHash: try tree.leaf(at: position), root: root, hashes: hashes))
      }
      return proofs
    }
    guard proofs.allSatisfy(\.isValid) else { throw contradiction }
    return proofs
  }

  /// The proof that the log of `first` records is the beginning of that of `second`. Cost: as of
  /// `inclusionProof`.
  ///
  /// - Throws: `noSuchPosition` if the log has not so many records, `invalid` if `first` is over `second`, and what
  ///   `cursor` and `RecordCursor.next` throw.
  public func consistencyProof(first: UInt64, second: UInt64) throws(StoreError) -> ConsistencyProof {
    guard first <= second else {
      throw StoreError(.invalid, "size \(first) is not before size \(second)", advice: "give the smaller one first")
    }
    let path = first == 0 ? [] : ConsistencyProof.ranges(first: first, second: second)
    let (hashes, roots, _) = try hashes(over: path, at: [first, second])
    let proof = ConsistencyProof(
      first: first, second: second, firstRoot: roots[0], secondRoot: roots[1], hashes: hashes)
    guard proof.isValid else { throw contradiction }
    return proof
  }

  /// The hashes that the log states do not fit each other.
  private var contradiction: StoreError {
    StoreError(
      .altered, "the subtree hashes of the log's segments contradict each other", file: directory,
      advice: "run auditctl verify")
  }

  /// The roots of subtrees, the log's at some sizes, and the hash of a record's line.
  private func hashes(
    over ranges: [Range<UInt64>], at sizes: [UInt64], ofRecord position: UInt64? = nil
  ) throws(StoreError) -> (hashes: [TreeHash], roots: [TreeHash], leaf: TreeHash) {
    try located { () throws(StoreError) in
      let tree = try TreeReading(size: sizes.last ?? 0, layout: layout, disk: disk, catalog: catalog)
      var hashes: [TreeHash] = []
      var roots: [TreeHash] = []
      for range in ranges { hashes.append(try tree.root(of: range)) }
      for size in sizes { roots.append(try tree.frontier(at: size).root) }
      let leaf = if let position { try tree.leaf(at: position) } else { MerkleTree.empty }
      return (hashes, roots, leaf)
    }
  }

  /// Runs `body`. Damage in the middle of the log is reported as `altered`.
  private func located<Result>(_ body: () throws(StoreError) -> Result) throws(StoreError) -> Result {
    do throws(StoreError) {
      return try body()
    } catch {
      guard error.code == .malformed || error.code == .torn else { throw error }
      throw StoreError(
        .altered, error.message, file: error.file, position: error.position, offset: error.offset,
        advice: "run auditctl verify")
    }
  }
}

extension StoredRecord {
  /// The record's leaf in the log's Merkle tree: SHA-256(0x00 || line without `\n`), computed from the line.
  public var leafHash: TreeHash { MerkleTree.leaf(line) }
}
