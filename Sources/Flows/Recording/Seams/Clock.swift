// The clock seam. A core never reads it: time comes to a core as the `at` of its input.

public import EventStore

/// Gives the runtime the time.
public protocol FlowClock: Sendable {
  /// The time now, UTC.
  func now() -> Timestamp
}

/// The machine's clock.
public struct SystemClock: FlowClock {
  /// Makes the clock.
  public init() {}

  /// The machine's time.
  public func now() -> Timestamp { Timestamp.now() }
}
