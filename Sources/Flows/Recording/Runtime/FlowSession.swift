// What the facades of all kinds share: a flow, the places to call back, and one rule for calls that are given up.

public import EventStore

/// How a call ended: what the core said, or why that could not be recorded.
public typealias CallResult = Result<CallReturned.Outcome, AuditError>

/// One flow as the objects that an application holds see it.
///
/// **Calls that are given up**, in every kind: the end of the task that waits for a call gives it up, and so does
/// another operation that takes over. A form with a closure then stays silent; an `async` form throws what its API has
/// for that (`OktaError.cancelled`, `CancellationError`). A late answer is still recorded, and not delivered.
public final class FlowSession<Core: FlowCore>: Sendable {
  /// The flow.
  public let flow: Flow<Core>
  /// Where callbacks run.
  public let lanes: CallbackLanes

  /// Starts a live flow and records `flow.started`.
  ///
  /// - Parameters:
  ///   - settings: what the core is configured with, unmasked.
  ///   - resumes: the stream that this flow takes up.
  ///   - environment: the seams, captured here for the flow's life.
  ///   - isolation: the actor that starts the flow, if that is known.
  public init(
    settings: JSON, resumes: String? = nil, environment: FlowEnvironment, startedBy isolation: (any Actor)? = nil
  ) {
    flow =
      environment.rerun?.ready.take(settings, of: Core.self)
      ?? Flow(environment: environment, settings: settings, resumes: resumes)
    // A replay runs its callbacks itself, whatever runs it.
    lanes = CallbackLanes(queue: environment.callbackQueue, startedBy: isolation, played: environment.rerun?.tasks)
  }

  /// Waits for a call, whatever its facade makes of the outcome. The end of the task gives the call up.
  ///
  /// - Parameters:
  ///   - isolation: the actor that waits.
  ///   - begin: makes the call, and sees to it that `deliver` gets the outcome once, cancelled or not. It returns nil if there is
  ///     no call to give up.
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

  /// Makes a call, and waits until it is over. The end of the task gives it up: the outcome then is `cancelled`.
  ///
  /// - Parameters:
  ///   - call: the intent's name.
  ///   - arguments: its arguments by their wire names, unmasked.
  ///   - snapshot: the state of the object that is called, nil for one without a status.
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
