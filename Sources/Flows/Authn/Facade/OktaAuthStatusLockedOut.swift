// A locked account (seed «OktaAuthStatusLockedOut»).

import EventStore

/// The account is locked: the user unlocks it, or an administrator must.
open class OktaAuthStatusLockedOut: OktaAuthStatus, @unchecked Sendable {
  /// Whether the user may unlock the account.
  open func canUnlock() -> Bool { object.state.transaction.link("next") != nil }

  /// Starts to unlock the account.
  ///
  /// - Parameters:
  ///   - username: login or short name.
  ///   - factorType: how to reach the user.
  ///   - onStatusChange: gets the status that follows.
  ///   - onError: gets `wrongStatus` where only an administrator can unlock it, or why it failed.
  open func unlock(
    username: String, factorType: OktaRecoveryFactors,
    onStatusChange: @escaping (_ newStatus: OktaAuthStatus) -> Void,
    onError: @escaping (_ error: OktaError) -> Void
  ) {
    perform(
      "unlock", [("username", .string(username)), ("factorType", .string(factorType.rawValue))], onStatusChange,
      onError)
  }

  /// Starts to unlock the account.
  ///
  /// - Throws: `OktaError`; `wrongStatus` where only an administrator can unlock it.
  open func unlock(
    username: String, factorType: OktaRecoveryFactors
  ) async throws(OktaError) -> OktaAuthStatus {
    try await status(
      of: "unlock", [("username", .string(username)), ("factorType", .string(factorType.rawValue))])
  }
}
