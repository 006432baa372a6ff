// Reading from the end: pieces of the log, each read forward and returned backward.

/// Gives records one by one, from the last to the first.
public struct ReverseRecordCursor {
  private let reader: LogReader
  private let oldest: UInt64
  private var end: UInt64
  private var piece: [StoredRecord] = []
  private var length: UInt64 = 64
  /// The longest piece: some 4 MiB of usual records.
  private static let longest: UInt64 = 4_096

  init(_ reader: LogReader, end: UInt64) throws(StoreError) {
    self.reader = reader
    self.end = end
    oldest = max(try reader.layout.segmentList(on: reader.disk).first ?? 0, try reader.firstKept())
  }

  /// The record before the one returned last; nil at the beginning of the log, or of its kept part.
  ///
  /// - Throws: what `RecordCursor.next` throws.
  public mutating func next() throws(StoreError) -> StoredRecord? {
    if let record = piece.popLast() { return record }
    guard end > oldest else { return nil }
    let start = end - min(length, end - oldest)
    var cursor = try reader.cursor(from: start)
    while start + UInt64(piece.count) < end {
      guard let record = try cursor.next() else {
        throw StoreError(
          .noSuchPosition, "the log ends before \(end) records", file: reader.directory, position: end,
          advice: "give a position that it has")
      }
      piece.append(record)
    }
    end = start
    length = min(length * 2, Self.longest)
    return piece.popLast()
  }
}

extension LogReader {
  /// How many records the log has in whole commits. Cost: the last directory, and what has none yet is decoded.
  ///
  /// - Throws: `malformed` or `altered` if the end of the log is damaged, and what the disk throws.
  public func size() throws(StoreError) -> UInt64 {
    guard let first = try layout.segmentList(on: disk).last else { return 0 }
    let file = try disk.open(layout.segment(first), .read)
    let last = try DirectoryChain.last(of: file, headEnd: try FileHead(of: file).end)
    var end = max(last.directory?.end ?? first, first)
    var cursor = try self.cursor(from: end)
    while let record = try cursor.next() { end = record.position + 1 }
    return end
  }

  /// A cursor that returns the records before position `end` backward; nil is the current end of the log. Cost: each
  /// piece finds its frame by the directories of its segment.
  ///
  /// - Throws: what `firstKept` throws, and without `end` what `size` throws.
  public func reversed(from end: UInt64? = nil) throws(StoreError) -> ReverseRecordCursor {
    let last = if let end { end } else { try size() }
    return try ReverseRecordCursor(self, end: last)
  }

  /// The last `count` records, in the order of the log; fewer if it has fewer.
  ///
  /// - Throws: what `reversed` and `ReverseRecordCursor.next` throw.
  public func last(_ count: Int) throws(StoreError) -> [StoredRecord] {
    var cursor = try reversed()
    var found: [StoredRecord] = []
    while found.count < count, let record = try cursor.next() { found.append(record) }
    return found.reversed()
  }

  /// The last `count` records that are kept of one stream, in their order. Cost: that of `records(of:)`.
  ///
  /// - Throws: what `keptRecords(of:)` throws.
  public func last(_ count: Int, of stream: String) throws(StoreError) -> [StoredRecord] {
    try keptRecords(of: stream).suffix(max(count, 0))
  }
}
