// What a flow records in a replay, for its application: whether it heard of everything shows only beside the records.

/// Passes the records of a flow on, and keeps of each what the application of a replay compares with what it heard.
package final class ObservedRecorder<Note: Sendable>: Recorder, RecordJournal {
  private let next: any Recorder
  private let note: @Sendable (FlowRecord) -> Note?
  private let journal = Locked<(any FlowJournal)?>(nil)
  private let seen = Locked<[Note]>([])

  /// Makes a recorder of one flow.
  ///
  /// - Parameters:
  ///   - next: gets the records.
  ///   - note: what is kept of a record; it is asked for one after the other. The records of a long flow are many.
  package init(_ next: any Recorder, note: @escaping @Sendable (FlowRecord) -> Note?) {
    (self.next, self.note) = (next, note)
  }

  /// What was kept so far.
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
