import EventStore

/// The records of several logs as one sequence: always the earliest of those that are next in their logs. The order of
/// each log stays, also if its clock was set back.
struct MergedRecords {
  /// The position after the last one that was taken or passed by, for each log.
  private(set) var next: [UInt64]
  private var cursors: [RecordCursor]
  private var heads: [StoredRecord?]
  private let end: UInt64?
  private let fits: (StoredRecord) -> Bool

  /// The records of `logs` from a position of each on.
  ///
  /// - Parameters:
  ///   - logs: the logs.
  ///   - next: the position to begin with, for each log.
  ///   - end: the last position to give, of each log.
  ///   - fits: whether a record is wanted.
  init(
    of logs: [LogReader], from next: [UInt64], to end: UInt64?, where fits: @escaping (StoredRecord) -> Bool
  ) throws {
    self.next = next
    self.end = end
    self.fits = fits
    cursors = try zip(logs, next).map { try $0.cursor(from: $1) }
    heads = Array(repeating: nil, count: logs.count)
    for log in logs.indices { heads[log] = try head(of: log) }
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
    while let record = try cursors[log].next() {
      if let end, record.position > end {
        passed = record.position
        break
      }
      passed = record.position + 1
      if fits(record) { return record }
    }
    next[log] = passed
    return nil
  }
}
