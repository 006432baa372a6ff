// The base of all status classes (seed «OktaAuthStatus», authn §12, §13).

import EventStore
import FlowRecording

/// A status of a sign-in, with the operations that it offers. Downcast to the class of its `statusType`.
///
/// An object holds an immutable state, folded from the recorded events. After an operation succeeds, the application
/// receives a new object.
///
/// A callback runs on the actor that its call is made from, or on the flow's own serial queue if the call is not made
/// from an actor: one at a time, in the order of the log, and never from inside the method. On that actor or queue, no
/// callback runs before the method has returned; a caller on a thread of its own may be called back on the queue while
/// the method is still returning.
open class OktaAuthStatus: @unchecked Sendable {
  // `@unchecked`: an open class of immutable members; a subclass is responsible for what it adds.
  package let object: AuthnObject
  /// The factors, once requested: created once, so that the application may hold them weakly.
  private let made = Locked<[OktaFactor]?>(nil)

  package init(_ object: AuthnObject) { self.object = object }

  /// Makes the status of an answer, for the subclasses of an application's response handler.
  ///
  /// - Parameters:
  ///   - currentState: the object that was called.
  ///   - model: the answer, as passed to the handler.
  /// - Throws: `OktaError.invalidResponse` if the answer lacks what the class needs.
  public init(currentState: OktaAuthStatus, model: OktaAPISuccessResponse) throws {
    object = model.origin?.object ?? currentState.object
    if let refusal = Self.refusal(of: object), refusal.code != Refusal.unknownStatusCode,
      type(of: self) != OktaAuthStatus.self
    {
      throw OktaError.invalidResponse
    }
  }

  /// Why a state is not valid for this class; `nil` if it is.
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
  /// The factors of the transaction, in the org's order; none in most statuses. Returns the same objects each time.
  public var factors: [OktaFactor] {
    made.withLock { made in
      if let made { return made }
      let factors = OktaFactor.all(of: self)
      made = factors
      return factors
    }
  }
  /// The last result of an asynchronous factor, such as a push, reported by the org.
  open var factorResult: OktaAPISuccessResponse.FactorResult? { model.factorResult }
  /// The stream of this flow in the log, for support requests.
  public var flowID: String { object.session.flow.stream }

  /// Returns a text of the org with every secret that the flow knows replaced.
  package func masked(_ text: String) -> String { object.session.flow.masked(text) }

  /// Whether the transaction can return to the previous status.
  open func canReturn() -> Bool { object.state.transaction.link("prev") != nil }

  /// Whether the transaction can be cancelled.
  open func canCancel() -> Bool { object.state.transaction.link("cancel") != nil }

  /// Whether the status can be polled: a push, or another factor that is answered elsewhere.
  open func canPoll() -> Bool { false }

  /// Returns to the previous status.
  ///
  /// - Parameters:
  ///   - onStatusChange: receives the new status.
  ///   - onError: receives `wrongStatus` if there is no way back, or another error.
  open func returnToPreviousStatus(
    onStatusChange: @escaping (_ newStatus: OktaAuthStatus) -> Void,
    onError: @escaping (_ error: OktaError) -> Void
  ) {
    perform(.returnToPreviousStatus, [], onStatusChange, onError)
  }

  /// Returns to the previous status.
  ///
  /// - Throws: `OktaError`; `wrongStatus` if there is no way back.
  open func returnToPreviousStatus() async throws(OktaError) -> OktaAuthStatus {
    try await status(of: .returnToPreviousStatus, [])
  }

  /// Abandons the transaction and revokes its token. Anything else in progress ends without a callback, polling
  /// immediately.
  ///
  /// - Parameters:
  ///   - onSuccess: called when the org has abandoned it, or if there was nothing to abandon.
  ///   - onError: receives `wrongStatus` if it cannot be abandoned, or another error.
  open func cancel(
    onSuccess: (() -> Void)? = nil,
    onError: ((_ error: OktaError) -> Void)? = nil
  ) {
    let callbacks = AuthnSession.Callbacks(onDone: onSuccess, onError: onError)
    object.session.call(.cancel, [], on: self, callbacks)
  }

  /// Abandons the transaction and revokes its token.
  ///
  /// - Throws: `OktaError`; `wrongStatus` if it cannot be abandoned.
  open func cancel() async throws(OktaError) {
    _ = try await object.session.outcome(of: .cancel, [], on: self).get()
  }

  /// Sends a request of the application's choice to a link of this status: the way on from a status that the SDK does
  /// not model. Everything in the payload is treated as secret. The transaction's token is added, unless the payload
  /// contains one.
  ///
  /// - Parameters:
  ///   - link: a link of this status or of one of its factors.
  ///   - keyValuePayload: strings, numbers, booleans, `NSNull`, arrays and dictionaries of these.
  ///   - onStatusChange: receives the next status.
  ///   - onError: receives `invalidParameters` if the payload cannot be sent as JSON, or another error.
  ///   - onFactorStatusUpdate: receives each result that the org reports.
  open func sendRequest(
    with link: LinksResponse.Link, keyValuePayload: [String: Any],
    onStatusChange: @escaping (_ newStatus: OktaAuthStatus) -> Void,
    onError: @escaping (_ error: OktaError) -> Void,
    onFactorStatusUpdate: ((_ state: OktaAPISuccessResponse.FactorResult) -> Void)? = nil
  ) {
    perform(
      .sendRequest, PayloadArguments.arguments(link, keyValuePayload), onStatusChange, onError, onFactorStatusUpdate)
  }

  /// Sends a request of the application's choice to a link of this status.
  ///
  /// - Throws: `OktaError`; `invalidParameters` if the payload cannot be sent as JSON.
  open func sendRequest(
    with link: LinksResponse.Link, keyValuePayload: [String: Any],
    onFactorStatusUpdate: ((_ state: OktaAPISuccessResponse.FactorResult) -> Void)? = nil
  ) async throws(OktaError) -> OktaAuthStatus {
    try await status(
      of: .sendRequest, PayloadArguments.arguments(link, keyValuePayload), onFactorStatusUpdate)
  }

  /// Adds a note to this flow's record, such as what the application showed. Known secrets are replaced in it.
  public func note(_ text: String) { object.session.flow.note(text) }

  /// Makes a call that returns a status.
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
