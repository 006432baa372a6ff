// The base of all status classes (seed «OktaAuthStatus», authn §12, §13).

import EventStore
import FlowRecording

/// A status of a sign-in, and what can be done from it. Downcast to the class of its `statusType`.
///
/// An object holds the state that the recorded events folded to, and the way to act on it; it never changes. After an
/// operation succeeds the application gets a new object.
///
/// A callback runs on the actor that its call is made from, and on the flow's own serial queue if the call is made from
/// no actor: one at a time, in the order of the log, and never from inside the method. On that actor or queue none runs
/// before the method has returned; a caller on a thread of its own may be called back on the queue while the method is
/// still returning.
open class OktaAuthStatus: @unchecked Sendable {
  // `@unchecked`: an open class of immutable members; a subclass answers for what it adds.
  package let object: AuthnObject
  /// The factors, once they were asked for: made once, so that the application may hold them weakly.
  private let made = Locked<[OktaFactor]?>(nil)

  package init(_ object: AuthnObject) { self.object = object }

  /// The status of an answer: what an application's own response handler makes its subclasses with.
  ///
  /// - Parameters:
  ///   - currentState: the object that was called.
  ///   - model: the answer, as the handler was given it.
  /// - Throws: `OktaError.invalidResponse` if the answer lacks what the class needs.
  public init(currentState: OktaAuthStatus, model: OktaAPISuccessResponse) throws {
    object = model.origin?.object ?? currentState.object
    if let refusal = Self.refusal(of: object), refusal.code != Refusal.unknownStatusCode,
      type(of: self) != OktaAuthStatus.self
    {
      throw OktaError.invalidResponse
    }
  }

  /// Why a state is none that its class can show; `nil` if it is.
  private static func refusal(of object: AuthnObject) -> Refusal? {
    object.state.current.flatMap { AuthnReply.refusal(of: object.state.transaction, $0.status) }
  }

  /// The object of a state; nil if there is no status yet.
  package static func make(_ object: AuthnObject) -> OktaAuthStatus? {
    guard let status = object.state.current?.status else { return nil }
    guard refusal(of: object) == nil else { return OktaAuthStatus(object) }
    return switch AuthStatus(raw: status) {
    case .success: OktaAuthStatusSuccess(object)
    case .passwordWarning: OktaAuthStatusPasswordWarning(object)
    case .passwordExpired: OktaAuthStatusPasswordExpired(object)
    case .passwordReset: OktaAuthStatusPasswordReset(object)
    case .recovery: OktaAuthStatusRecovery(object)
    case .recoveryChallenge: OktaAuthStatusRecoveryChallenge(object)
    case .MFAEnroll: OktaAuthStatusFactorEnroll(object)
    case .MFAEnrollActivate: OktaAuthStatusFactorEnrollActivate(object)
    case .MFARequired: OktaAuthStatusFactorRequired(object)
    case .MFAChallenge: OktaAuthStatusFactorChallenge(object)
    case .lockedOut: OktaAuthStatusLockedOut(object)
    case .unauthenticated: OktaAuthStatusUnauthenticated(object)
    case .unknown: OktaAuthStatus(object)
    }
  }

  /// The status.
  public var statusType: AuthStatus { object.state.current.map { AuthStatus(raw: $0.status) } ?? .unauthenticated }
  /// The transaction object as the org sent it.
  public var model: OktaAPISuccessResponse { object.model }
  /// The links of the transaction; `nil` if it has none.
  public var links: LinksResponse? { model.links }
  /// The response handler that follows the transaction.
  public var responseHandler: OktaAuthStatusResponseHandler { object.session.handler }
  /// The user who signs in, once known.
  public var user: EmbeddedResponse.User? { model.user }
  /// The factors of the transaction, in the org's order; none in most statuses. The objects are the same each time.
  public var factors: [OktaFactor] {
    made.withLock { made in
      if let made { return made }
      let factors = OktaFactor.all(of: self)
      made = factors
      return factors
    }
  }
  /// What the org last said of an asynchronous factor, such as a push.
  open var factorResult: OktaAPISuccessResponse.FactorResult? { model.factorResult }
  /// The stream of this flow in the log: what support asks for.
  public var flowID: String { object.session.flow.stream }

  /// Returns a text of the org with every secret that the flow knows replaced.
  package func masked(_ text: String) -> String { object.session.flow.masked(text) }

  /// Whether there is a way back.
  open func canReturn() -> Bool { object.state.transaction.link("prev") != nil }

  /// Whether the transaction can be dropped.
  open func canCancel() -> Bool { object.state.transaction.link("cancel") != nil }

  /// Whether the status is one to poll: a push, or another factor that is answered elsewhere.
  open func canPoll() -> Bool { false }

