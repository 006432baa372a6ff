// A locked account (seed «OktaAuthStatusLockedOut»).

/// The account is locked: the user unlocks it, or an administrator must.
open class OktaAuthStatusLockedOut: OktaAuthStatus, @unchecked Sendable {
  /// Whether the user may unlock the account.
  open func canUnlock() -> Bool { object.state.transaction.link("next") != nil }
}
