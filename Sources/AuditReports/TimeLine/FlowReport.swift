// What `auditctl show` prints, for programs: those with kinds of flow of their own above all.

public import EventStore
public import FlowKinds
public import FlowRecording

/// A recorded flow as a time line, and its state at any revision.
public struct FlowReport: Sendable {
  private let timeLine: TimeLine
  private let kinds: KindRegistry

  /// Reads a flow of a log.
  ///
  /// - Parameters:
  ///   - stream: the flow's stream.
  ///   - log: the log.
  ///   - kinds: the kinds of flow that are known; one that is not has a time line in general words, and no state.
  /// - Returns: nil if the log has no such stream.
  /// - Throws: `StoreError` if the log cannot be read, `StreamError` if the stream is none of a flow.
  public init?(of stream: String, in log: LogReader, kinds: KindRegistry = .standard) throws {
    guard let timeLine = try TimeLine(try log.records(of: stream), kinds: kinds) else { return nil }
    self.timeLine = timeLine
    self.kinds = kinds
  }

  /// The time line, as plain text.
  ///
  /// - Parameter width: how many columns a line may have.
  public func lines(width: Int = 80) -> [String] { timeLine.lines(width: LineWidth(width)) }

  /// The events in order: type, time, words, data, as in `auditctl show --json`.
  public var json: JSON { timeLine.json }

  /// The state after the event of this revision, secrets as placeholders; nil if there is no such revision, or the kind
  /// is not known.
  public func state(at revision: Int) -> JSON? {
    try? FoldedState(of: timeLine.records, stream: timeLine.stream, at: revision, kinds: kinds).state
  }
}
