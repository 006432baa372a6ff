// A recorder whose records others read too, as they are written: loggers, a view of what is going on.

import Dispatch

/// Reads records of flows beside the log. Secrets are placeholders in them, as in the log.
public protocol RecordObserver: Sendable {
  /// Takes records that were taken up by the log, those of one step of one flow, in order.
  ///
  /// Called on one thread at a time, beside the flows: it may take its time, and no flow waits for it.
  ///
  /// - Parameters:
  ///   - records: the records.
  ///   - stream: the flow's stream.
  func observe(_ records: [FlowRecord], of stream: String)
}

/// Hands the records of all flows to observers, once the recorder behind it has taken them up.
///
/// ```swift
/// let recorder = TeeRecorder(LogRecorder(directory: "audit"), to: [FlowLines(kinds: .standard, logger: logger)])
/// ```
public final class TeeRecorder: Recorder {
  /// How many steps of flows wait for slow observers at most; what comes then is left out for them, and counted.
  public static let limit = 10_000

  private let recorder: (any Recorder)?
  private let observers: [any RecordObserver]
  private let queue = DispatchQueue(label: "flowrecorder.observers")
  private let counts = Locked<(waiting: Int, omitted: Int)>((0, 0))

  /// Makes a recorder in front of another.
  ///
  /// - Parameters:
  ///   - recorder: who records; nil if no one does, and observers see the flows all the same.
  ///   - observers: who reads along.
  public init(_ recorder: (any Recorder)?, to observers: [any RecordObserver]) {
    self.recorder = recorder
    self.observers = observers
  }

  /// The journal of a new flow: that of the recorder behind, read along.
  public func journal(for stream: String) -> any FlowJournal {
    TeeJournal(tee: self, stream: stream, journal: recorder?.journal(for: stream))
  }

  /// Waits until the observers have read all that was recorded so far.
  public func flush() { queue.sync {} }

  /// How many steps were left out for observers that were too slow. The log has them.
  public var omitted: Int { counts.withLock { $0.omitted } }

  fileprivate func observe(_ records: [FlowRecord], of stream: String) {
    let isTaken = counts.withLock { counts in
      guard counts.waiting < Self.limit else {
        counts.omitted += 1
        return false
      }
      counts.waiting += 1
      return true
    }
    guard isTaken else { return }
    queue.async { [self] in
      for observer in observers { observer.observe(records, of: stream) }
      counts.withLock { $0.waiting -= 1 }
    }
  }
}

/// Forwards to the journal behind, and hands on what that has taken up.
private struct TeeJournal: FlowJournal {
  let tee: TeeRecorder
  let stream: String
  let journal: (any FlowJournal)?

  func append(_ entries: [JournalEntry]) throws(AuditError) {
    try journal?.append(entries)
    tee.observe(entries.map(\.record), of: stream)
  }

  func barrier(resume: @escaping @Sendable (AuditError?) -> Void) -> JournalBarrier {
    journal?.barrier(resume: resume) ?? .passed
  }
}
