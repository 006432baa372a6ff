extension StoredRecord {
  /// A record as a log would hold it at this place; used for recordings whose events are regenerated.
  ///
  /// - Throws: `tooLarge` if its line has more bytes than a line may have; `malformed` if a name or the data is
  ///   invalid.
  package init(_ record: NewRecord, position: UInt64, revision: Int, cause: UInt64?) throws(StoreError) {
    // What stands beside names and data has under 192 bytes.
    guard record.data.count + record.stream.utf8.count + record.type.utf8.count <= Int(UInt16.max) - 192 else {
      throw StoreError(
        .tooLarge, "a record of type \(record.type) is larger than a line may be", position: position,
        advice: "give less data")
    }
    let lines = LineBuffer()
    var encoder = LineEncoder()
    encoder.append(record, position: position, revision: revision, cause: cause, to: lines)
    try self.init(line: lines.withBytes(0..<lines.count - 1) { CommitLines.array($0) })
  }
}
