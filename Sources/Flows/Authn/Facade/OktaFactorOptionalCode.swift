// Activating and verifying with a code or without one (authn §13.5).

import EventStore

/// A factor that is activated and verified with or without a code: the common base of `OktaFactorPhone` and
/// `OktaFactorOther`.
public class OktaFactorOptionalCode: OktaFactor, @unchecked Sendable {
  /// Activates the factor by a code.
  ///
  /// - Parameters:
  ///   - passCode: the code that the user typed; nil sends none.
  ///   - onStatusChange: receives the next status.
  ///   - onError: receives the error; a wrong code does not change the status.
  ///   - onFactorStatusUpdate: receives each result that the org reports.
  public override func activate(
    passCode: String? = nil,
    onStatusChange: @escaping (_ newStatus: OktaAuthStatus) -> Void,
    onError: @escaping (_ error: OktaError) -> Void,
    onFactorStatusUpdate: ((_ state: OktaAPISuccessResponse.FactorResult) -> Void)? = nil
  ) {
    perform(
      .activateFactor, [("passCode", passCode.map(JSON.string))], onStatusChange, onError, onFactorStatusUpdate)
  }

  /// Activates the factor by a code.
  ///
  /// - Throws: `OktaError`; a wrong code does not change the status.
  public override func activate(
    passCode: String? = nil, onFactorStatusUpdate: ((_ state: OktaAPISuccessResponse.FactorResult) -> Void)? = nil
  ) async throws(OktaError) -> OktaAuthStatus {
    try await status(
      of: .activateFactor, [("passCode", passCode.map(JSON.string))], onFactorStatusUpdate)
  }

  /// Verifies a code; without one, sends another or polls.
  ///
  /// - Parameters:
  ///   - passCode: the code that the user typed; nil sends none.
  ///   - rememberDevice: whether the org may skip this step on this device from now on; nil omits it.
  ///   - onStatusChange: receives the next status.
  ///   - onError: receives the error; a wrong code does not change the status.
  ///   - onFactorStatusUpdate: receives each result that the org reports.
  public func verify(
    passCode: String? = nil, rememberDevice: Bool? = nil,
    onStatusChange: @escaping (_ newStatus: OktaAuthStatus) -> Void,
    onError: @escaping (_ error: OktaError) -> Void,
    onFactorStatusUpdate: ((_ state: OktaAPISuccessResponse.FactorResult) -> Void)? = nil
  ) {
    perform(
      .verifyFactor, [("passCode", passCode.map(JSON.string)), ("rememberDevice", rememberDevice.map(JSON.bool))],
      onStatusChange, onError, onFactorStatusUpdate)
  }

  /// Verifies a code; without one, sends another or polls.
  ///
  /// - Throws: `OktaError`; a wrong code does not change the status.
  public func verify(
    passCode: String? = nil, rememberDevice: Bool? = nil,
    onFactorStatusUpdate: ((_ state: OktaAPISuccessResponse.FactorResult) -> Void)? = nil
  ) async throws(OktaError) -> OktaAuthStatus {
    try await status(
      of: .verifyFactor, [("passCode", passCode.map(JSON.string)), ("rememberDevice", rememberDevice.map(JSON.bool))],
      onFactorStatusUpdate)
  }
}
