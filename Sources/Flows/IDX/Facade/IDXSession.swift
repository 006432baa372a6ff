// The state shared by all objects of one flow: the flow, its delegates, and its callbacks.

import EventStore
package import FlowRecording
import OIDC

/// One `InteractionCodeFlow`, as its objects use it. It holds no sign-in state of its own.
package final class IDXSession: Sendable, CustomReflectable {
  private let session: FlowSession<IDXCore>
  /// The seams, for objects that receive the flow's results.
  let environment: FlowEnvironment
  private let owner = Locked(WeakFlow(flow: nil))
  private let delegates = Locked<[WeakDelegate]>([])
  /// The options of the latest start.
  let startOptions = Locked<[InteractionCodeFlow.Option: any FormValue]>([:])

  init(settings: JSON, resumes: String?, environment: FlowEnvironment) {
    self.environment = environment
    session = FlowSession(settings: settings, resumes: resumes, environment: environment)
  }

  /// Only the flow: a dump must not include the application's seams, which hold the device token.
  package var customMirror: Mirror { Mirror(self, children: ["flow": session]) }

  package var flow: Flow<IDXCore> { session.flow }
  private var lanes: CallbackLanes { session.lanes }

  /// The outcome of a call.
  enum Outcome {
    case response(Response)
    case token(Token)
    case done
    case failed(InteractionCodeFlowError)
    /// The call was cancelled, or replaced by another call.
    case cancelled
  }

  /// A closure that runs on the caller's isolation.
  ///
  /// `@unchecked`: it runs only through `CallbackLanes`, on that isolation.
  private struct Delivery: @unchecked Sendable {
    var deliver: (Outcome) -> Void
  }

  // MARK: Calls

  /// Makes a call, and calls back on the caller's isolation: first the delegates, then the closure.
  @discardableResult
  private func call(
    _ intent: IDXIntent, _ arguments: [(String, JSON?)], isolation: (any Actor)?, _ deliver: @escaping (Outcome) -> Void
  ) -> CallToken {
    let delivery = Delivery(deliver: deliver)
    if intent.call == .start {
      // Any call in progress is cancelled (idx §11.2).
      let isAnew = flow.core.isAuthenticating
      lanes.run(on: isolation) { [self] in
        if isAnew { notify { $0.finished($1) } }
        notify { $0.started($1) }
      }
    }
    // The closure keeps the session and its flow alive until the call is over.
    let owner = owningFlow
    let sink = CallSink<IDXCore>(
      retries: { [self] milliseconds in
        lanes.run(on: isolation) { [self] in notify { $0.retries(after: milliseconds / 1000, $1) } }
      },
      returned: { [self] result, core in
        let outcome = outcome(of: result, core, intent)
        // Once interact has succeeded, the sign-in can be resumed, unless it was cancelled.
        let isOver = intent.call == .start && core.isOver(after: (try? result.get()) ?? .done)
        lanes.run(on: isolation) { [self] in
          withExtendedLifetime(owner) { notify(outcome, of: intent, isOver: isOver) }
          delivery.deliver(outcome)
        }
      })
    return flow.call(intent.call.rawValue, arguments: .members(arguments), on: intent.origin?.state, sink: sink)
  }

  private func outcome(
    of result: Result<CallReturned.Outcome, AuditError>, _ core: IDXCore, _ intent: IDXIntent
  ) -> Outcome {
    switch result {
    case .failure(let error): return .failed(.internalMessage(error.message))
    case .success(.cancelled): return .cancelled
    case .success(.failed(let code, let details)):
      return .failed(InteractionCodeFlowError(code: code, details: details, flow.vault))
    case .success(.status): return .response(Response(core, self))
    case .success(.done):
      guard intent.call.isExchange else { return .done }
      guard let token = core.token.flatMap({ Token($0, revealedBy: flow.vault) }) else {
        return .failed(.internalMessage("tokens were announced and are not there"))
      }
      return .token(token)
    }
  }

  /// Makes a call for an object and calls back, with an error if the call cannot be made.
  static func perform(
    _ intent: IDXIntent, isolation: (any Actor)?, _ deliver: @escaping (Outcome) -> Void
  ) -> CallToken? {
    let session = intent.session
    switch intent.arguments {
    case .success(let arguments): return session.call(intent, arguments, isolation: isolation, deliver)
    case .failure(let error):
      let delivery = Delivery(deliver: deliver)
      session.lanes.run(on: isolation) {
        // The call was not made, so it ends nothing.
        session.notify(.failed(error), of: intent, isOver: false)
        delivery.deliver(.failed(error))
      }
      return nil
    }
  }

  /// Makes a call without waiting for its outcome.
  static func tell(_ intent: IDXIntent) { _ = perform(intent, isolation: nil) { _ in } }

  /// Makes a call whose outcome only the delegates receive.
  static func perform(_ intent: IDXIntent, _ isolation: (any Actor)?) {
    _ = perform(intent, isolation: isolation) { _ in }
  }

  /// Where a completion runs: on the actor that makes the call. Without one, no actor is retained, because it may be
  /// deinitializing.
  private static func place<Completion>(
    _ intent: IDXIntent, _ isolation: (any Actor)?, _ completion: Completion?
  ) -> (any Actor)? {
    completion == nil ? isolation : isolation ?? intent.session.lanes.caller
  }

  static func perform(
    _ intent: IDXIntent, _ isolation: (any Actor)?, _ completion: InteractionCodeFlow.ResponseResult?
  ) {
    _ = perform(intent, isolation: place(intent, isolation, completion)) { outcome in
      switch outcome {
      case .response(let response): completion?(.success(response))
      case .failed(let error): completion?(.failure(error))
      case .token, .done, .cancelled: break
      }
    }
  }

  static func perform(
    _ intent: IDXIntent, _ isolation: (any Actor)?, _ completion: InteractionCodeFlow.TokenResult?
  ) {
    _ = perform(intent, isolation: place(intent, isolation, completion)) { outcome in
      switch outcome {
      case .token(let token): completion?(.success(token))
      case .failed(let error): completion?(.failure(error))
      case .response, .done, .cancelled: break
      }
    }
  }

  // MARK: The async forms

  static func response(of intent: IDXIntent, isolation: isolated (any Actor)?) async throws -> Response {
    switch await outcome(of: intent, isolation: isolation) {
    case .response(let response): return response
    case .failed(let error): throw error
    case .cancelled: throw CancellationError()
    case .token, .done: throw InteractionCodeFlowError.internalMessage("the call brought no response")
    }
  }

  static func token(of intent: IDXIntent, isolation: isolated (any Actor)?) async throws -> Token {
    switch await outcome(of: intent, isolation: isolation) {
    case .token(let token): return token
    case .failed(let error): throw error
    case .cancelled: throw CancellationError()
    case .response, .done: throw InteractionCodeFlowError.internalMessage("the call brought no token")
    }
  }

  /// Makes a call and waits for its end. Cancelling the task cancels the call.
  static func outcome(of intent: IDXIntent, isolation: isolated (any Actor)?) async -> Outcome {
    await intent.session.session.value(isolation: isolation) { deliver in
      perform(intent, isolation: isolation) { deliver($0) }
    }
  }

  // MARK: Delegates

  func own(_ flow: InteractionCodeFlow) { owner.withLock { $0.flow = flow } }

  /// The flow that the application has; `nil` after the application has released the flow and all responses.
  var owningFlow: InteractionCodeFlow? { owner.withLock { $0.flow } }

  func add(_ delegate: any InteractionCodeFlowDelegate) {
    delegates.withLock { delegates in
      delegates.removeAll { $0.delegate == nil || $0.delegate === delegate }
      delegates.append(WeakDelegate(delegate: delegate))
    }
  }

  func remove(_ delegate: any InteractionCodeFlowDelegate) {
    delegates.withLock { $0.removeAll { $0.delegate == nil || $0.delegate === delegate } }
  }

  /// Passes an outcome to the delegates.
  ///
  /// - Parameter isOver: whether a failure or cancellation ends the sign-in.
  private func notify(_ outcome: Outcome, of intent: IDXIntent, isOver: Bool) {
    switch outcome {
    case .response(let response): notify { $0.received(response, $1) }
    case .token(let token):
      notify { $0.received(token, $1) }
      notify { $0.finished($1) }
    case .failed(let error):
      notify { $0.received(error, $1) }
      if isOver { notify { $0.finished($1) } }
      // Rejected tokens end the sign-in, as received tokens do.
      if case .idTokenRefused = error { notify { $0.finished($1) } }
    case .done: if intent.call == .reset { notify { $0.finished($1) } }
    case .cancelled where isOver: notify { $0.finished($1) }
    case .cancelled: break
    }
  }

  private func notify(_ tell: (any InteractionCodeFlowDelegate, InteractionCodeFlow) -> Void) {
    guard let flow = owningFlow else { return }
    for delegate in delegates.withLock({ $0.compactMap(\.delegate) }) { tell(delegate, flow) }
  }
}

/// The flow that the application holds.
private struct WeakFlow: @unchecked Sendable {
  weak var flow: InteractionCodeFlow?
}

/// A delegate, held weakly.
///
/// `@unchecked`: it is called only on the application's isolation, and otherwise only compared.
private struct WeakDelegate: @unchecked Sendable {
  weak var delegate: (any InteractionCodeFlowDelegate)?
}
