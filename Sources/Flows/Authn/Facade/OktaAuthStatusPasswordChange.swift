// A password that must or may be changed (authn §13.4).

import EventStore

/// The user's password was correct but must or may be changed: the common base of `OktaAuthStatusPasswordExpired` and
/// `OktaAuthStatusPasswordWarning`.
open class OktaAuthStatusPasswordChange: OktaAuthStatus, @unchecked Sendable {
  /// The token of the transaction.
  public var stateToken: String { model.stateToken ?? "" }

  /// The rules for passwords; nil if the org does not send them.
  public var passwordComplexity: EmbeddedResponse.Policy.Password.PasswordComplexity? {
    model.embedded?.policy?.password?.complexity
  }

  /// The rules on the age of passwords; nil if the org does not send them.
  public var passwordAge: EmbeddedResponse.Policy.Password.PasswordAge? { model.embedded?.policy?.password?.age }

  /// Whether the password can be changed.
  open func canChange() -> Bool { object.state.transaction.link("next") != nil }

  /// Changes the password.
  ///
  /// - Parameters:
  ///   - oldPassword: the password until now.
  ///   - newPassword: the new password.
  ///   - onStatusChange: receives the next status.
  ///   - onError: receives `wrongStatus` if it cannot be changed, or another error: the old one is wrong, or the new
  ///     one breaks a rule.
  open func changePassword(
    oldPassword: String, newPassword: String,
    onStatusChange: @escaping (_ newStatus: OktaAuthStatus) -> Void,
    onError: @escaping (_ error: OktaError) -> Void
  ) {
    perform(
      .changePassword, [("oldPassword", .string(oldPassword)), ("newPassword", .string(newPassword))], onStatusChange,
      onError)
  }

  /// Changes the password, and optionally ends the user's other sessions.
  ///
  /// - Parameters:
  ///   - oldPassword: the password until now.
  ///   - newPassword: the new password.
  ///   - revokeSessions: whether other sessions of the user end; nil leaves it to the org.
  ///   - onStatusChange: receives the next status.
  ///   - onError: receives `wrongStatus` if it cannot be changed, or another error.
  public func changePassword(
    oldPassword: String, newPassword: String, revokeSessions: Bool?,
    onStatusChange: @escaping (_ newStatus: OktaAuthStatus) -> Void,
    onError: @escaping (_ error: OktaError) -> Void
  ) {
    perform(
      .changePassword,
      [
        ("oldPassword", .string(oldPassword)), ("newPassword", .string(newPassword)),
        ("revokeSessions", revokeSessions.map(JSON.bool)),
      ], onStatusChange, onError)
  }

  /// Changes the password.
  ///
  /// - Throws: `OktaError`; the old password may be wrong, or the new one break a rule.
  open func changePassword(
    oldPassword: String, newPassword: String, revokeSessions: Bool? = nil
  ) async throws(OktaError) -> OktaAuthStatus {
    try await status(
      of: .changePassword,
      [
        ("oldPassword", .string(oldPassword)), ("newPassword", .string(newPassword)),
        ("revokeSessions", revokeSessions.map(JSON.bool)),
      ])
  }
}
