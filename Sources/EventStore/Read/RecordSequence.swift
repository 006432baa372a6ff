/// Records of a log, one after the other, for `for try await`. A separate thread reads them, a piece ahead of the
/// caller.
///
/// It gives whole commits only, also while a writer, in this process or another, appends. In a cancelled task it
/// returns nil, so that the loop ends. Throws `StoreError` if bytes are damaged or records are missing; it ends then.
public struct RecordSequence: AsyncSequence, Sendable {
  /// Which records.
  struct Bounds: Sendable {
    var first: UInt64
    var last: UInt64?
    var stream: [UInt8]?
    /// True if it ends with the log as it is; false if it waits for more.
    var ends: Bool

    func has(_ record: StoredRecord) -> Bool { stream.map(record.isOf) ?? true }
  }

  let reader: LogReader
  let bounds: Bounds

  /// Begins to read.
  public func makeAsyncIterator() -> Iterator { Iterator(RecordFollower(reader, bounds)) }

  /// The place of one loop. For one task at a time.
  public struct Iterator: AsyncIteratorProtocol {
    private let handle: Handle

    init(_ follower: RecordFollower) { handle = Handle(follower) }

    /// The next record; nil at the end, and for a task that was cancelled.
    ///
    /// - Throws: what `LogReader.cursor` and `RecordCursor.next` throw, once; after that it returns nil.
    public mutating func next() async throws(StoreError) -> StoredRecord? { try await handle.follower.next().get() }

    /// Ends the reading thread when the loop goes.
    private final class Handle: Sendable {
      let follower: RecordFollower

      init(_ follower: RecordFollower) {
        self.follower = follower
        follower.start()
      }

      deinit { follower.stop() }
    }
  }
}

extension LogReader {
  /// The records at these positions; it ends behind the last of them, or with the log as it is by then.
  public func records(in positions: Range<UInt64> = 0..<UInt64.max) -> RecordSequence {
    RecordSequence(
      reader: self,
      // No records: the first position lies after the last.
      bounds: positions.isEmpty
        ? .init(first: 1, last: 0, ends: true)
        : .init(first: positions.lowerBound, last: positions.upperBound - 1, ends: true))
  }

  /// The records from `position` on, of the whole log or of one stream, and what is appended later, until the task is
  /// cancelled. Woken by the file system; if that reports nothing, it looks once a second. Costs a thread.
  public func follow(from position: UInt64 = 0, stream: String? = nil) -> RecordSequence {
    RecordSequence(
      reader: self, bounds: .init(first: position, last: nil, stream: stream.map { Array($0.utf8) }, ends: false))
  }
}
