// The memory side of appending: positions, revisions, and the lines that wait. Knows neither disk nor threads.

/// What was appended and is not yet written, and what is needed to append more.
struct AppendQueue {
  /// The lines that wait for a commit.
  private(set) var waiting = CommitQueue()
  /// The position that the next record gets.
  private(set) var nextPosition: UInt64
  private var spare = CommitQueue()
  private var epoch: UInt64 = 1
  private var revisions = StreamRevisions()
  private var known = KnownStreams()
  private var failed = FailedCommits()
  /// The ids of the last records.
  var ids: RecentIds
  private var encoder = LineEncoder()

  /// A queue for a log of `size` records.
  init(size: UInt64) {
    nextPosition = size
    ids = RecentIds(size: size)
    waiting.epoch = epoch
  }

  // MARK: Appending

  /// What can be said of a batch without knowing where it will stand. True where some record has an id.
  static func check(_ batch: [NewRecord]) throws(StoreError) -> Bool {
    var hasIds = false
    for (index, record) in batch.enumerated() {
      func refusal(_ what: String, _ advice: String) -> StoreError {
        StoreError(.invalid, "record \(index) of the batch \(what)", advice: advice)
      }
      guard Envelope.isName(record.stream), Envelope.isName(record.type), record.id.map(Envelope.isName) ?? true else {
        throw refusal(
          "has a stream, type or id that cannot be written",
          "names have 1 to 1024 bytes, no quotes, backslashes or control characters")
      }
      guard Envelope.isObject(record.data) else {
        throw refusal("has data that is not one minified JSON object", "give an object without line ends or tabs")
      }
      guard record.version >= 0 else { throw refusal("has a version under 0", "give 0 or more") }
      if case .inBatch(let other) = record.cause, other < 0 || other >= index {
        throw refusal("has a cause that is not before it", "name an earlier record of the batch")
      }
      if record.id != nil { hasIds = true }
    }
    return hasIds
  }

  /// What waits in the queue at most, in bytes and in records, before an append waits for the disk; one batch may come on
  /// top. Two commits of the largest size.
  private static let byteLimit = 2 * FrameFormat.largestCommit
  private static let recordLimit = 1 << 16

  /// True where so much waits that an append must.
  var isFull: Bool { waiting.bytes.count > Self.byteLimit || waiting.lines.count > Self.recordLimit }

  /// The first stream of the batch whose next revision is not in the cache.
  mutating func firstUnknownStream(of batch: [NewRecord]) -> String? {
    var last: String?
    for record in batch where record.stream != last {
      last = record.stream
      if revisions.entry(of: record.stream) == nil { return record.stream }
    }
    return nil
  }

  /// True once the streams that were on disk at opening are known.
  var knowsAllStreams: Bool { known.isComplete }

  /// Takes note of the streams that were on disk at opening.
  mutating func learn(older: OlderStreams) { known.complete(with: older) }

  /// False where the log has no such stream for certain.
  func mayHave(_ stream: String) -> Bool { known.mayHave(stream) }

  /// Takes note of the next revision of a stream, as the disk has it. What is known already is newer, and stays.
  mutating func learn(next: Int, of stream: String) { revisions.learn(next: next, of: stream) }

  /// One stream of a batch while it is encoded.
  private struct Place {
    var stream: String
    var index: Int
    var next: Int
  }

  /// Encodes a batch into the queue, whole or not at all, and gives it its positions.
  mutating func enqueue(_ batch: [NewRecord], expecting: Expectation) throws(StoreError) -> Ticket {
    if batch.count == 1, let record = batch.first { return try enqueue(record, expecting: expecting) }
    let first = nextPosition
    let bytesBefore = waiting.bytes.count
    let linesBefore = waiting.lines.count
    let streamsBefore = waiting.streams.count
    var places: [Place] = []
    var known: [String: Int] = [:]
    do throws(StoreError) {
      var current = -1
      for (index, record) in batch.enumerated() {
        if current < 0 || places[current].stream != record.stream {
          if let seen = known[record.stream] {
            current = seen
          } else {
            places.append(try place(of: record.stream, expecting: expecting))
            current = places.count - 1
            known[record.stream] = current
          }
        }
        try encode(
          record, at: first + UInt64(index), first: first, stream: places[current].index, revision: places[current].next
        )
        places[current].next += 1
      }
      guard waiting.bytes.count - bytesBefore <= FrameFormat.largestCommit else {
        throw StoreError(
          .tooLarge, "the batch has \(waiting.bytes.count - bytesBefore) bytes, more than \(FrameFormat.largestCommit)",
          advice: "append it in parts")
      }
    } catch {
      waiting.bytes.removeLast(waiting.bytes.count - bytesBefore)
      waiting.lines.removeLast(waiting.lines.count - linesBefore)
      waiting.streams.removeLast(waiting.streams.count - streamsBefore)
      throw error
    }
    for place in places {
      revisions.set(.init(next: place.next, epoch: epoch, index: place.index), for: place.stream)
    }
    nextPosition = first + UInt64(batch.count)
    if !batch.isEmpty { waiting.marks.append(.init(bytes: waiting.bytes.count, lines: waiting.lines.count)) }
    return Ticket(positions: first..<nextPosition, generation: failed.generation)
  }

