// A code by text message or by voice call (seed «OktaFactorSms», «OktaFactorCall»), with the same methods.

import EventStore

/// A code that is sent by text message.
public final class OktaFactorSms: OktaFactorPhone, @unchecked Sendable {}

/// A code that is spoken in a phone call.
public final class OktaFactorCall: OktaFactorPhone, @unchecked Sendable {}

/// A code sent to a phone: the common base of `OktaFactorSms` and `OktaFactorCall`.
public class OktaFactorPhone: OktaFactorOptionalCode, @unchecked Sendable {
  /// The phone number, as far as the org shows it.
  public var phoneNumber: String? { profile?.phoneNumber }

  /// Sets the factor up and sends a code.
  ///
  /// - Parameters:
  ///   - phoneNumber: where to send codes; nil for the number that the org knows.
  ///   - phoneExtension: the extension of the number.
  ///   - updatePhone: whether the number replaces a verified one.
  ///   - onStatusChange: receives the activation, or what follows a factor that needs none.
  ///   - onError: receives `wrongStatus` if the factor cannot be enrolled, or another error.
  ///   - onFactorStatusUpdate: receives each result that the org reports.
  public func enroll(
    phoneNumber: String?, phoneExtension: String? = nil, updatePhone: Bool? = nil,
    onStatusChange: @escaping (_ newStatus: OktaAuthStatus) -> Void,
    onError: @escaping (_ error: OktaError) -> Void,
    onFactorStatusUpdate: ((_ state: OktaAPISuccessResponse.FactorResult) -> Void)? = nil
  ) {
    perform(
      .enrollFactor,
      [
        ("factor", .int(index)), ("phoneNumber", phoneNumber.map(JSON.string)),
        ("phoneExtension", phoneExtension.map(JSON.string)), ("updatePhone", updatePhone.map(JSON.bool)),
      ], onStatusChange, onError, onFactorStatusUpdate)
  }

  /// Sets the factor up and sends a code.
  ///
  /// - Throws: `OktaError`; `wrongStatus` if the factor cannot be enrolled.
  public func enroll(
    phoneNumber: String?, phoneExtension: String? = nil, updatePhone: Bool? = nil,
    onFactorStatusUpdate: ((_ state: OktaAPISuccessResponse.FactorResult) -> Void)? = nil
  ) async throws(OktaError) -> OktaAuthStatus {
    try await status(
      of: .enrollFactor,
      [
        ("factor", .int(index)), ("phoneNumber", phoneNumber.map(JSON.string)),
        ("phoneExtension", phoneExtension.map(JSON.string)), ("updatePhone", updatePhone.map(JSON.bool)),
      ], onFactorStatusUpdate)
  }
}
