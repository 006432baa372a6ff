/// Compares the log's records about its own creation and origin with `store.json`: the creator of the store wrote both,
/// and only the records are in the tree.
struct OwnRecordCheck {
  let identity: StoreIdentity
  private static let stream = Array(Envelope.ownStream.utf8)

  /// The positions at which `store.json` says that the store was restored.
  private let restoredAt: [UInt64]

  init(identity: StoreIdentity) {
    self.identity = identity
    restoredAt = identity.restoredFrom.map(\.size)
  }

  /// How the record at a position contradicts `store.json`, or nil.
  ///
  /// - Parameter record: the store's own record there, if it is one.
  func fault(of record: StoredRecord?, at position: UInt64) -> String? {
    if record?.type != OwnRecords.restored, restoredAt.contains(position) {
      return "Record \(position) is not the one that says where the store was restored from."
    }
    return record.flatMap(fault)
  }

  /// The record that a line of a stream is, if it is the store's own.
  static func record(_ line: Span<UInt8>, of stream: [UInt8]) -> StoredRecord? {
    guard stream == Self.stream else { return nil }
    return try? StoredRecord(line: CommitLines.array(line))
  }

  /// The record that a line is, if it is the store's own. Cost: parses the envelope; copies only the store's own lines.
  static func record(_ line: Span<UInt8>) -> StoredRecord? {
    guard let envelope = try? Envelope(parsing: line), envelope.stream.count == stream.count else { return nil }
    return record(line, of: CommitLines.array(line.extracting(envelope.stream)))
  }

  private func fault(of record: StoredRecord) -> String? {
    switch record.type {
    case OwnRecords.opened:
      let writer = identity.writer(ofSegment: record.position)
      let isOwn = (identity.restoredFrom.last?.size ?? 0) <= record.position
      let data = json(of: record)
      let isSo =
        data?["store"] == .string(writer.id) && data?["origin"] == .string(writer.origin)
        && (!isOwn || data?["format"]?.int == identity.format)
      return isSo ? nil : "Record \(record.position) says of the store's making what store.json does not."
    case OwnRecords.restored:
      guard let before = identity.restoredFrom.first(where: { $0.size == record.position }),
        let data = json(of: record), data["store"] == .string(before.store), data["origin"] == .string(before.origin),
        data["size"]?.int.flatMap(UInt64.init(exactly:)) == before.size, data["root"]?.string == before.root,
        data["lost"]?.int.flatMap(UInt64.init(exactly:)) == before.lost
      else { return "Record \(record.position) says that the store was restored from what store.json does not name." }
      return nil
    default: return nil
    }
  }

  private func json(of record: StoredRecord) -> JSON? { try? JSON(parsing: Array(record.data)) }
}
