// What all objects of one transaction share: the flow, the handler, and where to call back.

import EventStore
package import FlowRecording
package import Foundation

/// One transaction as its facade objects see it. Holds no state of its own. It lives as long as the application has an
/// object of the transaction; its end is reported to the flow, which stops polling (`PollWatch`).
package final class AuthnSession: Sendable {
  private let session: FlowSession<AuthnCore>
  package let handler: OktaAuthStatusResponseHandler
  private let watch: PollWatch

  package init(
    org: URL, handler: OktaAuthStatusResponseHandler, origins: [String]? = nil, environment: FlowEnvironment,
    startedBy isolation: (any Actor)? = nil
  ) {
    let text = org.absoluteString
    let trimmed = text.hasSuffix("/") ? String(text.dropLast()) : text
    session = FlowSession(
      settings: .members([
        ("org", .string(trimmed)), ("pollMilliseconds", .int(handler.pollMilliseconds)),
        ("handler", handler.isStandard ? nil : true), ("origins", origins.map { .array($0.map(JSON.string)) }),
      ]), environment: environment, startedBy: isolation)
    self.handler = handler
    handler.follow(session.flow)
    watch = PollWatch(clock: environment.clock)
    watch.watch(self)
  }

  /// A session of the same flow, if the application has released the previous one.
  private init(_ session: FlowSession<AuthnCore>, _ handler: OktaAuthStatusResponseHandler, _ watch: PollWatch) {
    self.session = session
    self.handler = handler
    self.watch = watch
  }

  package var flow: Flow<AuthnCore> { session.flow }
  private var lanes: CallbackLanes { session.lanes }

  deinit { if watch.sessionIsGone() { flow.release() } }

  /// The closures of one call, bound to the actor that the call is made from.
  ///
  /// `@unchecked`: they are run only through `CallbackLanes`, on that actor.
  struct Callbacks: @unchecked Sendable {
    var onStatusChange: ((OktaAuthStatus) -> Void)?
    var onDone: (() -> Void)?
    /// Receives the result of a call without a status.
    var onAnswer: ((JSON) -> Void)?
    var onError: ((OktaError) -> Void)?
    var onFactorStatusUpdate: ((OktaAPISuccessResponse.FactorResult) -> Void)?
    var onWaitingStatus: ((OktaAuthStatus) -> Void)?
    /// Called for a cancelled call; closures of the seed's API are not.
    var onCancelled: (() -> Void)?
    /// Whether only a task waits for the call: it may be resumed from any thread.
    var isAwaitedAlone = false

    /// Whether there is nothing to call back.
    var isEmpty: Bool {
      onStatusChange == nil && onDone == nil && onAnswer == nil && onError == nil && onFactorStatusUpdate == nil
        && onWaitingStatus == nil && onCancelled == nil
    }
  }

  /// Makes a call, and calls back on the actor that it is made from.
  ///
  /// - Parameters:
  ///   - object: the object that was called; kept until the call ends or waits for a poll.
  ///   - isKept: whether it is also kept while the call waits.
  @discardableResult
  func call(
    _ name: AuthnCall, _ arguments: [(String, JSON?)], on object: OktaAuthStatus, _ callbacks: Callbacks,
    isKept: Bool = false
  ) -> CallToken {
    // Without callbacks the actor does not matter. An actor that is being freed cannot be kept.
    let actor = callbacks.isEmpty || callbacks.isAwaitedAlone ? nil : lanes.caller
    // The sink must not keep the session: its deinitialization is how the flow detects that the application has
    // released it.
    let session = { @Sendable [session, handler, watch] in
      watch.session { AuthnSession(session, handler, watch) }
    }
    // The polling logic of the application's handler needs the object.
    let staysKept = isKept || !handler.isStandard
    // A call in parallel to polling does not show what the application keeps.
    let isBeside = name.isBesidePolling
    let kept = Locked<OktaAuthStatus?>(object)
    // In calls that may poll, factor results are reported by events; in others, they are read from the answer.
    let report = { @Sendable [lanes] (core: AuthnCore) -> Void in
      guard !name.reportsFactor, let word = core.answer?.factorResult, let tell = callbacks.onFactorStatusUpdate else {
        return
      }
      let result = OktaAPISuccessResponse.FactorResult(raw: word)
      lanes.run(on: actor) { tell(result) }
    }
    let isStandard = handler.isStandard
    // The last decision of the application's handler: that object or error itself is returned.
    let decided = Locked<Result<OktaAuthStatus, OktaError>?>(nil)
    let sink = CallSink<AuthnCore>(
      heard: { [lanes] event, core in
        guard let update = FactorUpdated(event) else { return }
        let result = OktaAPISuccessResponse.FactorResult(raw: update.result)
        if callbacks.onFactorStatusUpdate != nil {
          lanes.run(on: actor) { callbacks.onFactorStatusUpdate?(result) }
        }
        if callbacks.onWaitingStatus != nil, result == .waiting, let status = session().status(of: core) {
          lanes.run(on: actor) { callbacks.onWaitingStatus?(status) }
        }
      },
      asked: { [lanes] asked, core, answer in
        if asked.input["error"] == nil { report(core) }
        let isAnswered = Locked(false)
        lanes.run(on: actor) {
          guard let object = kept.withLock({ $0 }) else { return }
          session().consult(asked, core, object, callbacks) { decision, value in
            // Only the handler's first decision counts.
            let isFirst = isAnswered.withLock { isAnswered in
              defer { isAnswered = true }
              return !isAnswered
            }
            guard isFirst else { return }
            decided.withLock { $0 = decision }
            answer(.success(value))
          }
        }
      },
      waits: { [lanes, watch] in
        // After the callback that may have made the call and still holds its objects.
        if !staysKept, !isBeside { lanes.run(on: actor) { watch.letGo(of: kept) } }
      },
      returned: { [lanes, watch] result, core in
        if !isBeside { watch.callIsOver() }
        if isStandard, case .success(.status) = result { report(core) }
        // Removed from the lock: an error may contain the answer, which refers to the decision, and that would keep the
        // flow alive.
        let decision = decided.withLock { decided in
          defer { decided = nil }
          return decided
        }
        let deliver = session().delivery(of: result, core, decision, callbacks)
        withExtendedLifetime(kept) {
          if callbacks.isAwaitedAlone { deliver() } else { lanes.run(on: actor) { deliver() } }
        }
      })
    var arguments = arguments
    // A new interval applies from this call on.
    if name.polls, handler.pollMilliseconds != flow.core.pollMilliseconds {
      arguments.append(("pollMilliseconds", .int(handler.pollMilliseconds)))
      if handler.intervalCountsOnceSent { arguments.append(("pollOnceSent", .bool(true))) }
    }
    return flow.call(name.rawValue, arguments: .members(arguments), on: object.object.state, sink: sink)
  }

  private func delivery(
    of result: Result<CallReturned.Outcome, AuditError>, _ core: AuthnCore,
    _ decision: Result<OktaAuthStatus, OktaError>?, _ callbacks: Callbacks
  ) -> () -> Void {
    switch result {
    case .failure(let error): return { callbacks.onError?(.internalError(error.message)) }
    case .success(.done):
      let answer = flow.vault.reveal(core.answer?.json ?? .null)
      return {
        callbacks.onAnswer?(answer)
        callbacks.onDone?()
      }
    case .success(.cancelled): return { callbacks.onCancelled?() }
    case .success(.failed(let code, let details)):
      if case .failure(let error) = decision { return { callbacks.onError?(error) } }
      let error = OktaError(code: code, details: details, AuthnObject(state: core, session: self))
      return { callbacks.onError?(error) }
    case .success(.status):
      if case .success(let status) = decision { return { callbacks.onStatusChange?(status) } }
      guard let status = status(of: core) else {
        return { callbacks.onError?(.internalError("a status was announced and is not there")) }
      }
      return { callbacks.onStatusChange?(status) }
    }
  }

  /// The status object of a state.
  func status(of core: AuthnCore) -> OktaAuthStatus? {
    OktaAuthStatus.make(AuthnObject(state: core, session: self))
  }

  // MARK: The application's own handler

  /// Asks the handler about an answer. Runs where the application is called back.
  private func consult(
    _ asked: DrawAsked, _ core: AuthnCore, _ object: OktaAuthStatus, _ callbacks: Callbacks,
    _ settle: @escaping @Sendable (Result<OktaAuthStatus, OktaError>?, JSON) -> Void
  ) {
    let here = AuthnObject(state: core, session: self)
    let response: OktaAPIRequest.Result
    if let code = asked.input["error"]?.string {
      response = .error(OktaError(code: code, details: asked.input["details"] ?? [:], here))
    } else {
      let call = asked.input["call"]?.int.flatMap { core.ledger.calls[$0] }
      var origin = AnswerOrigin(object: here)
      if call?.waits != false { origin.poll = { settle(nil, ["outcome": "wait"]) } }
      response = .success(OktaAPISuccessResponse(json: here.model.json, source: origin))
    }
    handler.handleServerResponse(
      response, currentStatus: object,
      onStatusChanged: { settle(.success($0), ["outcome": "status"]) },
      onError: { settle(.failure($0), $0.record) }, onFactorStatusUpdate: callbacks.onFactorStatusUpdate)
  }

  // MARK: The async forms

  /// Makes a call and waits for its status.
  ///
  /// - Throws: `OktaError`; `cancelled` if the task was cancelled or another operation replaced the call.
  func status(
    of name: AuthnCall, _ arguments: [(String, JSON?)], on object: OktaAuthStatus, _ callbacks: Callbacks = Callbacks()
  ) async throws(OktaError) -> OktaAuthStatus {
    let result = await outcome(of: name, arguments, on: object, callbacks)
    guard let status = try result.get() else { throw .internalError("the call brought no status") }
    return status
  }

  /// Makes a call and waits for it; nil if it returns no status.
  func outcome(
    of name: AuthnCall, _ arguments: [(String, JSON?)], on object: OktaAuthStatus, _ callbacks: Callbacks = Callbacks()
  ) async -> Result<OktaAuthStatus?, OktaError> {
    await session.value { deliver in
      var callbacks = callbacks
      callbacks.isAwaitedAlone = callbacks.isEmpty
      callbacks.onStatusChange = { deliver(.success($0)) }
      callbacks.onDone = { deliver(.success(nil)) }
      callbacks.onError = { deliver(.failure($0)) }
      callbacks.onCancelled = { deliver(.failure(.cancelled)) }
      // A caller that waits for an answer has not released the flow; cancelling the task cancels the call.
      return call(name, arguments, on: object, callbacks, isKept: true)
    }
  }
}

