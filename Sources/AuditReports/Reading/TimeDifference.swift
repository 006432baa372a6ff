// Differences of times, which may be forged.

import EventStore

extension Int64 {
  /// The difference, clamped to the representable range.
  func subtracting(_ other: Int64) -> Int64 {
    let (difference, overflowed) = subtractingReportingOverflow(other)
    return overflowed ? (self < other ? .min : .max) : difference
  }
}

extension Timestamp {
  /// Whether it is at most this many seconds after another time, or before it.
  func isWithin(seconds: Int, after other: Timestamp) -> Bool {
    let (window, isEndless) = Int64(seconds).multipliedReportingOverflow(by: 1_000_000)
    return isEndless ? seconds > 0 : microseconds.subtracting(other.microseconds) <= window
  }
}
