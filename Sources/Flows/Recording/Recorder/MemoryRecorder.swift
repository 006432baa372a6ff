// A recorder that keeps flows in memory: for tests, and for reading a flow while it is running.

/// Keeps the records of every flow in memory, without limit.
public final class MemoryRecorder: Recorder {
  private let flows = Locked<[(stream: String, records: [FlowRecord])]>([])

  /// Creates a recorder without flows.
  public init() {}

  /// The streams, in the order in which their flows began.
  public var streams: [String] { flows.withLock { $0.map(\.stream) } }

  /// The records of a stream so far; empty if there is no such stream.
  public func records(of stream: String) -> [FlowRecord] {
    flows.withLock { flows in flows.first { $0.stream == stream }?.records ?? [] }
  }

  /// The journal of a new flow.
  public func journal(for stream: String) -> any FlowJournal {
    flows.withLock { $0.append((stream, [])) }
    return MemoryJournal(recorder: self, stream: stream)
  }

  fileprivate func append(_ records: [FlowRecord], to stream: String) {
    flows.withLock { flows in
      guard let index = flows.firstIndex(where: { $0.stream == stream }) else { return }
      flows[index].records += records
    }
  }
}

private struct MemoryJournal: FlowJournal {
  let recorder: MemoryRecorder
  let stream: String

  func append(_ entries: [JournalEntry]) throws(AuditError) { recorder.append(entries.map(\.record), to: stream) }

  func barrier(resume: @escaping @Sendable (AuditError?) -> Void) -> JournalBarrier { .passed }
}
