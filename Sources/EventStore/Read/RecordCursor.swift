/// Gives records one by one, in the order of the log.
///
/// A cursor has one place in the log, which its copies share; use one at a time.
public struct RecordCursor {
  private let reading: SegmentReading

  init(_ reading: SegmentReading) { self.reading = reading }

  /// The next record, or nil at the end of whole commits. A later call continues if more was written or a new segment
  /// was begun.
  ///
  /// A torn tail that was not known to be synced also ends the log, even if it has not been recovered yet.
  ///
  /// - Throws: `altered` if bytes are damaged, `missingSegment` if records are not there; both say where.
  public mutating func next() throws(StoreError) -> StoredRecord? { try reading.next() }
}
