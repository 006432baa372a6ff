// Any other factor (seed «OktaFactorOther»).

import EventStore

/// A factor without its own class: email, YubiKey, Duo, U2F, WebAuthn, and future kinds.
public final class OktaFactorOther: OktaFactorOptionalCode, @unchecked Sendable {
  /// The data needed to set the factor up; `nil` once that is done.
  public var activation: Activation? { factor.embedded?.activation }

  /// Sets the factor up.
  ///
  /// - Parameters:
  ///   - passCode: the code that the user typed; nil sends none.
  ///   - onStatusChange: receives the activation, or what follows a factor that needs none.
  ///   - onError: receives `wrongStatus` if the factor cannot be enrolled, or another error.
  public func enroll(
    passCode: String? = nil,
    onStatusChange: @escaping (_ newStatus: OktaAuthStatus) -> Void,
    onError: @escaping (_ error: OktaError) -> Void
  ) {
    perform(
      .enrollFactor, [("factor", .int(index)), ("passCode", passCode.map(JSON.string))], onStatusChange, onError)
  }

  /// Sets the factor up.
  ///
  /// - Throws: `OktaError`; `wrongStatus` if the factor cannot be enrolled.
  public func enroll(
    passCode: String? = nil
  ) async throws(OktaError) -> OktaAuthStatus {
    try await status(
      of: .enrollFactor, [("factor", .int(index)), ("passCode", passCode.map(JSON.string))])
  }

  /// Sends the signed response of Duo's widget, at MFA_ENROLL_ACTIVATE or MFA_CHALLENGE. The next poll reports what it
  /// means for the sign-in: activate or verify the factor without a code.
  ///
  /// - Parameters:
  ///   - signedResponse: the widget's `sig_response`.
  ///   - onSuccess: called when the org has accepted it.
  ///   - onError: receives `wrongStatus` if Duo is not involved, or another error.
  public func complete(
    signedResponse: String, onSuccess: @escaping () -> Void, onError: @escaping (_ error: OktaError) -> Void
  ) {
    let callbacks = AuthnSession.Callbacks(onDone: onSuccess, onError: onError)
    object.session.call(
      .completeFactor, completion(signedResponse), on: holder, callbacks)
  }

  /// Sends the signed response of Duo's widget.
  ///
  /// - Throws: `OktaError`; `wrongStatus` if Duo is not involved.
  public func complete(
    signedResponse: String
  ) async throws(OktaError) {
    _ = try await object.session.outcome(
      of: .completeFactor, completion(signedResponse), on: holder
    ).get()
  }

  private func completion(_ signedResponse: String) -> [(String, JSON?)] {
    [("factor", .int(index)), ("sigResponse", .string(signedResponse))]
  }

  /// Selects the factor.
  ///
  /// - Parameters:
  ///   - passCode: the code that the user typed; nil sends none.
  ///   - rememberDevice: whether the org may skip this step on this device from now on; nil omits it.
  ///   - onStatusChange: receives the challenge.
  ///   - onError: receives `wrongStatus` if the factor cannot be selected, or another error.
  public func select(
    passCode: String? = nil, rememberDevice: Bool? = nil,
    onStatusChange: @escaping (_ newStatus: OktaAuthStatus) -> Void,
    onError: @escaping (_ error: OktaError) -> Void
  ) {
    perform(
      .selectFactor,
      [
        ("factor", .int(index)), ("passCode", passCode.map(JSON.string)),
        ("rememberDevice", rememberDevice.map(JSON.bool)),
      ], onStatusChange, onError)
  }

  /// Selects the factor.
  ///
  /// - Throws: `OktaError`; `wrongStatus` if the factor cannot be selected.
  public func select(
    passCode: String? = nil, rememberDevice: Bool? = nil
  ) async throws(OktaError) -> OktaAuthStatus {
    try await status(
      of: .selectFactor,
      [
        ("factor", .int(index)), ("passCode", passCode.map(JSON.string)),
        ("rememberDevice", rememberDevice.map(JSON.bool)),
      ])
  }

  /// Sends a request of the application's choice to a link. Everything in the payload is treated as secret. The
  /// transaction's token is added, unless the payload contains one.
  ///
  /// - Parameters:
  ///   - link: a link of the factor or of its status.
  ///   - keyValuePayload: strings, numbers, booleans, `NSNull`, arrays and dictionaries of these.
  ///   - onStatusChange: receives the next status.
  ///   - onError: receives `invalidParameters` if the payload cannot be sent as JSON, or another error.
  ///   - onFactorStatusUpdate: receives each result that the org reports.
  public func sendRequest(
    with link: LinksResponse.Link, keyValuePayload: [String: Any],
    onStatusChange: @escaping (_ newStatus: OktaAuthStatus) -> Void,
    onError: @escaping (_ error: OktaError) -> Void,
    onFactorStatusUpdate: ((_ state: OktaAPISuccessResponse.FactorResult) -> Void)? = nil
  ) {
    holder.sendRequest(
      with: link, keyValuePayload: keyValuePayload, onStatusChange: onStatusChange, onError: onError,
      onFactorStatusUpdate: onFactorStatusUpdate)
  }

  /// Sends a request of the application's choice to a link. Everything in the payload is treated as secret.
  ///
  /// - Throws: `OktaError`; `invalidParameters` if the payload cannot be sent as JSON.
  public func sendRequest(
    with link: LinksResponse.Link, keyValuePayload: [String: Any],
    onFactorStatusUpdate: ((_ state: OktaAPISuccessResponse.FactorResult) -> Void)? = nil
  ) async throws(OktaError) -> OktaAuthStatus {
    try await holder.sendRequest(
      with: link, keyValuePayload: keyValuePayload, onFactorStatusUpdate: onFactorStatusUpdate)
  }
}
