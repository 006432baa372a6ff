extension EventLog {
  /// Keeps the state of a fold, so that the next fold continues from there: appends a `snapshot.taken` record that
  /// vouches for its bytes, and writes them under `index/snapshots`, over the last one of that fold and version. They
  /// may be deleted at any time. Give a state that was folded from this log alone: the log vouches that the bytes are
  /// the ones it was given, not that the fold was right.
  ///
  /// - Throws: `noSuchPosition` if the log has fewer records than the state, `tooLarge` over 256 MiB, and what `append`
  ///   and `flush` throw.
  public func keep<State>(_ folded: Folded<State>, of fold: LogFold<State>) throws(StoreError) {
    let file = SnapshotFile(layout: engine.layout, disk: engine.disk, name: fold.name, version: fold.version)
    let bytes = fold.encode(folded.state)
    guard bytes.count <= SnapshotFile.longest else {
      throw StoreError(
        .tooLarge, "the state has \(bytes.count) bytes, more than \(SnapshotFile.longest)", file: file.path,
        advice: "keep none")
    }
    try flush()
    let root = try RootLookup(layout: engine.layout, disk: engine.disk).frontier(at: folded.size).root
    let record = file.record(of: bytes, size: folded.size, root: root, at: engine.clock())
    let ticket = try engine.append([record], expecting: .any)
    try flush()
    try file.save(bytes, vouchedAt: ticket.positions.lowerBound)
  }
}
