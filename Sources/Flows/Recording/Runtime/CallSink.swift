// The receiver of a call's progress, and once of its outcome.

public import EventStore

/// The receiver of one call. Closures run on the draining thread, after the barrier; dispatch to the application's
/// executor and do not block.
public struct CallSink<Core: FlowCore>: Sendable {
  /// An event of the flow's kind that names the call as its audience; the state has it.
  public var heard: @Sendable (DomainEvent, Core) -> Void
  /// An awaited draw was requested: the request, the state, and the closure for the answer, to be called once.
  public var asked: @Sendable (DrawAsked, Core, @escaping @Sendable (Result<JSON, DrawFailure>) -> Void) -> Void
  /// A timer was set: the call may take long. Objects kept only for its request can be released.
  public var waits: @Sendable () -> Void
  /// The request of the call will be retried after this many milliseconds, as the server requested.
  public var retries: @Sendable (Int) -> Void
  /// The call has ended: its outcome and the state, or why it could not be recorded.
  public var returned: @Sendable (Result<CallReturned.Outcome, AuditError>, Core) -> Void

  /// Makes a sink.
  public init(
    heard: @escaping @Sendable (DomainEvent, Core) -> Void = { _, _ in },
    asked: @escaping @Sendable (DrawAsked, Core, @escaping @Sendable (Result<JSON, DrawFailure>) -> Void) -> Void = {
      _, _, _ in
    },
    waits: @escaping @Sendable () -> Void = {}, retries: @escaping @Sendable (Int) -> Void = { _ in },
    returned: @escaping @Sendable (Result<CallReturned.Outcome, AuditError>, Core) -> Void
  ) {
    self.heard = heard
    self.asked = asked
    self.waits = waits
    self.retries = retries
    self.returned = returned
  }
}

/// Identifies a call that may not have a revision yet, in order to cancel it.
public struct CallToken: Sendable, Hashable {
  let number: Int
}
