// One operation on tokens as its facade sees it: a flow, and where it calls back.

import EventStore
import FlowRecording

/// A flow for one operation. Holds no state of its own.
final class OIDCSession: Sendable {
  let session: FlowSession<OIDCCore>
  private let lease: TokenLease
  /// Whether this is a replay, in which an operation that does not end at once is an error to report instead of
  /// waiting.
  private let isRerun: Bool

  /// Begins a flow.
  init(settings: JSON, environment: FlowEnvironment) {
    let lease = TokenLease()
    var environment = environment
    environment[TokenLeaseSeam.self] = lease
    self.lease = lease
    isRerun = environment.rerun != nil
    session = FlowSession(settings: settings, environment: environment)
  }

  deinit { lease.end() }

  /// How a call ended.
  typealias Outcome = Result<OIDCCore, OktaError>

  var flow: Flow<OIDCCore> { session.flow }
  var lanes: CallbackLanes { session.lanes }

  /// Makes a call. The closures run on the thread that drains the flow; `returned` once, with the state at the end.
  @discardableResult
  func call(
    _ name: OIDCCall, _ arguments: [(String, JSON?)] = [],
    heard: @escaping @Sendable (DomainEvent) -> Void = { _ in },
    returned: @escaping @Sendable (Outcome, OIDCCore) -> Void
  ) -> CallToken {
    // The sink holds the session, and with it the lock of stored tokens, until the call has ended.
    let sink = CallSink<OIDCCore>(
      heard: { event, _ in heard(event) },
      returned: { [self] result, core in
        lease.end()
        returned(outcome(of: result, core), core)
      })
    return flow.call(name.rawValue, arguments: .members(arguments), on: nil, sink: sink)
  }

  /// Makes a call and waits for it. Cancelling the task cancels it, with the error `userCancelledAuthorizationFlow`.
  func outcome(
    of name: OIDCCall, _ arguments: [(String, JSON?)] = [], isolation: isolated (any Actor)? = #isolation,
    heard: @escaping @Sendable (DomainEvent) -> Void = { _ in }
  ) async -> (outcome: Outcome, core: OIDCCore) {
    await session.value { deliver in call(name, arguments, heard: heard) { deliver(($0, $1)) } }
  }

  /// Makes a call of the store, which ends before this returns.
  func now(_ name: OIDCCall, _ arguments: [(String, JSON?)]) -> Outcome {
    let done = Signal()
    let result = Locked<Outcome?>(nil)
    call(name, arguments) { outcome, _ in
      result.withLock { $0 = outcome }
      done.raise()
    }
    if !isRerun { done.wait() }
    return result.withLock { $0 } ?? .failure(.internalError("the call has no outcome"))
  }

  private func outcome(of result: CallResult, _ core: OIDCCore) -> Outcome {
    switch result {
    case .failure(let error): .failure(.internalError(error.message))
    case .success(.done), .success(.status): .success(core)
    case .success(.cancelled): .failure(.userCancelledAuthorizationFlow)
    case .success(.failed(let code, let details)):
      .failure(OktaError(code: code, details: details))
    }
  }
}
