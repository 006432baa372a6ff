// The password expires soon (seed «OktaAuthStatusPasswordWarning»).

import EventStore

/// The user's password was correct but expires soon: it may be changed.
open class OktaAuthStatusPasswordWarning: OktaAuthStatusPasswordChange, @unchecked Sendable {
  /// How long the password remains valid; nil if the org does not report it.
  public var passwordExpiration: EmbeddedResponse.Policy.Password.PasswordExpiration? {
    model.embedded?.policy?.password?.expiration
  }

  /// Whether the change can be postponed.
  open func canSkip() -> Bool { object.state.transaction.link("skip") != nil }

  /// Postpones the change and continues.
  ///
  /// - Parameters:
  ///   - onStatusChange: receives the next status.
  ///   - onError: receives `wrongStatus` if the status does not offer this, or another error.
  open func skipPasswordChange(
    onStatusChange: @escaping (_ newStatus: OktaAuthStatus) -> Void,
    onError: @escaping (_ error: OktaError) -> Void
  ) {
    perform(.skipPasswordChange, [], onStatusChange, onError)
  }

  /// Postpones the change and continues.
  ///
  /// - Throws: `OktaError`; `wrongStatus` if the status does not offer this.
  open func skipPasswordChange() async throws(OktaError) -> OktaAuthStatus {
    try await status(of: .skipPasswordChange, [])
  }
}
