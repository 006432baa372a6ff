// A code of a token (seed «OktaFactorToken»).

import EventStore

/// A code that a token shows: RSA SecurID, Symantec VIP, on-premises.
public final class OktaFactorToken: OktaFactor, @unchecked Sendable {
  /// The id of the token.
  public var credentialId: String? { profile["credentialId"]?.string }

  /// The token's maker.
  public var factorProvider: FactorProvider { provider }

  /// Sets the factor up.
  ///
  /// - Parameters:
  ///   - credentialId: the id of the token.
  ///   - passCode: the code that the user typed.
  ///   - nextPassCode: the code that the token shows next, where the maker asks for two.
  ///   - onStatusChange: gets the activation, or what follows a factor that needs none.
  ///   - onError: gets `wrongStatus` where the factor cannot be enrolled, or why it failed.
  ///   - isolation: where to call back; the caller's.
  public func enroll(
    credentialId: String, passCode: String, nextPassCode: String? = nil,
    onStatusChange: @escaping (_ newStatus: OktaAuthStatus) -> Void,
    onError: @escaping (_ error: OktaError) -> Void,
    isolation: isolated (any Actor)? = #isolation
  ) {
    perform(
      "enrollFactor",
      [
        ("factor", .int(index)), ("credentialId", .string(credentialId)), ("passCode", .string(passCode)),
        ("nextPassCode", nextPassCode.map(JSON.string)),
      ], onStatusChange, onError, isolation)
  }

  /// Sets the factor up.
  ///
  /// - Throws: `OktaError`; `wrongStatus` where the factor cannot be enrolled.
  public func enroll(
    credentialId: String, passCode: String, nextPassCode: String? = nil, isolation: isolated (any Actor)? = #isolation
  ) async throws(OktaError) -> OktaAuthStatus {
    try await status(
      of: "enrollFactor",
      [
        ("factor", .int(index)), ("credentialId", .string(credentialId)), ("passCode", .string(passCode)),
        ("nextPassCode", nextPassCode.map(JSON.string)),
      ], isolation: isolation)
  }

  /// Selects the factor and verifies a code in one step.
  ///
  /// - Parameters:
  ///   - passCode: the code that the user typed.
  ///   - rememberDevice: whether the org may skip this step on this device from now on; nil leaves it out.
  ///   - onStatusChange: gets the status that follows.
  ///   - onError: gets `wrongStatus` where the factor cannot be selected, or why it failed.
  ///   - isolation: where to call back; the caller's.
  public func select(
    passCode: String, rememberDevice: Bool? = nil,
    onStatusChange: @escaping (_ newStatus: OktaAuthStatus) -> Void,
    onError: @escaping (_ error: OktaError) -> Void,
    isolation: isolated (any Actor)? = #isolation
  ) {
    perform(
      "selectFactor",
      [("factor", .int(index)), ("passCode", .string(passCode)), ("rememberDevice", rememberDevice.map(JSON.bool))],
      onStatusChange, onError, isolation)
  }

  /// Selects the factor and verifies a code in one step.
  ///
  /// - Throws: `OktaError`; `wrongStatus` where the factor cannot be selected.
  public func select(
    passCode: String, rememberDevice: Bool? = nil, isolation: isolated (any Actor)? = #isolation
  ) async throws(OktaError) -> OktaAuthStatus {
    try await status(
      of: "selectFactor",
      [("factor", .int(index)), ("passCode", .string(passCode)), ("rememberDevice", rememberDevice.map(JSON.bool))],
      isolation: isolation)
  }

  /// Verifies a code.
  ///
  /// - Parameters:
  ///   - passCode: the code that the user typed.
  ///   - rememberDevice: whether the org may skip this step on this device from now on; nil leaves it out.
  ///   - onStatusChange: gets the status that follows.
  ///   - onError: gets why it failed; a wrong code leaves the status as it is.
  ///   - onFactorStatusUpdate: gets each result that the org tells.
  ///   - isolation: where to call back; the caller's.
  public func verify(
    passCode: String, rememberDevice: Bool? = nil,
    onStatusChange: @escaping (_ newStatus: OktaAuthStatus) -> Void,
    onError: @escaping (_ error: OktaError) -> Void,
    onFactorStatusUpdate: ((_ state: OktaAPISuccessResponse.FactorResult) -> Void)? = nil,
    isolation: isolated (any Actor)? = #isolation
  ) {
    perform(
      "verifyFactor", [("passCode", .string(passCode)), ("rememberDevice", rememberDevice.map(JSON.bool))],
      onStatusChange, onError, onFactorStatusUpdate, isolation)
  }

  /// Verifies a code.
  ///
  /// - Throws: `OktaError`; a wrong code leaves the status as it is.
  public func verify(
    passCode: String, rememberDevice: Bool? = nil,
    onFactorStatusUpdate: ((_ state: OktaAPISuccessResponse.FactorResult) -> Void)? = nil,
    isolation: isolated (any Actor)? = #isolation
  ) async throws(OktaError) -> OktaAuthStatus {
    try await status(
      of: "verifyFactor", [("passCode", .string(passCode)), ("rememberDevice", rememberDevice.map(JSON.bool))],
      onFactorStatusUpdate, isolation: isolation)
  }
}
