// The memory side of appending: positions, revisions, and the lines that wait. Knows neither disk nor threads.

/// Records that were appended and are not yet written, and what is needed to append more.
struct AppendQueue {
  /// The lines that wait for a commit.
  private(set) var waiting = CommitQueue()
  /// The position that the next record gets.
  private(set) var nextPosition: UInt64
  private var spare = CommitQueue()
  /// Identifies this filling of the queue, so that a stream's index is not used in the wrong one.
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
  }

  // MARK: Appending

  /// Checks that need not know where a batch will stand. True if some record has an id.
  static func check(_ batch: [NewRecord]) throws(StoreError) -> Bool {
    var hasIds = false
    let records = batch.span
    for index in 0..<records.count {
      func refusal(_ what: String, _ advice: String) -> StoreError {
        StoreError(.invalid, "record \(index) of the batch \(what)", advice: advice)
      }
      let names = [
        ("stream", records[index].stream), ("type", records[index].type), ("id", records[index].id ?? "none"),
      ]
      for (member, name) in names where !Envelope.isName(name) {
        throw refusal(
          "has as \(member) no name", "names have 1 to 1024 bytes, no quotes, backslashes or control characters")
      }
      guard Envelope.isObject(records[index].data) else {
        throw refusal("has data that is not one minified JSON object", "give an object without line ends or tabs")
      }
      guard records[index].version >= 0 else { throw refusal("has a version under 0", "give 0 or more") }
      if case .inBatch(let other) = records[index].cause, other < 0 || other >= index {
        throw refusal("has a cause that is not before it", "name an earlier record of the batch")
      }
      if records[index].id != nil { hasIds = true }
    }
    return hasIds
  }

  /// What waits in the queue at most, in bytes and in records, before an append waits for the disk; one batch may come
  /// on top.
  private static let byteLimit = 2 << 20
  private static let recordLimit = 1 << 16

  /// How many records and bytes wait.
  var load: (records: Int, bytes: Int) { (waiting.lines.count, waiting.bytes.count) }

  /// True if so much waits that an append must wait too.
  var isFull: Bool { waiting.bytes.count > Self.byteLimit || waiting.lines.count > Self.recordLimit }

  /// True once the streams that were on disk at opening are known.
  var knowsAllStreams: Bool { known.isComplete }

  /// Takes note of the streams that were on disk at opening.
  mutating func learn(older: OlderStreams) { known.complete(with: older) }

  /// Returns on-disk knowledge of streams not yet written by this process, and the hashes of those of `streams` that it
  /// has begun to write; `nil` until the former is known. Looking up in it needs no lock.
  func older(besides streams: [String]) -> (streams: OlderStreams, begun: Set<Int>)? { known.older(besides: streams) }

  /// How often the cache of revisions has forgotten streams.
  var forgettings: Int { revisions.trims }

  /// Takes note of the next revision of streams, as the disk has them. A revision that is known already is newer, and
  /// stays. Does nothing if streams may have been forgotten since the disk was asked, when the cache had forgotten that
  /// often: one of these may have been appended to and forgotten meanwhile.
  mutating func learn(next: [(stream: String, revision: Int)], asOf forgettings: Int) {
    guard self.forgettings - forgettings < 2 else { return }
    for (stream, revision) in next { revisions.learn(next: revision, of: stream) }
  }

  /// The result of offering a batch.
  enum Offer {
    /// It is queued, now or by an earlier append.
    case taken(Ticket, bytes: Int)
    /// Nothing of it is queued: something has to be waited for first.
    case obstacle(Obstacle)
  }

  /// What an append has to wait for.
  enum Obstacle: Equatable {
    case fullQueue
    case unknownIds
    /// The next revisions of these streams, each named once, are not in the cache.
    case unknownStreams([String])
  }

  /// Encodes a batch into the queue, whole or not at all, and assigns positions to it; or returns what has to be waited
  /// for.
  mutating func offer(
    _ batch: [NewRecord], expecting: Expectation, hasIds: Bool
  ) throws(StoreError) -> Offer {
    if isFull { return .obstacle(.fullQueue) }
    if hasIds, !ids.isComplete { return .obstacle(.unknownIds) }
    defer { revisions.trim() }
    let bytesBefore = waiting.bytes.count
    let records = batch.span
    var slot: Int?
    if records.count == 1 {
      slot = revisions.slot(of: records[0].stream)
      if slot == nil, expecting != .fresh { return .obstacle(.unknownStreams([records[0].stream])) }
    } else if expecting != .fresh {
      let unknown = unknownStreams(of: batch)
      if !unknown.isEmpty { return .obstacle(.unknownStreams(unknown)) }
    }
    if hasIds, let earlier = try repetition(of: batch) { return .taken(earlier, bytes: 0) }
    let ticket =
      records.count == 1
      ? try enqueue(records[0], slot: slot, expecting: expecting) : try enqueue(batch, expecting: expecting)
    if hasIds { noteIds(of: batch, at: ticket.positions.lowerBound) }
    return .taken(ticket, bytes: waiting.bytes.count - bytesBefore)
  }

  /// The streams of the batch whose next revision is not in the cache, each once: all of them, so that a batch is
  /// scanned twice at most, however many there are.
  private mutating func unknownStreams(of records: [NewRecord]) -> [String] {
    var unknown: [String] = []
    var seen: Set<ByteName> = []
    for index in 0..<records.count {
      let stream = records[index].stream
      if index > 0, ByteName.isSame(stream, records[index - 1].stream) { continue }
      if revisions.slot(of: stream) == nil, seen.insert(ByteName(stream)).inserted { unknown.append(stream) }
    }
    return unknown
  }

  /// One stream of a batch while it is encoded.
  private struct Place {
    /// Its number in the cache; nil if it is not in it.
    var slot: Int?
    /// Its index in this filling of the queue.
    var index: Int
    /// The revision that its next record has.
    var next: Int
  }

  /// Encodes a batch into the queue, whole or not at all, and assigns its positions.
  private mutating func enqueue(_ records: [NewRecord], expecting: Expectation) throws(StoreError) -> Ticket {
    let first = nextPosition
    let before = waiting.end
    var places: [Place] = []
    var known: [ByteName: Int] = [:]
    do throws(StoreError) {
      var current = -1
      for index in 0..<records.count {
        if index == 0 || !ByteName.isSame(records[index].stream, records[index - 1].stream) {
          let stream = records[index].stream
          if let seen = known[ByteName(stream)] {
            current = seen
          } else {
            places.append(try place(of: stream, slot: revisions.slot(of: stream), expecting: expecting))
            current = places.count - 1
            known[ByteName(stream)] = current
          }
        }
        try encode(
          records[index], at: first + UInt64(index), first: first, stream: places[current].index,
          revision: places[current].next)
        places[current].next += 1
      }
      let bytes = waiting.bytes.count - before.bytes
      guard bytes <= FrameFormat.largestCommit else {
        throw StoreError(
          .tooLarge, "the batch has \(bytes) bytes, more than \(FrameFormat.largestCommit)",
          advice: "append it in parts")
      }
    } catch {
      waiting.cut(to: before)
      throw error
    }
    for (stream, index) in known { keep(places[index], of: stream.text) }
    return ticket(for: records.count)
  }

  /// Encodes one record into the queue: `enqueue(_:expecting:)` without lists of what is in the batch.
  private mutating func enqueue(
    _ record: borrowing NewRecord, slot: Int?, expecting: Expectation
  ) throws(StoreError) -> Ticket {
    let before = waiting.end
    var place = try place(of: record.stream, slot: slot, expecting: expecting)
    do throws(StoreError) {
      try encode(record, at: nextPosition, first: nextPosition, stream: place.index, revision: place.next)
    } catch {
      waiting.cut(to: before)
      throw error
    }
    place.next += 1
    keep(place, of: record.stream)
    return ticket(for: 1)
  }

  /// Gives the next positions to what was encoded.
  private mutating func ticket(for count: Int) -> Ticket {
    let first = nextPosition
    nextPosition += UInt64(count)
    if count > 0 { waiting.marks.append(.init(bytes: waiting.bytes.count, lines: waiting.lines.count)) }
    return Ticket(positions: first..<nextPosition, generation: failed.generation)
  }

  private mutating func keep(_ place: Place, of stream: String) {
    let serial = waiting.streams[place.index].serial
    let entry = StreamRevisions.Entry(next: place.next, epoch: epoch, index: place.index, serial: serial)
    if let slot = place.slot { revisions[slot] = entry } else { _ = revisions.add(entry, of: stream) }
  }

  /// Where a stream stands, with an index in this filling of the queue.
  private mutating func place(
    of stream: String, slot: Int?, expecting: Expectation
  ) throws(StoreError) -> Place {
    let entry = slot.map { revisions[$0] }
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
    if let entry, entry.epoch == epoch { return Place(slot: slot, index: entry.index, next: next) }
    // A stream that had records before was known already.
    if next == 0 { known.insert(stream) }
    waiting.streams.append(.init(name: stream, serial: entry?.serial ?? revisions.newSerial()))
    return Place(slot: slot, index: waiting.streams.count - 1, next: next)
  }

  private mutating func encode(
    _ record: borrowing NewRecord, at position: UInt64, first: UInt64, stream: Int, revision: Int
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
    encoder.append(record, position: position, revision: revision, cause: cause, to: waiting.bytes)
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

  /// Why the ticket has failed, or nil if it has not.
  func error(of ticket: Ticket) -> StoreError? { failed.error(of: ticket) }

  /// Hands over the waiting lines to be written.
  mutating func take() -> CommitQueue {
    let taken = waiting
    epoch += 1
    waiting = spare
    waiting.reset()
    spare = CommitQueue()
    return taken
  }

  /// Takes back the queue that `take` returned, to reuse its memory.
  mutating func reuse(_ taken: consuming CommitQueue) {
    taken.reset()
    spare = taken
  }

  /// Drops the records of a failed commit and all later ones: `taken` from `line` on, and the waiting lines. The log
  /// has `size` records; positions and revisions from there on are assigned again.
  mutating func drop(_ taken: CommitQueue, from line: Int, size: UInt64, because error: StoreError) {
    failed.note(cut: size, error: error)
    for line in waiting.lines.reversed() {
      revisions.putBack(next: line.revision, of: waiting.streams[line.stream].name)
    }
    for line in taken.lines[line...].reversed() {
      revisions.putBack(next: line.revision, of: taken.streams[line.stream].name)
    }
    epoch += 1
    waiting.reset()
    revisions.trim()
    nextPosition = size
    ids.drop(from: size)
  }
}
