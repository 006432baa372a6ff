import EventStore

/// The records of several logs or recordings as one sequence: always the earliest of those that are next in them. The
/// order of each stays, also if its clock was set back.
struct MergedRecords {
  /// What is left of a log or a recording.
  private enum Rest {
    case store(RecordCursor)
    case records(ArraySlice<StoredRecord>)

    /// Takes the next record; nil at the end.
    mutating func next() throws(StoreError) -> StoredRecord? {
      switch self {
      case .store(var cursor):
        defer { self = .store(cursor) }
        return try cursor.next()
      case .records(var records):
        defer { self = .records(records) }
        return records.popFirst()
      }
    }
  }

  /// The position after the last one that was taken or passed by, for each log.
  private(set) var next: [UInt64]
  private var rests: [Rest] = []
  /// The position after the last record of what is read whole at the beginning; 0 for a store.
  private var ends: [UInt64] = []
  private var heads: [StoredRecord?]
  private let end: UInt64?
  private let fits: (StoredRecord) -> Bool

  /// The records of `logs` from a position of each on. Recordings and damaged stores are read whole at the beginning.
  ///
  /// - Parameters:
  ///   - logs: the logs.
  ///   - next: the position to begin with, for each log.
  ///   - end: the last position to give, of each log.
  ///   - fits: whether a record is wanted.
  init(
    of logs: [LogSource], from next: [UInt64], to end: UInt64?, where fits: @escaping (StoredRecord) -> Bool
  ) throws {
    self.next = next
    self.end = end
    self.fits = fits
    heads = Array(repeating: nil, count: logs.count)
    for (log, first) in zip(logs, next) { try open(log, from: first) }
    for log in logs.indices { heads[log] = try head(of: log) }
  }

  private mutating func open(_ log: LogSource, from first: UInt64) throws {
    if case .store(let store) = log {
      rests.append(.store(try store.cursor(from: first)))
      ends.append(0)
      return
    }
    var found: [StoredRecord] = []
    var behind: UInt64 = 0
    try log.forEach { record throws(StoreError) in
      behind = max(behind, record.position + 1)
      if record.position >= first, record.position <= end ?? .max, fits(record) { found.append(record.alone) }
    }
    rests.append(.records(found[...]))
    ends.append(behind)
  }

  /// The next record; nil once every log is at its end.
  mutating func record() throws -> StoredRecord? {
    var earliest: Int?
    for (log, head) in heads.enumerated() {
      guard let head else { continue }
      if let chosen = earliest, let before = heads[chosen], before.at <= head.at { continue }
      earliest = log
    }
    guard let log = earliest, let record = heads[log] else { return nil }
    next[log] = record.position + 1
    heads[log] = try head(of: log)
    return record
  }

  /// The next wanted record of a log. If there is none, `next` is behind what was passed by.
  private mutating func head(of log: Int) throws -> StoredRecord? {
    var passed = next[log]
    while let record = try rests[log].next() {
      if let end, record.position > end {
        passed = record.position
        break
      }
      passed = record.position + 1
      if fits(record) { return record }
    }
    next[log] = max(passed, ends[log])
    return nil
  }
}
