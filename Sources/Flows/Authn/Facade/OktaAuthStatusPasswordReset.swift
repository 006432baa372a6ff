// A new password is required (seed «OktaAuthStatusPasswordReset»).

import EventStore

/// The user has proved who they are and must set a new password.
open class OktaAuthStatusPasswordReset: OktaAuthStatus, @unchecked Sendable {
  /// The token of the transaction.
  public var stateToken: String { model.stateToken ?? "" }

  /// What the recovery is for; nil if a new user sets a first password.
  public var recoveryType: OktaAPISuccessResponse.RecoveryType? { model.recoveryType }

  /// How long the password remains valid; nil if the org does not report it.
  public var passwordExpiration: EmbeddedResponse.Policy.Password.PasswordExpiration? {
    model.embedded?.policy?.password?.expiration
  }

  /// The rules for passwords; nil if the org does not send them.
  public var passwordComplexity: EmbeddedResponse.Policy.Password.PasswordComplexity? {
    model.embedded?.policy?.password?.complexity
  }

  /// The rules on the age of passwords; nil if the org does not send them.
  public var passwordAge: EmbeddedResponse.Policy.Password.PasswordAge? { model.embedded?.policy?.password?.age }

  /// Whether the password can be reset.
  open func canReset() -> Bool { object.state.transaction.link("next") != nil }

  /// Sets the new password.
  ///
  /// - Parameters:
  ///   - newPassword: the new password.
  ///   - onStatusChange: receives the next status.
  ///   - onError: receives `wrongStatus` if it cannot be reset, or another error: the password breaks a rule.
  open func resetPassword(
    newPassword: String,
    onStatusChange: @escaping (_ newStatus: OktaAuthStatus) -> Void,
    onError: @escaping (_ error: OktaError) -> Void
  ) {
    perform(.resetPassword, [("newPassword", .string(newPassword))], onStatusChange, onError)
  }

  /// Sets the new password, and optionally ends the user's other sessions.
  ///
  /// - Parameters:
  ///   - newPassword: the new password.
  ///   - revokeSessions: whether other sessions of the user end; nil leaves it to the org.
  ///   - onStatusChange: receives the next status.
  ///   - onError: receives `wrongStatus` if it cannot be reset, or another error.
  public func resetPassword(
    newPassword: String, revokeSessions: Bool?,
    onStatusChange: @escaping (_ newStatus: OktaAuthStatus) -> Void,
    onError: @escaping (_ error: OktaError) -> Void
  ) {
    perform(
      .resetPassword, [("newPassword", .string(newPassword)), ("revokeSessions", revokeSessions.map(JSON.bool))],
      onStatusChange, onError)
  }

  /// Sets the new password.
  ///
  /// - Throws: `OktaError`; the password may break a rule.
  open func resetPassword(
    newPassword: String, revokeSessions: Bool? = nil
  ) async throws(OktaError) -> OktaAuthStatus {
    try await status(
      of: .resetPassword, [("newPassword", .string(newPassword)), ("revokeSessions", revokeSessions.map(JSON.bool))])
  }
}
