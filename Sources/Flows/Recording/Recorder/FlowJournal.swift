// Where the records of a flow go. Three implementations: a log, memory (tests), and the comparison of a replay.

/// A record as it is written: with its data encoded once.
public struct JournalEntry: Sendable {
  /// The record.
  public var record: FlowRecord
  /// Its data, encoded.
  public var encoded: EncodedEvent

  /// Makes an entry.
  public init(record: FlowRecord, encoded: EncodedEvent) {
    self.record = record
    self.encoded = encoded
  }
}

/// Why a flow could not be written. In a flow of `auditing: .required` the caller of each open call gets it.
public struct AuditError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What, where, and what to do next; safe to log.
  public var message: String

  /// Makes an error of its sentence.
  public init(_ message: String) { self.message = message }

  /// The sentence.
  public var description: String { message }
}

/// Whether a flow may go on past a barrier (DESIGN §1, §2 rule 5).
public enum JournalBarrier: Sendable {
  /// All that was appended is written, as far as the log's durability asks for.
  case passed
  /// It could not be written.
  case failed(AuditError)
  /// Not yet; the resumption given is called, once.
  case pending
}

/// The records of one flow, in order. Called by one thread at a time: `append` under the flow's lock,
/// and never while the flow waits at `barrier`.
public protocol FlowJournal: Sendable {
  /// Takes up the records of one step, whole or not at all. Never blocks on a disk, never calls back.
  ///
  /// - Throws: `AuditError` if they cannot be taken up.
  func append(_ entries: [JournalEntry]) throws(AuditError)
  /// Waits until all that was appended is written.
  ///
  /// - Parameter resume: called once, from another thread, if the answer is `pending`.
  func barrier(resume: @escaping @Sendable (AuditError?) -> Void) -> JournalBarrier
}

/// A journal that takes records as they are, so that none is encoded for it: in a replay nothing is written.
package protocol RecordJournal: FlowJournal {
  /// Takes up the records of one step.
  func append(_ records: [FlowRecord])
}

extension RecordJournal {
  /// Takes up entries that were encoded for another journal.
  package func append(_ entries: [JournalEntry]) throws(AuditError) { append(entries.map(\.record)) }
}

/// Makes a journal for each flow.
public protocol Recorder: Sendable {
  /// The journal of a new flow.
  ///
  /// - Parameter stream: the flow's stream, never used before.
  func journal(for stream: String) -> any FlowJournal
}
