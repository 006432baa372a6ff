import EventStore
import FlowRecording

/// A flow that its application let go reports that to the log from whichever thread held it last.
enum FlowEnding {
  /// Waits until each flow has recorded in the log that it is over, or some time has passed.
  ///
  /// - Parameters:
  ///   - streams: the flows.
  ///   - log: where they are recorded.
  ///   - milliseconds: how long to wait at most: a log without this last event is whole anyway.
  /// - Returns: whether all of them have.
  @discardableResult
  static func wait(for streams: [String], in log: EventLog, milliseconds: Int) async throws -> Bool {
    let reader = try LogReader(directory: log.directory)
    let end = ContinuousClock.now + .milliseconds(milliseconds)
    var waiting = Set(streams)
    while true {
      try log.flush()
      for stream in waiting where try reader.records(of: stream).contains(where: { $0.type == FlowEnded.type }) {
        waiting.remove(stream)
      }
      if waiting.isEmpty || ContinuousClock.now >= end { return waiting.isEmpty }
      try await Task.sleep(for: .milliseconds(2))
    }
  }
}
