// What the facades of all kinds share: a flow, the places to call back, and one rule for cancelled calls.

public import EventStore

/// How a call ended: the outcome from the core, or why it could not be recorded.
public typealias CallResult = Result<CallReturned.Outcome, AuditError>

/// One flow as the objects that an application holds see it.
///
/// **Cancellation**, in every kind: a call is cancelled if the task that waits for it is cancelled, or if another
/// operation replaces it. A form with a closure then does not call back; an `async` form throws the error of its API
/// (`OktaError.cancelled`, `CancellationError`). A late answer is still recorded, but not delivered.
public final class FlowSession<Core: FlowCore>: Sendable {
  /// The flow.
  public let flow: Flow<Core>
  /// Where callbacks run.
  public let lanes: CallbackLanes

  /// Starts a live flow and records `flow.started`.
  ///
  /// - Parameters:
  ///   - settings: the configuration of the core, unmasked.
  ///   - resumes: the stream of the flow that this one resumes.
  ///   - environment: the seams, captured here for the flow's life.
  ///   - isolation: the actor that starts the flow, if known.
  public init(
    settings: JSON, resumes: String? = nil, environment: FlowEnvironment, startedBy isolation: (any Actor)? = nil
  ) {
    flow =
      environment.rerun?.ready.take(settings, of: Core.self)
      ?? Flow(environment: environment, settings: settings, resumes: resumes)
    // A replay runs its callbacks itself.
    lanes = CallbackLanes(queue: environment.callbackQueue, startedBy: isolation, played: environment.rerun?.tasks)
  }

  /// Waits for the result of a call in the form of its facade. Cancelling the task cancels the call.
  ///
  /// - Parameters:
  ///   - isolation: the actor that waits.
  ///   - begin: makes the call, and ensures that `deliver` receives the outcome once, cancelled or not. Returns nil if
  ///     there is no call to cancel.
  public func value<Value: Sendable>(
    isolation: isolated (any Actor)? = #isolation,
    _ begin: (_ deliver: @escaping @Sendable (Value) -> Void) -> CallToken?
  ) async -> Value {
    let pending = PendingCall()
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let token = begin { continuation.resume(returning: $0) }
        if let token, pending.started(token) { flow.giveUp(token) }
      }
    } onCancel: {
      if let token = pending.cancelled() { flow.giveUp(token) }
    }
  }

  /// Makes a call and waits for it. If the task is cancelled, the outcome is `cancelled`.
  ///
  /// - Parameters:
  ///   - call: the intent's name.
  ///   - arguments: its arguments by their wire names, unmasked.
  ///   - snapshot: the state of the called object; nil for one without a status.
  ///   - isolation: the actor that waits.
  /// - Returns: how it ended, and the state at its end.
  public func outcome(
    of call: String, arguments: JSON = [:], on snapshot: Core? = nil, isolation: isolated (any Actor)? = #isolation
  ) async -> (result: CallResult, core: Core) {
    await value(isolation: isolation) { deliver in
      flow.call(call, arguments: arguments, on: snapshot, sink: CallSink { deliver(($0, $1)) })
    }
  }
}
