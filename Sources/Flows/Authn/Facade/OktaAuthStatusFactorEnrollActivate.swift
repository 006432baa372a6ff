// A new factor is waiting for its activation (seed «OktaAuthStatusFactorEnrollActivate»).

import EventStore
import Foundation

/// The user must activate the factor that is being set up.
open class OktaAuthStatusFactorEnrollActivate: OktaAuthStatus, @unchecked Sendable {
  /// The token of the transaction.
  public var stateToken: String { model.stateToken ?? "" }

  /// The factor that is being set up.
  open var factor: OktaFactor { factors.first ?? OktaFactorOther(self, index: 0) }

  /// The link that continues the activation.
  public var activateLink: LinksResponse.Link {
    links?.next ?? LinksResponse.Link(href: URL(fileURLWithPath: "/"))
  }

  /// Whether the factor can be polled: the org reports it, or it is a push.
  open override func canPoll() -> Bool { links?.next?.name == "poll" || factor.type == .push }

  /// Whether another code can be sent.
  open func canResend() -> Bool { object.state.transaction.resendLink != nil }

  /// Whether another code can be sent.
  open func canResend(factor: OktaFactor) -> Bool { canResend() }

  /// Activates the factor: verifies a code; without one, polls until the device has been set up. After a timeout,
  /// restarts the activation.
  ///
  /// While the device is waited for, the SDK polls every `pollInterval` seconds and survives up to five lost polls in a
  /// row.
  ///
  /// - Parameters:
  ///   - passCode: the code that the user typed.
  ///   - onStatusChange: receives the next status.
  ///   - onError: receives the error; a wrong code does not change the status.
  ///   - onFactorStatusUpdate: receives each result that the org reports.
  open func activateFactor(
    passCode: String?,
    onStatusChange: @escaping (_ newStatus: OktaAuthStatus) -> Void,
    onError: @escaping (_ error: OktaError) -> Void,
    onFactorStatusUpdate: ((_ state: OktaAPISuccessResponse.FactorResult) -> Void)? = nil
  ) {
    perform(
      .activateFactor, [("passCode", passCode.map(JSON.string))], onStatusChange, onError, onFactorStatusUpdate)
  }

  /// Activates the factor, and shows the status after each poll.
  ///
  /// - Parameters:
  ///   - passCode: the code that the user typed.
  ///   - onStatusChange: receives the next status.
  ///   - onError: receives the error; a wrong code does not change the status.
  ///   - onFactorStatusUpdate: receives each result that the org reports.
  ///   - onWaitingStatus: receives the status as each poll shows it.
  public func activateFactor(
    passCode: String?,
    onStatusChange: @escaping (_ newStatus: OktaAuthStatus) -> Void,
    onError: @escaping (_ error: OktaError) -> Void,
    onFactorStatusUpdate: ((_ state: OktaAPISuccessResponse.FactorResult) -> Void)? = nil,
    onWaitingStatus: @escaping (_ status: OktaAuthStatusFactorEnrollActivate) -> Void
  ) {
    let callbacks = AuthnSession.Callbacks(
      onStatusChange: onStatusChange, onError: onError, onFactorStatusUpdate: onFactorStatusUpdate,
      onWaitingStatus: { ($0 as? OktaAuthStatusFactorEnrollActivate).map { onWaitingStatus($0) } })
    object.session.call(
      .activateFactor, [("passCode", passCode.map(JSON.string))], on: self, callbacks)
  }

  /// Activates the factor: verifies a code; without one, polls until the device has been set up. After a timeout,
  /// restarts the activation.
  ///
  /// - Throws: `OktaError`; `cancelled` if the task was cancelled or another operation took over.
  open func activateFactor(
    passCode: String?, onFactorStatusUpdate: ((_ state: OktaAPISuccessResponse.FactorResult) -> Void)? = nil,
    onWaitingStatus: ((_ status: OktaAuthStatusFactorEnrollActivate) -> Void)? = nil
  ) async throws(OktaError) -> OktaAuthStatus {
    let callbacks = AuthnSession.Callbacks(
      onFactorStatusUpdate: onFactorStatusUpdate,
      onWaitingStatus: { ($0 as? OktaAuthStatusFactorEnrollActivate).map { onWaitingStatus?($0) } })
    return try await object.session.status(
      of: .activateFactor, [("passCode", passCode.map(JSON.string))], on: self, callbacks)
  }

  /// Sends another code.
  ///
  /// - Parameters:
  ///   - onStatusChange: receives the activation again.
  ///   - onError: receives `wrongStatus` if nothing can be resent, or another error.
  open func resendFactor(
    onStatusChange: @escaping (_ newStatus: OktaAuthStatus) -> Void,
    onError: @escaping (_ error: OktaError) -> Void
  ) {
    perform(.resendFactor, [], onStatusChange, onError)
  }

  /// Sends another code.
  ///
  /// - Throws: `OktaError`; `wrongStatus` if nothing can be resent.
  open func resendFactor() async throws(OktaError) -> OktaAuthStatus {
    try await status(of: .resendFactor, [])
  }
}
