// A push to an authenticator app (seed «OktaFactorPush»).

import EventStore
import FlowRecording

/// A push that the user approves or rejects on a device.
public final class OktaFactorPush: OktaFactor, @unchecked Sendable {
  /// The data needed to set the factor up; `nil` once that is done.
  public var activation: Activation? { factor.embedded?.activation }

  /// The links of the activation.
  public var activationLinks: LinksResponse? { activation?.links }

  /// The image to scan, which carries the secret.
  public var qrCodeLink: LinksResponse.QRCode? { activationLinks?.qrcode }

  /// The ways to send the activation link to the device.
  public var sendLinks: [LinksResponse.Link]? { activationLinks?.send }

  /// Whether the activation link can be sent by text message.
  public func canSendPushCodeViaSms() -> Bool { codeViaSmsLink() != nil }

  /// Whether the activation link can be sent by mail.
  public func canSendPushCodeViaEmail() -> Bool { codeViaEmailLink() != nil }

  /// The link for requesting the activation link by text message.
  public func codeViaSmsLink() -> LinksResponse.Link? { sendLink("sms") }

  /// The link for requesting the activation link by email.
  public func codeViaEmailLink() -> LinksResponse.Link? { sendLink("email") }

  private func sendLink(_ channel: String) -> LinksResponse.Link? {
    sendLinks?.first { $0.name?.lowercased() == channel }
  }

  /// The prompt that the user sees on the device; `nil` if there is none.
  public var challenge: EmbeddedResponse.Factor.Embedded.Challenge? { factor.embedded?.challenge }

  /// The number that the user must choose on the device; shown by polls while the user looks at the numbers.
  public var correctAnswer: Int? { challenge?.correctAnswer }

  /// Sets the factor up. The user then scans `qrCodeLink`, or opens the link that is sent by text message or mail.
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

  /// Sets the factor up. The user then scans `qrCodeLink`, or opens the link that is sent by text message or mail.
  ///
  /// - Throws: `OktaError`; `wrongStatus` if the factor cannot be enrolled.
  public func enroll() async throws(OktaError) -> OktaAuthStatus {
    try await status(of: .enrollFactor, [("factor", .int(index))])
  }

  /// Polls until the device has been set up; after a time-out, begins the activation again. Cancelling the task of the
  /// async form stops polling.
  ///
  /// - Parameters:
  ///   - onStatusChange: receives the next status.
  ///   - onError: receives the error; a wrong code does not change the status.
  ///   - onFactorStatusUpdate: receives each result that the org reports.
  public func activate(
    onStatusChange: @escaping (_ newStatus: OktaAuthStatus) -> Void,
    onError: @escaping (_ error: OktaError) -> Void,
    onFactorStatusUpdate: ((_ state: OktaAPISuccessResponse.FactorResult) -> Void)? = nil
  ) {
    perform(.activateFactor, [], onStatusChange, onError, onFactorStatusUpdate)
  }

  /// Polls until the device has been set up; after a time-out, begins the activation again. Cancelling the task of the
  /// async form stops polling.
  ///
  /// - Throws: `OktaError`; `cancelled` if the task was cancelled or another operation took over.
  public func activate(
    onFactorStatusUpdate: ((_ state: OktaAPISuccessResponse.FactorResult) -> Void)? = nil
  ) async throws(OktaError) -> OktaAuthStatus {
    try await status(of: .activateFactor, [], onFactorStatusUpdate)
  }

  /// Asks the org once what happened to the push, at MFA_CHALLENGE or MFA_ENROLL_ACTIVATE. For applications that poll
  /// by themselves: `verify` and `activate` poll until the push is answered.
  ///
  /// - Parameters:
  ///   - onStatusChange: receives the next status; its `factorResult` is `waiting` until the push is answered.
  ///   - onError: receives `wrongStatus` if there is nothing to poll, or another error.
  public func checkFactorResult(
    onStatusChange: @escaping (_ newStatus: OktaAuthStatus) -> Void,
    onError: @escaping (_ error: OktaError) -> Void
  ) {
    perform(.checkFactorResult, [], onStatusChange, onError)
  }

  /// Asks the org once what happened to the push.
  ///
  /// - Throws: `OktaError`; `wrongStatus` if there is nothing to poll.
  public func checkFactorResult() async throws(OktaError) -> OktaAuthStatus {
    try await status(of: .checkFactorResult, [])
  }

  /// Sends the activation link by text message. The status does not change, and polling continues.
  ///
  /// - Parameters:
  ///   - phoneNumber: where to send it.
  ///   - onSuccess: called when the org has sent it.
  ///   - onError: receives `wrongStatus` if the org does not offer this, or another error.
  public func sendActivationLinkViaSms(
    with phoneNumber: String,
    onSuccess: @escaping () -> Void,
    onError: @escaping (_ error: OktaError) -> Void
  ) {
    let callbacks = AuthnSession.Callbacks(onDone: onSuccess, onError: onError)
    object.session.call(
      .sendActivationLink, sending("sms", codeViaSmsLink(), to: phoneNumber),
      on: holder, callbacks)
  }

