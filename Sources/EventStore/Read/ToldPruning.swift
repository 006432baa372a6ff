/// The log's own records about pruning.
struct ToldPruning {
  let layout: StoreLayout
  let disk: any Disk

  /// The position before which everything was pruned, according to the first `size` records; 0 if they report no
  /// pruning. Cost: a look-up of the stream `log`.
  func before(within size: UInt64) throws(StoreError) -> UInt64 {
    let catalog = SegmentCatalog(layout: layout, disk: disk)
    let found = try StreamReading(Envelope.ownStream, layout: layout, disk: disk, catalog: catalog).found().records
    return found.prefix { $0.position < size }.compactMap { PrunedRecord($0)?.before }.max() ?? 0
  }

  /// Throws `altered` if records are gone and the first `size` records, the signed ones, do not report it: an attacker
  /// who can remove records can also append a record that reports the removal, and a signature over it would vouch for
  /// it. Cost: a few small reads; once after each pruning, and after opening, a look-up of the stream `log`. `catalog`
  /// remembers the result.
  func refuseUntold(within size: UInt64, knowing catalog: SegmentCatalog) throws(StoreError) {
    let kept = try PrunedSegments(layout: layout, disk: disk).firstKept()
    guard kept > catalog.knownPruning else { return }
    let signed = try before(within: size)
    catalog.notePruning(before: signed)
    guard signed < kept else { return }
    throw StoreError(
      .altered, "the records before \(kept) are gone, and no checkpoint covers a log.pruned record that says so",
      file: layout.root, position: kept, advice: "it is not signed; keep the store as evidence and run auditctl verify")
  }
}
