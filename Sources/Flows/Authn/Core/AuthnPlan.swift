// The one request that a call makes (authn §2, §13.3-§13.5): which link it follows and what it sends.

import EventStore
import FlowRecording

extension RequestPlan {
  /// A request of the classic API.
  init(method: String = "POST", url: String, headers: [HTTPField] = [], body: JSON?) {
    self.init(
      method: method, url: url, accept: "application/json", contentType: "application/json", headers: headers,
      body: body)
  }

  /// Plans a call.
  ///
  /// - Parameters:
  ///   - made: the call, its arguments masked.
  ///   - target: the status of the called object; nil if it has no status from the org.
  ///   - core: the flow's state.
  /// - Throws: `Refusal` if the transaction does not offer this.
  init(_ made: CallMade, on target: AuthnCore.Snapshot?, of core: AuthnCore) throws(Refusal) {
    let call = AuthnIntent(made, on: target, of: core)
    guard let kind = AuthnCall(rawValue: made.call) else { throw .unknownCall(made.call) }
    switch kind {
    case .authenticate: self = try call.authentication()
    case .fetchStatus: self = try call.fixed("", ["stateToken"])
    case .unlockAccount: self = try call.fixed("/recovery/unlock", ["username", "factorType", "relayState"])
    case .recoverPassword: self = try call.fixed("/recovery/password", ["username", "factorType", "relayState"])
    case .recoverWithToken: self = try call.tokenRecovery()
    case .unlock:
      // By the fixed path (§13.4), but only if the org offers it.
      guard call.transaction.link("next") != nil else { throw .missingLink("next") }
      self = try call.fixed("/recovery/unlock", ["username", "factorType", "relayState"])
    case .cancel: self = try call.cancellation()
    case .returnToPreviousStatus: self = try call.following("prev")
    case .skipEnrollment, .skipPasswordChange: self = try call.following("skip")
    case .changePassword: self = try call.following("next", ["oldPassword", "newPassword", "revokeSessions"])
    case .resetPassword: self = try call.following("next", ["newPassword", "revokeSessions"])
    case .recoverWithAnswer: self = try call.following("next", ["answer"])
    case .enrollFactor: self = try call.enrolment()
    case .activateFactor: self = try call.activation()
    case .selectFactor: self = try call.selection()
    case .verifyFactor: self = try call.verification()
    case .checkFactorResult: self = try call.check()
    case .resendFactor: self = try call.resending()
    case .sendActivationLink: self = try call.activationLink()
    case .completeFactor: self = try call.signedResponse()
    case .downloadSecurityQuestions: self = try call.questions()
    case .sendRequest: self = try call.arbitrary()
    case .stopPolling: throw .unknownCall(made.call)
    }
  }
}

extension AuthnCore {
  /// The URL of a link, if requests may go there. authn §1.1: «An `href` may point to another host than the org URL
  /// (custom domains do; so do many published samples). … follow by default, never from `https` down to `http` (refuse
  /// with `invalidResponse`), note a change of origin as an event, and offer a strict mode with an origin allow-list.»
  /// The note is `foreignOrigin` of `request.sent`; the allow-list is `allowedOrigins`. A refused link is refused
  /// before any request leaves.
  ///
  /// - Parameter carriesEntries: whether the request carries more than the state token: a password, a code, an answer.
  ///   Such a request is sent to another origin only if the list names it.
  func allowed(_ url: String, carriesEntries: Bool = false) throws(Refusal) -> String {
    do throws(LinkRule.Violation) {
      return try links.allowed(url, carriesEntries: carriesEntries)
    } catch {
      switch error {
      case .malformed: throw .malformedURL
      case .leavesHTTPS: throw .incomplete("a link leaves https")
      case .foreign(let origin): throw .foreignOrigin(origin)
      }
    }
  }
}
