// A code that is read off a device, so that selecting and verifying are one step (authn §13.5).

import EventStore

/// A code that the user reads off a device: what `OktaFactorTotp` and `OktaFactorToken` share.
public class OktaFactorCode: OktaFactor, @unchecked Sendable {
  /// Selects the factor and verifies a code in one step.
  ///
  /// - Parameters:
  ///   - passCode: the code that the user typed.
  ///   - rememberDevice: whether the org may skip this step on this device from now on; nil leaves it out.
  ///   - onStatusChange: gets the status that follows.
  ///   - onError: gets `wrongStatus` if the factor cannot be selected, or why it failed.
  public func select(
    passCode: String, rememberDevice: Bool? = nil,
    onStatusChange: @escaping (_ newStatus: OktaAuthStatus) -> Void,
    onError: @escaping (_ error: OktaError) -> Void
  ) {
    perform(
      .selectFactor,
      [("factor", .int(index)), ("passCode", .string(passCode)), ("rememberDevice", rememberDevice.map(JSON.bool))],
      onStatusChange, onError)
  }

  /// Selects the factor and verifies a code in one step.
  ///
  /// - Throws: `OktaError`; `wrongStatus` if the factor cannot be selected.
  public func select(
    passCode: String, rememberDevice: Bool? = nil
  ) async throws(OktaError) -> OktaAuthStatus {
    try await status(
      of: .selectFactor,
      [("factor", .int(index)), ("passCode", .string(passCode)), ("rememberDevice", rememberDevice.map(JSON.bool))])
  }

  /// Verifies a code.
  ///
  /// - Parameters:
  ///   - passCode: the code that the user typed.
  ///   - rememberDevice: whether the org may skip this step on this device from now on; nil leaves it out.
  ///   - onStatusChange: gets the status that follows.
  ///   - onError: gets why it failed; a wrong code leaves the status as it is.
  ///   - onFactorStatusUpdate: gets each result that the org reports.
  public func verify(
    passCode: String, rememberDevice: Bool? = nil,
    onStatusChange: @escaping (_ newStatus: OktaAuthStatus) -> Void,
    onError: @escaping (_ error: OktaError) -> Void,
    onFactorStatusUpdate: ((_ state: OktaAPISuccessResponse.FactorResult) -> Void)? = nil
  ) {
    perform(
      .verifyFactor, [("passCode", .string(passCode)), ("rememberDevice", rememberDevice.map(JSON.bool))],
      onStatusChange, onError, onFactorStatusUpdate)
  }

  /// Verifies a code.
  ///
  /// - Throws: `OktaError`; a wrong code leaves the status as it is.
  public func verify(
    passCode: String, rememberDevice: Bool? = nil,
    onFactorStatusUpdate: ((_ state: OktaAPISuccessResponse.FactorResult) -> Void)? = nil
  ) async throws(OktaError) -> OktaAuthStatus {
    try await status(
      of: .verifyFactor, [("passCode", .string(passCode)), ("rememberDevice", rememberDevice.map(JSON.bool))],
      onFactorStatusUpdate)
  }
}
