// The output of `auditctl show` as an API, especially for programs with their own kinds of flows.

public import EventStore
public import FlowKinds
public import FlowRecording

/// A recorded flow as a timeline, with its state at any revision.
public struct FlowReport: Sendable {
  private let timeLine: TimeLine
  private let kinds: KindRegistry

  /// Reads a flow from a log.
  ///
  /// - Parameters:
  ///   - stream: the flow's stream.
  ///   - log: the log.
  ///   - kinds: the known kinds of flows. A flow of an unknown kind has a timeline in general terms and no state.
  /// - Returns: `nil` if the log has no such stream.
  /// - Throws: `StoreError` if the log cannot be read, `StreamError` if the stream is not a flow.
  public init?(of stream: String, in log: LogReader, kinds: KindRegistry = .standard) throws {
    guard let timeLine = try TimeLine(try log.records(of: stream), kinds: kinds) else { return nil }
    self.timeLine = timeLine
    self.kinds = kinds
  }

  /// The timeline as plain text.
  ///
  /// - Parameter width: the maximum number of columns in a line.
  public func lines(width: Int = 80) -> [String] { timeLine.lines(width: LineWidth(width)) }

  /// The events in order, with type, time, description, and data, as in `auditctl show --json`.
  public var json: JSON { timeLine.json }

  /// The state after the event with this revision, with placeholders for secrets; `nil` if there is no such revision or
  /// the kind is unknown.
  public func state(at revision: Int) -> JSON? {
    try? FoldedState(of: timeLine.records, stream: timeLine.stream, at: revision, kinds: kinds).state
  }
}
