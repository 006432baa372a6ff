// A locked account (seed «OktaAuthStatusLockedOut»).

import EventStore

/// The account is locked: the user or an administrator must unlock it.
open class OktaAuthStatusLockedOut: OktaAuthStatus, @unchecked Sendable {
  /// Whether the user may unlock the account.
  open func canUnlock() -> Bool { object.state.transaction.link("next") != nil }

  /// Starts to unlock the account.
  ///
  /// - Parameters:
  ///   - username: login or short name.
  ///   - factorType: how to reach the user.
  ///   - onStatusChange: receives the next status.
  ///   - onError: receives `wrongStatus` if only an administrator can unlock it, or another error.
  open func unlock(
    username: String, factorType: OktaRecoveryFactors,
    onStatusChange: @escaping (_ newStatus: OktaAuthStatus) -> Void,
    onError: @escaping (_ error: OktaError) -> Void
  ) {
    unlock(
      username: username, factorType: factorType, relayState: nil, onStatusChange: onStatusChange, onError: onError)
  }

  /// Starts to unlock the account, with more options.
  ///
  /// - Parameters:
  ///   - username: login or short name.
  ///   - factorType: how to reach the user; `nil` omits it, which orgs accept only from trusted applications.
  ///   - relayState: returned unchanged in later answers.
  ///   - onStatusChange: receives the next status.
  ///   - onError: receives `wrongStatus` if only an administrator can unlock it, or another error.
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