  /// Goes back to the state before.
  ///
  /// - Parameters:
  ///   - onStatusChange: gets the new status.
  ///   - onError: gets `wrongStatus` if there is no way back, or why it failed.
  open func returnToPreviousStatus(
    onStatusChange: @escaping (_ newStatus: OktaAuthStatus) -> Void,
    onError: @escaping (_ error: OktaError) -> Void
  ) {
    perform(.returnToPreviousStatus, [], onStatusChange, onError)
  }

  /// Goes back to the state before.
  ///
  /// - Throws: `OktaError`; `wrongStatus` if there is no way back.
  open func returnToPreviousStatus() async throws(OktaError) -> OktaAuthStatus {
    try await status(of: .returnToPreviousStatus, [])
  }

  /// Drops the transaction and revokes its token. Whatever else is under way ends silently, polling at once.
  ///
  /// - Parameters:
  ///   - onSuccess: the org has dropped it, or there was nothing to drop.
  ///   - onError: gets `wrongStatus` if it cannot be dropped, or why it failed.
  open func cancel(
    onSuccess: (() -> Void)? = nil,
    onError: ((_ error: OktaError) -> Void)? = nil
  ) {
    let callbacks = AuthnSession.Callbacks(onDone: onSuccess, onError: onError)
    object.session.call(.cancel, [], on: self, callbacks)
  }

  /// Drops the transaction and revokes its token.
  ///
  /// - Throws: `OktaError`; `wrongStatus` if it cannot be dropped.
  open func cancel() async throws(OktaError) {
    _ = try await object.session.outcome(of: .cancel, [], on: self).get()
  }

  /// Sends what the application likes to a link of this status: the way on from a status that the SDK does not model.
  /// Everything in the payload is taken for a secret. The transaction's token is sent beside it, unless the payload
  /// brings one.
  ///
  /// - Parameters:
  ///   - link: a link of this status or of one of its factors.
  ///   - keyValuePayload: strings, numbers, booleans, `NSNull`, arrays and dictionaries of these.
  ///   - onStatusChange: gets the status that follows.
  ///   - onError: gets `invalidParameters` if the payload cannot be sent as JSON, or why it failed.
  ///   - onFactorStatusUpdate: gets each result that the org reports.
  open func sendRequest(
    with link: LinksResponse.Link, keyValuePayload: [String: Any],
    onStatusChange: @escaping (_ newStatus: OktaAuthStatus) -> Void,
    onError: @escaping (_ error: OktaError) -> Void,
    onFactorStatusUpdate: ((_ state: OktaAPISuccessResponse.FactorResult) -> Void)? = nil
  ) {
    perform(
      .sendRequest, PayloadArguments.arguments(link, keyValuePayload), onStatusChange, onError, onFactorStatusUpdate)
  }

  /// Sends what the application likes to a link of this status.
  ///
  /// - Throws: `OktaError`; `invalidParameters` if the payload cannot be sent as JSON.
  open func sendRequest(
    with link: LinksResponse.Link, keyValuePayload: [String: Any],
    onFactorStatusUpdate: ((_ state: OktaAPISuccessResponse.FactorResult) -> Void)? = nil
  ) async throws(OktaError) -> OktaAuthStatus {
    try await status(
      of: .sendRequest, PayloadArguments.arguments(link, keyValuePayload), onFactorStatusUpdate)
  }

  /// Adds a remark to this flow's record, such as what the application showed. Secrets the flow knows are replaced.
  public func note(_ text: String) { object.session.flow.note(text) }

  /// Makes a call that brings a status.
  func perform(
    _ name: AuthnCall, _ arguments: [(String, JSON?)],
    _ onStatusChange: @escaping (OktaAuthStatus) -> Void, _ onError: @escaping (OktaError) -> Void,
    _ onFactorStatusUpdate: ((OktaAPISuccessResponse.FactorResult) -> Void)?
  ) {
    let callbacks = AuthnSession.Callbacks(
      onStatusChange: onStatusChange, onError: onError, onFactorStatusUpdate: onFactorStatusUpdate)
    object.session.call(name, arguments, on: self, callbacks)
  }

  func perform(
    _ name: AuthnCall, _ arguments: [(String, JSON?)],
    _ onStatusChange: @escaping (OktaAuthStatus) -> Void, _ onError: @escaping (OktaError) -> Void
  ) {
    perform(name, arguments, onStatusChange, onError, nil)
  }

  /// Makes a call and waits for its status.
  func status(
    of name: AuthnCall, _ arguments: [(String, JSON?)],
    _ onFactorStatusUpdate: ((OktaAPISuccessResponse.FactorResult) -> Void)? = nil
  ) async throws(OktaError) -> OktaAuthStatus {
    try await object.session.status(
      of: name, arguments, on: self, AuthnSession.Callbacks(onFactorStatusUpdate: onFactorStatusUpdate))
  }
}
