// The clock seam. A core never reads it: a core receives the time as the `at` of its input.

public import EventStore

/// Provides the time.
public protocol FlowClock: Sendable {
  /// The time now, UTC.
  func now() -> Timestamp
}

/// The machine's clock.
public struct SystemClock: FlowClock {
  /// Creates a clock.
  public init() {}

  /// The machine's time.
  public func now() -> Timestamp { Timestamp.now() }
}
