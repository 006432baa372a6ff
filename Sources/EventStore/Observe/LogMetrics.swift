/// Takes the measurements of a log, for whatever collects an application's metrics.
///
/// `record` is called on the thread that did the work, one call a measurement, never under a lock of the log. It must
/// not block, nor call the log. A log without metrics measures nothing.
public protocol LogMetrics: Sendable {
  /// Takes one measurement.
  func record(_ measurement: LogMeasurement)
}

/// One thing that a log did, in numbers. More cases may be added: a `switch` needs a `default`.
public enum LogMeasurement: Sendable, Hashable {
  /// The log was opened: how many records it has, how long that took, how many bytes went to quarantine.
  case opened(records: UInt64, recovery: Duration, quarantined: UInt64)
  /// A batch was queued: its records, its bytes as JSON Lines, and what waits to be written now, itself included.
  case appended(records: Int, bytes: Int, queuedRecords: Int, queuedBytes: Int)
  /// What waited was written: its records and bytes as JSON Lines, in one commit or in a few, and how long that took.
  case committed(records: Int, bytes: Int, latency: Duration)
  /// A caller that waited for its records was released.
  case acknowledged(records: Int, isDurable: Bool)
  /// A sync succeeded: all records before `durable` survive a power cut; `lag` more records are written but would not
  /// survive one yet.
  case synced(durable: UInt64, lag: UInt64, latency: Duration)
  /// A segment was begun that starts with this position.
  case segmentBegun(first: UInt64)
  /// A checkpoint of this size was signed and published.
  case signed(size: UInt64)
  /// A checkpoint that was due could not be signed, or not be kept at the second place. It is tried again at the next.
  case checkpointFailed(StoreError)
  /// A closed segment could not be sealed by the log itself: `altered` if a file is damaged, which is reported once
  /// while the log is open, and later segments are sealed all the same. After any other error it is tried again.
  case sealingFailed(StoreError)
  /// A sync or a write failed. `isFatal` if the log accepts nothing more.
  case failed(StoreError, isFatal: Bool)
}
