// A code of a token (seed «OktaFactorToken»).

import EventStore

/// A code that a token shows: RSA SecurID, Symantec VIP, on-premises.
public final class OktaFactorToken: OktaFactorCode, @unchecked Sendable {
  /// The id of the token.
  public var credentialId: String? { profile?.credentialId }

  /// The token's maker; `nil` if the org does not report it.
  public var factorProvider: FactorProvider? { provider }

  /// Sets the factor up.
  ///
  /// - Parameters:
  ///   - credentialId: the id of the token.
  ///   - passCode: the code that the user typed.
  ///   - nextPassCode: the code that the token shows next, if the maker asks for two.
  ///   - onStatusChange: receives the activation, or what follows a factor that needs none.
  ///   - onError: receives `wrongStatus` if the factor cannot be enrolled, or another error.
  public func enroll(
    credentialId: String, passCode: String, nextPassCode: String? = nil,
    onStatusChange: @escaping (_ newStatus: OktaAuthStatus) -> Void,
    onError: @escaping (_ error: OktaError) -> Void
  ) {
    perform(
      .enrollFactor,
      [
        ("factor", .int(index)), ("credentialId", .string(credentialId)), ("passCode", .string(passCode)),
        ("nextPassCode", nextPassCode.map(JSON.string)),
      ], onStatusChange, onError)
  }

  /// Sets the factor up.
  ///
  /// - Throws: `OktaError`; `wrongStatus` if the factor cannot be enrolled.
  public func enroll(
    credentialId: String, passCode: String, nextPassCode: String? = nil
  ) async throws(OktaError) -> OktaAuthStatus {
    try await status(
      of: .enrollFactor,
      [
        ("factor", .int(index)), ("credentialId", .string(credentialId)), ("passCode", .string(passCode)),
        ("nextPassCode", nextPassCode.map(JSON.string)),
      ])
  }
}
