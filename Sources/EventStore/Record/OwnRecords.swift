// The store's own records, which no other appender may write.

/// The records that the store appends itself, in its stream `log`.
enum OwnRecords {
  /// Their types (docs/FORMAT.md §2). Others may stand in the stream: `log.gap` is the recorder's.
  static let types: Set<String> = [opened, recovered, rekeyed, restored, pruned, snapshot, clockStep]

  static let opened = "log.opened"
  static let recovered = "log.recovered"
  static let rekeyed = "log.rekeyed"
  static let restored = "log.restored"
  static let pruned = "log.pruned"
  static let snapshot = "snapshot.taken"
  static let clockStep = "clock.stepped"

  /// Throws `invalid` if a caller's batch has one: otherwise the log's statements about itself would be worthless.
  static func refuse(_ batch: [NewRecord]) throws(StoreError) {
    // Checked in place: copying each record would cost as much as queueing it.
    let records = batch.span
    for index in 0..<records.count {
      guard records[index].stream.utf8.count == Envelope.ownStream.utf8.count,
        records[index].stream == Envelope.ownStream, types.contains(records[index].type)
      else { continue }
      throw StoreError(
        .invalid, "records of type \(records[index].type) in the stream \(Envelope.ownStream) are the store's own",
        advice: "give another type, or another stream")
    }
  }
}
