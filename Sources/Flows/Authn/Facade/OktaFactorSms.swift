// A code by text message (seed «OktaFactorSms»).

import EventStore

/// A code that is sent to a phone.
public final class OktaFactorSms: OktaFactor, @unchecked Sendable {
  /// The phone number, as far as the org shows it.
  public var phoneNumber: String? { profile["phoneNumber"]?.string }

  /// Sends a code.
  ///
  /// - Parameters:
  ///   - onStatusChange: gets the challenge.
  ///   - onError: gets why it failed.
  ///   - isolation: where to call back; the caller's.
  public func select(
    onStatusChange: @escaping (_ newStatus: OktaAuthStatus) -> Void,
    onError: @escaping (_ error: OktaError) -> Void,
    isolation: isolated (any Actor)? = #isolation
  ) {
    select([], AuthnSession.Callbacks(onStatusChange: onStatusChange, onError: onError), isolation)
  }

  /// Sends a code.
  ///
  /// - Throws: `OktaError`.
  public func select(isolation: isolated (any Actor)? = #isolation) async throws(OktaError) -> OktaAuthStatus {
    try await object.session.status(
      of: "selectFactor", [("factor", .int(index))], on: status, isolation: isolation)
  }

  /// Verifies a code.
  ///
  /// - Parameters:
  ///   - passCode: the code that the user typed.
  ///   - onStatusChange: gets the status that follows.
  ///   - onError: gets why it failed; a wrong code leaves the status as it is.
  ///   - onFactorStatusUpdate: gets each result that the org tells.
  ///   - isolation: where to call back; the caller's.
  public func verify(
    passCode: String?,
    onStatusChange: @escaping (_ newStatus: OktaAuthStatus) -> Void,
    onError: @escaping (_ error: OktaError) -> Void,
    onFactorStatusUpdate: ((_ state: OktaAPISuccessResponse.FactorResult) -> Void)? = nil,
    isolation: isolated (any Actor)? = #isolation
  ) {
    let callbacks = AuthnSession.Callbacks(
      onStatusChange: onStatusChange, onError: onError, onFactorStatusUpdate: onFactorStatusUpdate)
    verify([("passCode", passCode.map(JSON.string))], callbacks, isolation)
  }

  /// Verifies a code.
  ///
  /// - Throws: `OktaError`; a wrong code leaves the status as it is.
  public func verify(
    passCode: String?, isolation: isolated (any Actor)? = #isolation
  ) async throws(OktaError) -> OktaAuthStatus {
    try await object.session.status(
      of: "verifyFactor", [("passCode", passCode.map(JSON.string))], on: status, isolation: isolation)
  }
}
