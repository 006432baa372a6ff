// Reports when the last flow of a scenario is gone: what a flow records when it is let go may come from another thread.

public import FlowRecording

/// A recorder over another one that knows how many of its flows still live.
public final class WatchedRecorder: Recorder {
  private let recorder: any Recorder
  private let living = Locked(0)

  /// Watches the flows that write to a recorder.
  public init(_ recorder: any Recorder) { self.recorder = recorder }

  /// The journal of a new flow.
  public func journal(for stream: String) -> any FlowJournal {
    living.withLock { $0 += 1 }
    return WatchedJournal(journal: recorder.journal(for: stream)) { [living] in living.withLock { $0 -= 1 } }
  }

  /// Waits until each flow has been let go and has recorded that.
  ///
  /// - Throws: `Scenario.Unexpected` if one is kept.
  public func flowsAreGone() async throws {
    if await holdsSoon({ living.withLock { $0 } == 0 }) { return }
    throw Scenario.Unexpected(description: "a flow is kept after its scenario")
  }
}

/// Lives as long as its flow does: nothing else keeps it.
private final class WatchedJournal: FlowJournal {
  private let journal: any FlowJournal
  private let isGone: @Sendable () -> Void

  init(journal: any FlowJournal, isGone: @escaping @Sendable () -> Void) {
    self.journal = journal
    self.isGone = isGone
  }

  deinit { isGone() }

  func append(_ entries: [JournalEntry]) throws(AuditError) { try journal.append(entries) }

  func barrier(resume: @escaping @Sendable (AuditError?) -> Void) -> JournalBarrier { journal.barrier(resume: resume) }
}
