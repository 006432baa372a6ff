// The password expires soon (seed «OktaAuthStatusPasswordWarning»).

import EventStore

/// The user's password was right and expires soon: it may be changed.
open class OktaAuthStatusPasswordWarning: OktaAuthStatusPasswordChange, @unchecked Sendable {
  /// How long the password still holds; nil if the org does not say.
  public var passwordExpiration: EmbeddedResponse.Policy.Password.PasswordExpiration? {
    model.embedded?.policy?.password?.expiration
  }

  /// Whether the change can be put off.
  open func canSkip() -> Bool { object.state.transaction.link("skip") != nil }

  /// Puts the change off and goes on.
  ///
  /// - Parameters:
  ///   - onStatusChange: gets the status that follows.
  ///   - onError: gets `wrongStatus` if the status does not offer this, or why it failed.
  open func skipPasswordChange(
    onStatusChange: @escaping (_ newStatus: OktaAuthStatus) -> Void,
    onError: @escaping (_ error: OktaError) -> Void
  ) {
    perform(.skipPasswordChange, [], onStatusChange, onError)
  }

  /// Puts the change off and goes on.
  ///
  /// - Throws: `OktaError`; `wrongStatus` if the status does not offer this.
  open func skipPasswordChange() async throws(OktaError) -> OktaAuthStatus {
    try await status(of: .skipPasswordChange, [])
  }
}
