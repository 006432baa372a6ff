extension LogReader {
  /// Folds the log, from the fold's snapshot if the log vouches for it, else from the first record. Cost: reading the
  /// snapshot and hashing it, one frame, and the records behind it.
  ///
  /// A snapshot is used only if the log has a `snapshot.taken` record with its SHA-256, of this fold and version, over
  /// a size at which the log has the root that the record states. Any other snapshot is ignored. So a state from a
  /// snapshot can be wrong only if the log itself was altered, which `Verifier` finds; the fold itself verifies
  /// nothing.
  ///
  /// - Throws: what `cursor`, `RecordCursor.next` and the fold's `apply` throw.
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
