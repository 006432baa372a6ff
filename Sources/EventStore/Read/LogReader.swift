/// A store, opened for reading; any process, also while a writer has it.
public struct LogReader: Sendable {
  /// The store's directory, as it was given.
  public let directory: String
  /// What the store says of itself.
  public let identity: StoreIdentity

  /// Opens the store at `directory`. Throws `notFound`, `notAStore`, `permission`.
  public init(directory: String) throws(StoreError) {
    throw StoreError(.closed, "not built yet")
  }

  /// A cursor that gives the records from `position` on.
  public func cursor(from position: UInt64 = 0) throws(StoreError) -> RecordCursor { RecordCursor() }

  /// All records of one stream.
  public func records(of stream: String) throws(StoreError) -> [StoredRecord] { [] }

  /// Counts and sizes.
  public func statistics() throws(StoreError) -> StoreStatistics { throw StoreError(.closed, "not built yet") }
}

/// Gives records one by one, in the order of the log.
public struct RecordCursor {
  /// The next record, or nil at the end of whole commits.
  public mutating func next() throws(StoreError) -> StoredRecord? { nil }
}
