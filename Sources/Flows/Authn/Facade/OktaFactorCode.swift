// A code that is read from a device, so that selecting and verifying are one step (authn §13.5).

import EventStore

/// A code that the user reads from a device: the common base of `OktaFactorTotp` and `OktaFactorToken`.
public class OktaFactorCode: OktaFactor, @unchecked Sendable {
  /// Selects the factor and verifies a code in one step.
  ///
  /// - Parameters:
  ///   - passCode: the code that the user typed.
  ///   - rememberDevice: whether the org may skip this step on this device from now on; nil omits it.
  ///   - onStatusChange: receives the next status.
  ///   - onError: receives `wrongStatus` if the factor cannot be selected, or another error.
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
  ///   - rememberDevice: whether the org may skip this step on this device from now on; nil omits it.
  ///   - onStatusChange: receives the next status.
  ///   - onError: receives the error; a wrong code does not change the status.
  ///   - onFactorStatusUpdate: receives each result that the org reports.
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
  /// - Throws: `OktaError`; a wrong code does not change the status.
  public func verify(
    passCode: String, rememberDevice: Bool? = nil,
    onFactorStatusUpdate: ((_ state: OktaAPISuccessResponse.FactorResult) -> Void)? = nil
  ) async throws(OktaError) -> OktaAuthStatus {
    try await status(
      of: .verifyFactor, [("passCode", .string(passCode)), ("rememberDevice", rememberDevice.map(JSON.bool))],
      onFactorStatusUpdate)
  }
}
