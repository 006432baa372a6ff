import Foundation

@testable import EventStore

/// Metrics that are kept, and can be waited for.
final class RecordingMetrics: LogMetrics, @unchecked Sendable {  // guarded by `condition`
  private let condition = NSCondition()
  private var kept: [LogMeasurement] = []

  func record(_ measurement: LogMeasurement) {
    condition.lock()
    kept.append(measurement)
    condition.broadcast()
    condition.unlock()
  }

  /// What came until now.
  var all: [LogMeasurement] {
    condition.lock()
    defer { condition.unlock() }
    return kept
  }

  /// Waits until `count` measurements came that `fit`; false after a minute.
  func wait(_ count: Int = 1, _ fits: (LogMeasurement) -> Bool) -> Bool {
    condition.lock()
    defer { condition.unlock() }
    let limit = Date(timeIntervalSinceNow: 60)
    while kept.count(where: fits) < count {
      guard condition.wait(until: limit) else { return false }
    }
    return true
  }
}

/// Clocks that a test sets.
final class TestClocks: @unchecked Sendable {  // guarded by `guardian`
  private let guardian = NSLock()
  private var wallTime = noon
  private var steadyTime = Duration.seconds(100)

  /// Lets time pass.
  func pass(_ duration: Duration) { move(wall: duration, steady: duration) }

  /// Moves the two clocks, each by its own amount.
  func move(wall: Duration, steady: Duration = .zero) {
    guardian.lock()
    let parts = wall.components
    wallTime.microseconds += parts.seconds * 1_000_000 + parts.attoseconds / 1_000_000_000_000
    steadyTime += steady
    guardian.unlock()
  }

  var wall: Timestamp {
    guardian.lock()
    defer { guardian.unlock() }
    return wallTime
  }

  var steady: Duration {
    guardian.lock()
    defer { guardian.unlock() }
    return steadyTime
  }
}

/// A record of a stream with an id.
func named(_ id: String, _ text: String? = nil, stream: String = "s") -> NewRecord {
  var record = record(stream, text ?? id)
  record.id = id
  return record
}

/// All records of a store on a disk in memory.
func records(on disk: MemoryDisk, in store: String = Play.store) throws -> [StoredRecord] {
  var cursor = try LogReader(directory: store, disk: disk).cursor()
  var all: [StoredRecord] = []
  while let record = try cursor.next() { all.append(record) }
  return all
}