  /// Sends the activation link by text message.
  ///
  /// - Throws: `OktaError`; `wrongStatus` if the org does not offer this.
  public func sendActivationLinkViaSms(
    with phoneNumber: String
  ) async throws(OktaError) {
    _ = try await object.session.outcome(
      of: .sendActivationLink, sending("sms", codeViaSmsLink(), to: phoneNumber),
      on: holder
    ).get()
  }

  /// The arguments of a request for the activation link. The link is a secret; where it leads is not.
  private func sending(
    _ channel: String, _ link: LinksResponse.Link?, to phoneNumber: String? = nil
  ) -> [(String, JSON?)] {
    [
      ("factor", .int(index)), ("channel", .string(channel)), ("phoneNumber", phoneNumber.map(JSON.string)),
      ("link", link.flatMap { URLParts($0.address) }.map { .string($0.origin) }),
    ]
  }

  /// Sends the activation link by email. The status does not change, and polling continues.
  ///
  /// - Parameters:
  ///   - onSuccess: called when the org has sent it.
  ///   - onError: receives `wrongStatus` if the org does not offer this, or another error.
  public func sendActivationLinkViaEmail(
    onSuccess: @escaping () -> Void,
    onError: @escaping (_ error: OktaError) -> Void
  ) {
    let callbacks = AuthnSession.Callbacks(onDone: onSuccess, onError: onError)
    object.session.call(
      .sendActivationLink, sending("email", codeViaEmailLink()), on: holder, callbacks
    )
  }

  /// Sends the activation link by mail.
  ///
  /// - Throws: `OktaError`; `wrongStatus` if the org does not offer this.
  public func sendActivationLinkViaEmail() async throws(OktaError) {
    _ = try await object.session.outcome(
      of: .sendActivationLink, sending("email", codeViaEmailLink()), on: holder
    ).get()
  }

  /// Sends a push.
  ///
  /// - Parameters:
  ///   - autoPush: whether to send a push automatically the next time; nil omits it.
  ///   - onStatusChange: receives the challenge.
  ///   - onError: receives `wrongStatus` if the factor cannot be selected, or another error.
  public func select(
    autoPush: Bool? = nil,
    onStatusChange: @escaping (_ newStatus: OktaAuthStatus) -> Void,
    onError: @escaping (_ error: OktaError) -> Void
  ) {
    perform(
      .selectFactor, [("factor", .int(index)), ("autoPush", autoPush.map(JSON.bool))], onStatusChange, onError)
  }

  /// Sends a push.
  ///
  /// - Throws: `OktaError`; `wrongStatus` if the factor cannot be selected.
  public func select(
    autoPush: Bool? = nil
  ) async throws(OktaError) -> OktaAuthStatus {
    try await status(
      of: .selectFactor, [("factor", .int(index)), ("autoPush", autoPush.map(JSON.bool))])
  }

  /// Polls until the push is answered; after a rejection or a time-out, sends a new one. Cancelling the task of the
  /// async form stops polling.
  ///
  /// - Parameters:
  ///   - rememberDevice: whether the org may skip this step on this device from now on; nil omits it.
  ///   - autoPush: whether to send a push automatically the next time; nil omits it.
  ///   - onStatusChange: receives the next status.
  ///   - onError: receives the error; a wrong code does not change the status.
  ///   - onFactorStatusUpdate: receives each result that the org reports.
  public func verify(
    rememberDevice: Bool? = nil, autoPush: Bool? = nil,
    onStatusChange: @escaping (_ newStatus: OktaAuthStatus) -> Void,
    onError: @escaping (_ error: OktaError) -> Void,
    onFactorStatusUpdate: ((_ state: OktaAPISuccessResponse.FactorResult) -> Void)? = nil
  ) {
    perform(
      .verifyFactor, [("rememberDevice", rememberDevice.map(JSON.bool)), ("autoPush", autoPush.map(JSON.bool))],
      onStatusChange, onError, onFactorStatusUpdate)
  }

  /// Polls until the push is answered; after a rejection or a time-out, sends a new one. Cancelling the task of the
  /// async form stops polling.
  ///
  /// - Throws: `OktaError`; `cancelled` if the task was cancelled or another operation took over.
  public func verify(
    rememberDevice: Bool? = nil, autoPush: Bool? = nil,
    onFactorStatusUpdate: ((_ state: OktaAPISuccessResponse.FactorResult) -> Void)? = nil
  ) async throws(OktaError) -> OktaAuthStatus {
    try await status(
      of: .verifyFactor, [("rememberDevice", rememberDevice.map(JSON.bool)), ("autoPush", autoPush.map(JSON.bool))],
      onFactorStatusUpdate)
  }
}
