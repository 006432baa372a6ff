// A recovery that asks its question (seed «OktaAuthStatusRecovery»).

import EventStore

/// The user has requested a recovery, and must answer a question or provide a token.
open class OktaAuthStatusRecovery: OktaAuthStatus, @unchecked Sendable {
  /// The token of the transaction; empty for a trusted application, which has `recoveryToken`.
  public var stateToken: String { model.stateToken ?? "" }

  /// The question to answer; nil if there is none.
  public var recoveryQuestion: String? { model.user?.recoveryQuestion?.question }

  /// The token of the recovery, of a trusted application.
  public var recoveryToken: String? { model.recoveryToken }

  /// What the recovery is for.
  public var recoveryType: OktaAPISuccessResponse.RecoveryType? { model.recoveryType }

  /// Whether the recovery can continue.
  open func canRecover() -> Bool { object.state.transaction.link("next") != nil }

  /// Answers the user's recovery question.
  ///
  /// - Parameters:
  ///   - answer: the answer that the user typed.
  ///   - onStatusChange: receives the next status.
  ///   - onError: receives `wrongStatus` if no answer is asked for, or another error.
  open func recoverWithAnswer(
    _ answer: String,
    onStatusChange: @escaping (_ newStatus: OktaAuthStatus) -> Void,
    onError: @escaping (_ error: OktaError) -> Void
  ) {
    perform(.recoverWithAnswer, [("answer", .string(answer))], onStatusChange, onError)
  }

  /// Answers the user's recovery question.
  ///
  /// - Throws: `OktaError`; `wrongStatus` if the status does not offer this.
  open func recoverWithAnswer(
    _ answer: String
  ) async throws(OktaError) -> OktaAuthStatus {
    try await status(of: .recoverWithAnswer, [("answer", .string(answer))])
  }

  /// Redeems the recovery token. Nothing else is sent with it.
  ///
  /// - Parameters:
  ///   - recoveryToken: the token.
  ///   - onStatusChange: receives the next status.
  ///   - onError: receives `wrongStatus` if the status does not offer this, or another error.
  open func recoverWithToken(
    _ recoveryToken: String,
    onStatusChange: @escaping (_ newStatus: OktaAuthStatus) -> Void,
    onError: @escaping (_ error: OktaError) -> Void
  ) {
    perform(.recoverWithToken, [("recoveryToken", .string(recoveryToken))], onStatusChange, onError)
  }

  /// Redeems the recovery token. Nothing else is sent with it.
  ///
  /// - Throws: `OktaError`; `wrongStatus` if the status does not offer this.
  open func recoverWithToken(
    _ recoveryToken: String
  ) async throws(OktaError) -> OktaAuthStatus {
    try await status(of: .recoverWithToken, [("recoveryToken", .string(recoveryToken))])
  }
}
