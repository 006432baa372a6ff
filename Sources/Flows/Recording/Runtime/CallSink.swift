// Who hears of a call: its progress, and once how it ended.

/// The listener of one call. Its closures run on the thread that drains the flow, after the barrier; they must hand
/// over to the application's own place to run, and not block.
public struct CallSink<Core: FlowCore>: Sendable {
  /// A factor reported a result; the state has it.
  public var updated: @Sendable (FactorUpdated, Core) -> Void
  /// The call is over: its outcome and the state, or why it could not be recorded.
  public var returned: @Sendable (Result<CallReturned.Outcome, AuditError>, Core) -> Void

  /// Makes a listener.
  public init(
    updated: @escaping @Sendable (FactorUpdated, Core) -> Void = { _, _ in },
    returned: @escaping @Sendable (Result<CallReturned.Outcome, AuditError>, Core) -> Void
  ) {
    self.updated = updated
    self.returned = returned
  }
}

/// Names a call from before it has a revision, to give it up.
public struct CallToken: Sendable, Hashable {
  let number: Int
}
