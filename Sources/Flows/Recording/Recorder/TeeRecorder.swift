// A recorder whose records are also passed to observers as they are written: loggers, live views.

import Dispatch

/// Receives the records of flows in addition to the log. Secrets are placeholders in them, as in the log.
public protocol RecordObserver: Sendable {
  /// Receives records that the log has accepted: those of one step of one flow, in order.
  ///
  /// Called on one thread at a time, separately from the flows: it may be slow, and no flow waits for it.
  ///
  /// - Parameters:
  ///   - records: the records.
  ///   - stream: the flow's stream.
  func observe(_ records: [FlowRecord], of stream: String)
}

/// Passes the records of all flows to observers, after the underlying recorder has accepted them.
///
/// ```swift
/// let recorder = TeeRecorder(LogRecorder(directory: "audit"), to: [FlowLines(kinds: .standard, logger: logger)])
/// ```
public final class TeeRecorder: Recorder {
  /// The maximum number of steps that wait for slow observers; further ones are omitted for them and counted.
  public static let limit = 10_000

  private let recorder: (any Recorder)?
  private let observers: [any RecordObserver]
  private let queue = DispatchQueue(label: "flowrecorder.observers")
  private let counts = Locked<(waiting: Int, omitted: Int)>((0, 0))

  /// Wraps another recorder.
  ///
  /// - Parameters:
  ///   - recorder: the underlying recorder; nil to only pass the flows to observers.
  ///   - observers: the observers.
  public init(_ recorder: (any Recorder)?, to observers: [any RecordObserver]) {
    self.recorder = recorder
    self.observers = observers
  }

  /// The journal of a new flow: that of the underlying recorder, with observers.
  public func journal(for stream: String) -> any FlowJournal {
    TeeJournal(tee: self, stream: stream, journal: recorder?.journal(for: stream))
  }

  /// Waits until the observers have received all records so far.
  public func flush() { queue.sync {} }

  /// The number of steps omitted because observers were too slow. The log contains them.
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

/// Forwards to the underlying journal, and passes on what it has accepted.
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
