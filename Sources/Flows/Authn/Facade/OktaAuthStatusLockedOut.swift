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
  ///   - onError: gets `wrongStatus` if only an administrator can unlock it, or why it failed.
  open func unlock(
    username: String, factorType: OktaRecoveryFactors,
    onStatusChange: @escaping (_ newStatus: OktaAuthStatus) -> Void,
    onError: @escaping (_ error: OktaError) -> Void
  ) {
    unlock(
      username: username, factorType: factorType, relayState: nil, onStatusChange: onStatusChange, onError: onError)
  }

  /// Starts to unlock the account, with more to say about it.
  ///
  /// - Parameters:
  ///   - username: login or short name.
  ///   - factorType: how to reach the user; `nil` leaves it out, which orgs take from trusted applications alone.
  ///   - relayState: comes back unchanged in later answers.
  ///   - onStatusChange: gets the status that follows.
  ///   - onError: gets `wrongStatus` if only an administrator can unlock it, or why it failed.
  public func unlock(
    username: String, factorType: OktaRecoveryFactors?, relayState: String? = nil,
    onStatusChange: @escaping (_ newStatus: OktaAuthStatus) -> Void,
    onError: @escaping (_ error: OktaError) -> Void
  ) {
    perform(.unlock, Self.arguments(username, factorType, relayState), onStatusChange, onError)
  }

  /// Starts to unlock the account.
  ///
  /// - Throws: `OktaError`; `wrongStatus` if only an administrator can unlock it.
  open func unlock(
    username: String, factorType: OktaRecoveryFactors?, relayState: String? = nil
  ) async throws(OktaError) -> OktaAuthStatus {
    try await status(of: .unlock, Self.arguments(username, factorType, relayState))
  }

  private static func arguments(
    _ username: String, _ factorType: OktaRecoveryFactors?, _ relayState: String?
  ) -> [(String, JSON?)] {
    [
      ("username", .string(username)), ("factorType", (factorType?.rawValue).map(JSON.string)),
      ("relayState", relayState.map(JSON.string)),
    ]
  }
}
