/// What a `log.pruned` record of the stream `log` says.
struct PrunedRecord: Sendable, Hashable {
  /// The type of the record.
  static let type = OwnRecords.pruned

  /// The records before this position were pruned, by this and earlier prunings.
  var before: UInt64
  /// How many records this pruning dropped.
  var records: UInt64
  /// The requested limit: a position, or a time.
  var limit: PruningLimit

  init(before: UInt64, records: UInt64, limit: PruningLimit) {
    self.before = before
    self.records = records
    self.limit = limit
  }

  /// Reads a record. Nil if it is a different record, or refers to records after itself: pruning writes its record
  /// first, about records that exist.
  init?(_ record: StoredRecord) {
    guard record.type == Self.type, record.stream == Envelope.ownStream,
      let data = try? JSON(parsing: record.data), case .number(let before)? = data["before"],
      case .number(let records)? = data["records"], let before = UInt64(before), let records = UInt64(records),
      before <= record.position
    else { return nil }
    self.before = before
    self.records = records
    if case .string(let text)? = data["olderThan"], let time = Timestamp(text) {
      limit = .time(time)
    } else {
      limit = .position(before)
    }
  }

  /// The record to append.
  func record(at time: Timestamp) -> NewRecord {
    let asked =
      switch limit {
      case .position(let position): "\"asked\":\(position)"
      case .time(let time): "\"olderThan\":\"\(time)\""
      }
    return NewRecord(
      at: time, stream: Envelope.ownStream, type: Self.type,
      data: Array("{\"before\":\(before),\"records\":\(records),\(asked)}".utf8))
  }
}

/// The limit up to which records are pruned.
public enum PruningLimit: Sendable, Hashable {
  /// Segments whose records all stand before this position.
  case position(UInt64)
  /// Segments whose records all happened before this time, by their `at`.
  case time(Timestamp)
}