/// What every facade object holds: a folded state, its revealed form once that was read, and the means to make calls. A
/// class, because many objects share it: a status, its factors, its model.
package final class AuthnObject: Sendable, CustomReflectable {
  package let state: AuthnCore
  package let session: AuthnSession
  /// The state with its secrets revealed, once requested: a state never changes, and its members are read one at a
  /// time.
  private let revealed = Locked(Revealed())

  private struct Revealed {
    var body: JSON?
    var factors: [JSON]?
  }

  package init(state: AuthnCore, session: AuthnSession) {
    self.state = state
    self.session = session
  }

  /// The transaction object with its secrets.
  var model: OktaAPISuccessResponse { OktaAPISuccessResponse(json: body, source: AnswerOrigin(object: self)) }

  private var body: JSON {
    if let body = revealed.withLock({ $0.body }) { return body }
    let body = session.flow.vault.reveal(state.current?.body ?? [:])
    revealed.withLock { $0.body = body }
    return body
  }

  /// The factors with their secrets.
  var factors: [JSON] {
    if let factors = revealed.withLock({ $0.factors }) { return factors }
    let vault = session.flow.vault
    let factors = state.transaction.factors.map { vault.reveal($0) }
    revealed.withLock { $0.factors = factors }
    return factors
  }

  /// State and session: a dump shows no revealed secret.
  package var customMirror: Mirror { Mirror(self, children: ["state": state, "session": session]) }
}
