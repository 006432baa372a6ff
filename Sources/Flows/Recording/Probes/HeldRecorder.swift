// A recorder whose log is slow: for tables of what happens in a flow that waits for it.

/// Passes records on, and says only on demand that they are written.
package final class HeldRecorder: Recorder {
  private let base: (any Recorder)?
  private let waiting = Locked<[@Sendable (AuditError?) -> Void]>([])

  package init(_ base: (any Recorder)?) { self.base = base }

  package func journal(for stream: String) -> any FlowJournal {
    Journal(base: base?.journal(for: stream), waiting: waiting)
  }

  /// Lets the flow that has waited longest go on; with an error, because its records could not be written.
  ///
  /// - Returns: whether one waited.
  @discardableResult
  package func release(_ error: AuditError? = nil) -> Bool {
    let next: (@Sendable (AuditError?) -> Void)? = waiting.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    next?(error)
    return next != nil
  }

  private struct Journal: FlowJournal {
    let base: (any FlowJournal)?
    let waiting: Locked<[@Sendable (AuditError?) -> Void]>

    func append(_ entries: [JournalEntry]) throws(AuditError) { try base?.append(entries) }

    func barrier(resume: @escaping @Sendable (AuditError?) -> Void) -> JournalBarrier {
      waiting.withLock { $0.append(resume) }
      return .pending
    }
  }
}
