extension LogReader {
  /// Folds the log, from the fold's snapshot where the log vouches for it, else from the first record. Cost: reading the
  /// snapshot and hashing it, one frame, and the records behind it.
  ///
  /// A snapshot is used only where the log has a `snapshot.taken` record with its SHA-256, of this fold and version, over a
  /// size at which the log has the root that the record states. Any other is as if it were not there. So a state from a
  /// snapshot can be wrong only where the log itself was altered, which `Verifier` finds; the fold itself verifies nothing.
  ///
  /// Throws what `cursor`, `RecordCursor.next` and the fold's `apply` throw.
  public func folded<State>(by fold: LogFold<State>) throws(StoreError) -> Folded<State> {
    var result = Folded(state: fold.initial(), size: 0, fromSnapshot: 0)
    let file = SnapshotFile(layout: layout, disk: disk, name: fold.name, version: fold.version)
    if let found = file.load(), let state = fold.decode(found.bytes) {
      result = Folded(state: state, size: found.size, fromSnapshot: found.size)
    }
    var cursor = try self.cursor(from: result.size)
    while let record = try cursor.next() {
      try fold.apply(&result.state, record)
      result.size = record.position + 1
    }
    return result
  }
}

extension EventLog {
  /// Keeps the state of a fold, so that the next one goes on from there: appends a `snapshot.taken` record that vouches for
  /// its bytes, and writes them under `index/snapshots`, over the last one of that fold and version. They may be deleted
  /// at any time. Give a state that was folded from this log alone: the log vouches that the bytes are the ones it was
  /// given, not that the fold was right.
  ///
  /// Throws `noSuchPosition` where the log has fewer records than the state, `tooLarge` over 256 MiB, and as `append` and
  /// `flush` do.
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
    let ticket = try append([file.record(of: bytes, size: folded.size, root: root, at: engine.clock())])
    try flush()
    try file.save(bytes, vouchedAt: ticket.positions.lowerBound)
  }
}
