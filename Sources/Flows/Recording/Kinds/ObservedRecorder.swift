// What a flow records in a replay, for its application: whether it heard of everything shows only beside the records.

/// Passes the records of a flow on, and keeps them for the application of a replay.
package final class ObservedRecorder: Recorder, FlowJournal {
  private let next: any Recorder
  private let journal = Locked<(any FlowJournal)?>(nil)
  private let seen = Locked<[FlowRecord]>([])

  /// Makes a recorder of one flow.
  package init(_ next: any Recorder) { self.next = next }

  /// The records so far.
  package var records: [FlowRecord] { seen.withLock { $0 } }

  package func journal(for stream: String) -> any FlowJournal {
    let made = next.journal(for: stream)
    journal.withLock { $0 = made }
    return self
  }

  package func append(_ entries: [JournalEntry]) throws(AuditError) {
    seen.withLock { $0 += entries.map(\.record) }
    try journal.withLock { $0 }?.append(entries)
  }

  package func barrier(resume: @escaping @Sendable (AuditError?) -> Void) -> JournalBarrier {
    journal.withLock { $0 }?.barrier(resume: resume) ?? .passed
  }
}
