// The end of a sign-in (seed «OktaAuthStatusSuccess»).

/// The transaction has completed.
open class OktaAuthStatusSuccess: OktaAuthStatus, @unchecked Sendable {
  /// The token to exchange for a session or for tokens, once, within five minutes; nil after an unlock or a step-up.
  public var sessionToken: String? { model.sessionToken }

  /// The purpose of the recovery that ended here; nil after a sign-in.
  public var recoveryType: OktaAPISuccessResponse.RecoveryType? { model.recoveryType }
}
