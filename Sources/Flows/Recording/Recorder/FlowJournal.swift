// Where the records of a flow are written. Three implementations: a log, memory (tests), and the comparison of a
// replay.

/// A record as it is written: with its data encoded once.
public struct JournalEntry: Sendable {
  /// The record.
  public var record: FlowRecord
  /// Its data, encoded.
  public var encoded: EncodedEvent

  /// Creates an entry.
  public init(record: FlowRecord, encoded: EncodedEvent) {
    self.record = record
    self.encoded = encoded
  }
}

/// Why a flow could not be written. In a flow with `auditing: .required`, the caller of each open call receives it.
public struct AuditError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What, where, and what to do next; safe to log.
  public var message: String

  /// Makes an error with a message.
  public init(_ message: String) { self.message = message }

  /// The message.
  public var description: String { message }
}

/// Whether a flow may continue past a barrier (DESIGN §1, §2 rule 5).
public enum JournalBarrier: Sendable {
  /// All appended records are written, to the extent that the log's durability requires.
  case passed
  /// They could not be written.
  case failed(AuditError)
  /// Not yet; the given closure will be called, once.
  case pending
}

/// The records of one flow, in order. Called by one thread at a time: `append` under the flow's lock,
/// and never while the flow waits at `barrier`.
public protocol FlowJournal: Sendable {
  /// Accepts the records of one step, all or none. Never waits for a disk and never calls back.
  ///
  /// - Throws: `AuditError` if they cannot be accepted.
  func append(_ entries: [JournalEntry]) throws(AuditError)
  /// Waits until all appended records are written.
  ///
  /// - Parameter resume: called once, from another thread, if the answer is `pending`.
  func barrier(resume: @escaping @Sendable (AuditError?) -> Void) -> JournalBarrier
}

/// A journal that accepts records without encoding, because a replay writes nothing.
package protocol RecordJournal: FlowJournal {
  /// Accepts the records of one step.
  func append(_ records: [FlowRecord])
}

extension RecordJournal {
  /// Accepts entries that were encoded for another journal.
  package func append(_ entries: [JournalEntry]) throws(AuditError) { append(entries.map(\.record)) }
}

/// Makes a journal for each flow.
public protocol Recorder: Sendable {
  /// The journal of a new flow.
  ///
  /// - Parameter stream: the flow's stream, which must be new.
  func journal(for stream: String) -> any FlowJournal
}