  /// Encodes one record into the queue: `enqueue(_:expecting:)` without lists of what is in the batch.
  private mutating func enqueue(_ record: NewRecord, expecting: Expectation) throws(StoreError) -> Ticket {
    let first = nextPosition
    let bytesBefore = waiting.bytes.count
    let streamsBefore = waiting.streams.count
    let place = try place(of: record.stream, expecting: expecting)
    do throws(StoreError) {
      try encode(record, at: first, first: first, stream: place.index, revision: place.next)
    } catch {
      waiting.bytes.removeLast(waiting.bytes.count - bytesBefore)
      waiting.streams.removeLast(waiting.streams.count - streamsBefore)
      throw error
    }
    revisions.set(.init(next: place.next + 1, epoch: epoch, index: place.index), for: record.stream)
    nextPosition = first + 1
    waiting.marks.append(.init(bytes: waiting.bytes.count, lines: waiting.lines.count))
    return Ticket(positions: first..<nextPosition, generation: failed.generation)
  }

  /// Where a stream stands, with an index in this filling of the waiting.
  private mutating func place(of stream: String, expecting: Expectation) throws(StoreError) -> Place {
    let entry = revisions.entry(of: stream)
    let next = entry?.next ?? 0
    let fits =
      switch expecting {
      case .any, .fresh: true
      case .empty: next == 0
      case .revision(let revision): next == revision + 1
      }
    guard fits else {
      throw StoreError(
        .conflict, "the stream \(stream) is at revision \(next - 1), another was expected",
        advice: "read it again, then append")
    }
    if let entry, entry.epoch == epoch { return Place(stream: stream, index: entry.index, next: next) }
    if entry == nil { known.insert(stream) }
    waiting.streams.append(stream)
    return Place(stream: stream, index: waiting.streams.count - 1, next: next)
  }

  private mutating func encode(
    _ record: NewRecord, at position: UInt64, first: UInt64, stream: Int, revision: Int
  ) throws(StoreError) {
    let cause: UInt64?
    switch record.cause {
    case .inBatch(let index): cause = first + UInt64(index)
    case .position(let named):
      guard named < position else {
        throw StoreError(
          .invalid, "the cause \(named) is not before the record", position: position, advice: "name an earlier record")
      }
      cause = named
    case nil: cause = nil
    }
    let start = waiting.bytes.count
    encoder.append(record, position: position, revision: revision, cause: cause, to: &waiting.bytes)
    let length = waiting.bytes.count - start
    guard length - 1 <= Envelope.longestLine else {
      throw StoreError(
        .tooLarge, "a record of the stream \(record.stream) has \(length - 1) bytes, more than \(Envelope.longestLine)",
        advice: "put what is over it into body.part records")
    }
    waiting.lines.append(.init(length: length, stream: stream, revision: revision))
  }

  // MARK: Writing

  /// Stands for everything that was appended until now.
  var everything: Ticket { Ticket(positions: 0..<nextPosition, generation: failed.generation) }

  /// Why the ticket has failed, or nil where it has not.
  func error(of ticket: Ticket) -> StoreError? { failed.error(of: ticket) }

  /// Gives away what waits, to be written.
  mutating func take() -> CommitQueue {
    let taken = waiting
    epoch += 1
    waiting = spare
    waiting.reset(epoch: epoch)
    spare = CommitQueue()
    return taken
  }

  /// Takes back what `take` gave, for its memory.
  mutating func reuse(_ taken: consuming CommitQueue) {
    taken.reset(epoch: 0)
    spare = taken
  }

  /// Drops what a failed commit, and all behind it, held: `taken` from `line` on, and what waits. The log has `size` records;
  /// positions and revisions from there on are given again.
  mutating func drop(_ taken: CommitQueue, from line: Int, size: UInt64, because error: StoreError) {
    failed.note(cut: size, error: error)
    for line in waiting.lines.reversed() { revisions.putBack(next: line.revision, of: waiting.streams[line.stream]) }
    for line in taken.lines[line...].reversed() {
      revisions.putBack(next: line.revision, of: taken.streams[line.stream])
    }
    epoch += 1
    waiting.reset(epoch: epoch)
    nextPosition = size
    ids.drop(from: size)
  }
}
