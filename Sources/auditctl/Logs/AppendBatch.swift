// The lines of `auditctl append` that become one commit, and the new positions of earlier ones.

import EventStore

/// Lines that wait for a commit. A line that names its old position means others by theirs.
struct AppendBatch {
  private struct Entry {
    var line: AppendLine
    var number: Int
  }

  private var entries: ArraySlice<Entry> = []
  /// The index of a waiting line by its old position.
  private var waiting: [UInt64: Int] = [:]
  private var lastOld: UInt64?
  private var moved = MovedPositions()
  /// How many bytes of lines wait.
  private(set) var bytes = 0

  /// Whether none waits.
  var isEmpty: Bool { entries.isEmpty }

  /// Throws if a line's own old position, or the one that it names as its cause, is none that can be.
  func check(_ line: AppendLine) throws(AppendLine.Problem) {
    guard let old = line.old else { return }
    if let lastOld, old <= lastOld {
      throw AppendLine.Problem(reason: "its n is not above that of the line before")
    }
    if case .position(let cause) = line.record.cause, waiting[cause] == nil, moved.position(of: cause) == nil {
      throw AppendLine.Problem(reason: "its cause is the n of no line before it")
    }
  }

  /// Takes up a line that was checked.
  ///
  /// - Parameters:
  ///   - number: its number in the input.
  ///   - bytes: its length.
  mutating func add(_ line: AppendLine, number: Int, bytes: Int) {
    if let old = line.old {
      waiting[old] = entries.count
      lastOld = old
    }
    entries.append(Entry(line: line, number: number))
    self.bytes += bytes
  }

  /// The records to append as one commit.
  var records: [NewRecord] { entries.map(record) }

  /// The first line that waits, to be appended by itself: its number and record.
  var first: (number: Int, record: NewRecord)? { entries.first.map { ($0.number, record($0)) } }

  private func record(_ entry: Entry) -> NewRecord {
    var record = entry.line.record
    guard entry.line.old != nil, case .position(let cause) = record.cause else { return record }
    record.cause = moved.position(of: cause).map { .position($0) } ?? waiting[cause].map { .inBatch($0) }
    return record
  }

  /// Notes that all are in the log, the last at a position, and waits for the next.
  mutating func settle(at last: UInt64?) -> UInt64? {
    if let last {
      let first = last - min(last, UInt64(entries.count - 1))
      for (index, entry) in entries.enumerated() {
        if let old = entry.line.old { moved.note(old, at: first + UInt64(index)) }
      }
    }
    begin()
    return last
  }

  /// Notes that the first is in the log, at a position.
  mutating func settleFirst(at position: UInt64?) -> UInt64? {
    if let entry = entries.popFirst(), let position, let old = entry.line.old { moved.note(old, at: position) }
    if entries.isEmpty { begin() }
    return position
  }

  private mutating func begin() {
    entries = []
    waiting.removeAll(keepingCapacity: true)
    bytes = 0
  }
}
