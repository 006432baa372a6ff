// A recovery that waits for its code (seed «OktaAuthStatusRecoveryChallenge»).

import EventStore

/// The user must enter the code, or provide the token, that was sent for a recovery. In a recovery by email, only the
/// token is possible.
open class OktaAuthStatusRecoveryChallenge: OktaAuthStatus, @unchecked Sendable {
  /// The token of the transaction; nil for a recovery by mail.
  public var stateToken: String? { model.stateToken }

  /// What the recovery is for.
  public var recoveryType: OktaAPISuccessResponse.RecoveryType? { model.recoveryType }

  /// How the code was sent.
  public var factorType: FactorType? { model.factorType }

  /// Whether a code can be verified.
  open func canVerify() -> Bool { object.state.transaction.link("next") != nil }

  /// Whether another code can be sent.
  open func canResend() -> Bool { object.state.transaction.resendLink != nil }

  /// Verifies the code.
  ///
  /// - Parameters:
  ///   - passCode: the code that the user typed.
  ///   - onStatusChange: receives the next status.
  ///   - onError: receives `wrongStatus` if there is nothing to verify, or another error; a wrong code does not change
  ///     the status.
  open func verifyFactor(
    passCode: String,
    onStatusChange: @escaping (_ newStatus: OktaAuthStatus) -> Void,
    onError: @escaping (_ error: OktaError) -> Void
  ) {
    perform(.verifyFactor, [("passCode", .string(passCode))], onStatusChange, onError)
  }

  /// Verifies the code.
  ///
  /// - Throws: `OktaError`; a wrong code does not change the status.
  open func verifyFactor(
    passCode: String
  ) async throws(OktaError) -> OktaAuthStatus {
    try await status(of: .verifyFactor, [("passCode", .string(passCode))])
  }

  /// Redeems the token of a recovery mail. Nothing else is sent with it.
  ///
  /// - Parameters:
  ///   - recoveryToken: the token from the mail.
  ///   - onStatusChange: receives the next status.
  ///   - onError: receives the error; the token may have expired.
  open func verifyFactor(
    recoveryToken: String,
    onStatusChange: @escaping (_ newStatus: OktaAuthStatus) -> Void,
    onError: @escaping (_ error: OktaError) -> Void
  ) {
    perform(.recoverWithToken, [("recoveryToken", .string(recoveryToken))], onStatusChange, onError)
  }

  /// Redeems the token of a recovery mail. Nothing else is sent with it.
  ///
  /// - Throws: `OktaError`; the token may have expired.
  open func verifyFactor(
    recoveryToken: String
  ) async throws(OktaError) -> OktaAuthStatus {
    try await status(of: .recoverWithToken, [("recoveryToken", .string(recoveryToken))])
  }

  /// Sends another code.
  ///
  /// - Parameters:
  ///   - onStatusChange: receives the challenge again.
  ///   - onError: receives `wrongStatus` if nothing can be resent, or another error.
  open func resendFactor(
    onStatusChange: @escaping (_ newStatus: OktaAuthStatus) -> Void,
    onError: @escaping (_ error: OktaError) -> Void
  ) {
    perform(.resendFactor, [], onStatusChange, onError)
  }

  /// Sends another code.
  ///
  /// - Throws: `OktaError`; `wrongStatus` if nothing can be resent.
  open func resendFactor() async throws(OktaError) -> OktaAuthStatus {
    try await status(of: .resendFactor, [])
  }
}
