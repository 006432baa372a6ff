// A factor is waiting for its answer (seed «OktaAuthStatusFactorChallenge»).

import EventStore

/// The user must answer the challenge: type a code, approve a push.
open class OktaAuthStatusFactorChallenge: OktaAuthStatus, @unchecked Sendable {
  /// The challenged factor.
  open var factor: OktaFactor { factors.first ?? OktaFactorOther(self, index: 0) }

  /// The token of the transaction.
  public var stateToken: String { model.stateToken ?? "" }

  /// Whether an answer can be verified.
  open func canVerify() -> Bool { object.state.transaction.link("next") != nil }

  /// Whether the factor can be polled: the org reports it, or it is a push.
  open override func canPoll() -> Bool { links?.next?.name == "poll" || factor.type == .push }

  /// Whether another code or push can be sent.
  open func canResend() -> Bool { object.state.transaction.resendLink != nil }

  /// Verifies a code or an answer; without either, polls a push until it is answered.
  ///
  /// While the push waits the SDK polls every `pollInterval` seconds and survives up to five lost polls in a row.
  ///
  /// - Parameters:
  ///   - passCode: the code that the user typed.
  ///   - answerToSecurityQuestion: the answer that the user typed.
  ///   - onStatusChange: receives the next status.
  ///   - onError: receives the error.
  ///   - onFactorStatusUpdate: receives each result that the org reports, `waiting` among them.
  open func verifyFactor(
    passCode: String?, answerToSecurityQuestion: String?,
    onStatusChange: @escaping (_ newStatus: OktaAuthStatus) -> Void,
    onError: @escaping (_ error: OktaError) -> Void,
    onFactorStatusUpdate: ((_ state: OktaAPISuccessResponse.FactorResult) -> Void)? = nil
  ) {
    perform(
      .verifyFactor, Self.arguments(passCode, answerToSecurityQuestion, nil, nil), onStatusChange, onError,
      onFactorStatusUpdate)
  }

  /// Verifies a code or an answer, with more options; without either, polls a push until it is answered.
  ///
  /// - Parameters:
  ///   - passCode: the code that the user typed.
  ///   - answerToSecurityQuestion: the answer that the user typed.
  ///   - rememberDevice: whether the org may skip this step on this device from now on; nil omits it.
  ///   - autoPush: whether to send a push automatically the next time; nil omits it.
  ///   - onStatusChange: receives the next status.
  ///   - onError: receives the error.
  ///   - onFactorStatusUpdate: receives each result that the org reports, `waiting` among them.
  ///   - onWaitingStatus: receives the challenge as each poll shows it, with the number to choose if there is one.
  public func verifyFactor(
    passCode: String?, answerToSecurityQuestion: String?, rememberDevice: Bool? = nil, autoPush: Bool? = nil,
    onStatusChange: @escaping (_ newStatus: OktaAuthStatus) -> Void,
    onError: @escaping (_ error: OktaError) -> Void,
    onFactorStatusUpdate: ((_ state: OktaAPISuccessResponse.FactorResult) -> Void)? = nil,
    onWaitingStatus: ((_ challenge: OktaAuthStatusFactorChallenge) -> Void)? = nil
  ) {
    let callbacks = AuthnSession.Callbacks(
      onStatusChange: onStatusChange, onError: onError, onFactorStatusUpdate: onFactorStatusUpdate,
      onWaitingStatus: { ($0 as? OktaAuthStatusFactorChallenge).map { onWaitingStatus?($0) } })
    object.session.call(
      .verifyFactor, Self.arguments(passCode, answerToSecurityQuestion, rememberDevice, autoPush), on: self, callbacks)
  }

  /// Verifies a code or an answer; without either, polls a push until it is answered.
  ///
  /// Cancelling the task stops polling.
  ///
  /// - Throws: `OktaError`; `cancelled` if the task was cancelled or another operation took over.
  open func verifyFactor(
    passCode: String?, answerToSecurityQuestion: String?, rememberDevice: Bool? = nil, autoPush: Bool? = nil,
    onFactorStatusUpdate: ((_ state: OktaAPISuccessResponse.FactorResult) -> Void)? = nil,
    onWaitingStatus: ((_ challenge: OktaAuthStatusFactorChallenge) -> Void)? = nil
  ) async throws(OktaError) -> OktaAuthStatus {
    let callbacks = AuthnSession.Callbacks(
      onFactorStatusUpdate: onFactorStatusUpdate,
      onWaitingStatus: { ($0 as? OktaAuthStatusFactorChallenge).map { onWaitingStatus?($0) } })
    return try await object.session.status(
      of: .verifyFactor, Self.arguments(passCode, answerToSecurityQuestion, rememberDevice, autoPush), on: self,
      callbacks)
  }

  private static func arguments(
    _ passCode: String?, _ answer: String?, _ rememberDevice: Bool?, _ autoPush: Bool?
  ) -> [(String, JSON?)] {
    [
      ("passCode", passCode.map(JSON.string)), ("answer", answer.map(JSON.string)),
      ("rememberDevice", rememberDevice.map(JSON.bool)), ("autoPush", autoPush.map(JSON.bool)),
    ]
  }

  /// Sends another code or push.
  ///
  /// - Parameters:
  ///   - onStatusChange: receives the challenge again; for a push that waits, what it ends with.
  ///   - onError: receives `wrongStatus` if nothing can be resent, or another error.
  open func resendFactor(
    onStatusChange: @escaping (_ newStatus: OktaAuthStatus) -> Void,
    onError: @escaping (_ error: OktaError) -> Void
  ) {
    perform(.resendFactor, [], onStatusChange, onError)
  }

  /// Sends another code or push.
  ///
  /// - Throws: `OktaError`; `wrongStatus` if nothing can be resent.
  open func resendFactor() async throws(OktaError) -> OktaAuthStatus {
    try await object.session.status(of: .resendFactor, [], on: self)
  }
}
