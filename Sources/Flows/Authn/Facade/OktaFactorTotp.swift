// A time-based code (seed «OktaFactorTotp»).

import EventStore

/// A code that an authenticator app shows (RFC 6238).
public final class OktaFactorTotp: OktaFactorCode, @unchecked Sendable {
  /// The data needed to set the factor up; `nil` once that is done.
  public var activation: Activation? { factor.embedded?.activation }

  /// The links of the activation.
  public var activationLinks: LinksResponse? { activation?.links }

  /// The image to scan, which carries the secret.
  public var qrCodeLink: LinksResponse.QRCode? { activationLinks?.qrcode }

  /// Sets the factor up.
  ///
  /// - Parameters:
  ///   - onStatusChange: receives the activation, or what follows a factor that needs none.
  ///   - onError: receives `wrongStatus` if the factor cannot be enrolled, or another error.
  public func enroll(
    onStatusChange: @escaping (_ newStatus: OktaAuthStatus) -> Void,
    onError: @escaping (_ error: OktaError) -> Void
  ) {
    perform(.enrollFactor, [("factor", .int(index))], onStatusChange, onError)
  }

  /// Sets the factor up.
  ///
  /// - Throws: `OktaError`; `wrongStatus` if the factor cannot be enrolled.
  public func enroll() async throws(OktaError) -> OktaAuthStatus {
    try await status(of: .enrollFactor, [("factor", .int(index))])
  }

  /// Activates the factor by a code.
  ///
  /// - Parameters:
  ///   - passCode: the code that the user typed.
  ///   - onStatusChange: receives the next status.
  ///   - onError: receives the error; a wrong code does not change the status.
  ///   - onFactorStatusUpdate: receives each result that the org reports.
  public func activate(
    passCode: String,
    onStatusChange: @escaping (_ newStatus: OktaAuthStatus) -> Void,
    onError: @escaping (_ error: OktaError) -> Void,
    onFactorStatusUpdate: ((_ state: OktaAPISuccessResponse.FactorResult) -> Void)? = nil
  ) {
    perform(
      .activateFactor, [("passCode", .string(passCode))], onStatusChange, onError, onFactorStatusUpdate)
  }

  /// Activates the factor by a code.
  ///
  /// - Throws: `OktaError`; a wrong code does not change the status.
  public func activate(
    passCode: String, onFactorStatusUpdate: ((_ state: OktaAPISuccessResponse.FactorResult) -> Void)? = nil
  ) async throws(OktaError) -> OktaAuthStatus {
    try await status(
      of: .activateFactor, [("passCode", .string(passCode))], onFactorStatusUpdate)
  }
}
