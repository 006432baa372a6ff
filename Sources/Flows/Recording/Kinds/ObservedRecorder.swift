// What a flow records in a replay, so that the application can compare it with what it received.

/// Passes the records of a flow on, and keeps a note of each for comparison with what the replayed application
/// received.
package final class ObservedRecorder<Note: Sendable>: Recorder, RecordJournal {
  private let next: any Recorder
  private let note: @Sendable (FlowRecord) -> Note?
  private let journal = Locked<(any FlowJournal)?>(nil)
  private let seen = Locked<[Note]>([])

  /// Makes a recorder for one flow.
  ///
  /// - Parameters:
  ///   - next: receives the records.
  ///   - note: returns what to keep of a record; called for one record at a time. Keep little: a long flow has many
  ///     records.
  package init(_ next: any Recorder, note: @escaping @Sendable (FlowRecord) -> Note?) {
    (self.next, self.note) = (next, note)
  }

  /// The notes so far.
  package var notes: [Note] { seen.withLock { $0 } }

  package func journal(for stream: String) -> any FlowJournal {
    let made = next.journal(for: stream)
    journal.withLock { $0 = made }
    return self
  }

  package func append(_ records: [FlowRecord]) {
    seen.withLock { $0 += records.compactMap(note) }
    let journal = journal.withLock { $0 }
    if let journal = journal as? any RecordJournal { return journal.append(records) }
    try? journal?.append(records.map { JournalEntry(record: $0, encoded: EventCoding.encode($0.event)) })
  }

  package func barrier(resume: @escaping @Sendable (AuditError?) -> Void) -> JournalBarrier {
    journal.withLock { $0 }?.barrier(resume: resume) ?? .passed
  }
}
