// A second factor is required (seed «OktaAuthStatusFactorRequired»).

import EventStore

/// The user must verify with one of the enrolled factors.
open class OktaAuthStatusFactorRequired: OktaAuthStatus, @unchecked Sendable {
  /// The enrolled factors, in the org's order.
  open var availableFactors: [OktaFactor] { factors }

  /// The token of the transaction.
  public var stateToken: String { model.stateToken ?? "" }

  /// Triggers a factor: sends a code or a push.
  ///
  /// - Parameters:
  ///   - factor: one of `availableFactors`.
  ///   - onStatusChange: receives the challenge, or what follows it.
  ///   - onError: receives `wrongStatus` if the factor cannot be selected, or another error.
  open func selectFactor(
    _ factor: OktaFactor,
    onStatusChange: @escaping (_ newStatus: OktaAuthStatus) -> Void,
    onError: @escaping (_ error: OktaError) -> Void
  ) {
    perform(.selectFactor, [("factor", .int(factor.index))], onStatusChange, onError)
  }

  /// Triggers a factor: sends a code or a push.
  ///
  /// - Throws: `OktaError`; `wrongStatus` if the factor cannot be selected.
  open func selectFactor(
    _ factor: OktaFactor
  ) async throws(OktaError) -> OktaAuthStatus {
    try await object.session.status(
      of: .selectFactor, [("factor", .int(factor.index))], on: self)
  }
}
