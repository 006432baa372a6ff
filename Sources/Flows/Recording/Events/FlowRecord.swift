// An event with its place in its flow.

public import EventStore

/// An event at its revision. Its position in the log is not included: the flow is the same in any log.
public struct FlowRecord: Sendable, Hashable {
  /// The revision in the stream, from 0.
  public var revision: Int
  /// When the input that this belongs to arrived; everything that follows from an input has the same time.
  public var at: Timestamp
  /// The revision of the event that this one answers.
  public var cause: Int?
  /// The event.
  public var event: FlowEvent

  /// Makes a record.
  public init(revision: Int, at: Timestamp, cause: Int?, event: FlowEvent) {
    self.revision = revision
    self.at = at
    self.cause = cause
    self.event = event
  }

  /// Whether the event comes from outside the core, so that a replay feeds it instead of expecting it.
  ///
  /// A draw is an input if it answers a `draw.asked`; one taken inline has no cause of that kind and is expected.
  public func isInput(askedAt asked: Set<Int>) -> Bool {
    guard case .drawMade = event else { return event.isInput }
    return cause.map(asked.contains) ?? false
  }
}
