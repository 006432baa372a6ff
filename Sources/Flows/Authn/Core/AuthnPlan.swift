// The one request that a call makes (authn §2, §13.3-§13.5): which link it follows and what it sends.

import EventStore
import FlowRecording

/// A request that a call makes, secrets as placeholders.
struct AuthnPlan: Equatable {
  var method: String
  var url: String
  var headers: [HTTPField] = []
  var body: JSON?
  /// How the body is written.
  var encoding = RequestSent.Encoding.json

  init(method: String, url: String, headers: [HTTPField] = [], body: JSON?) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
  }

  /// Calls whose closures hear of factor results.
  static let reportsFactor: Set<String> = ["verifyFactor", "activateFactor", "sendRequest"]

  /// Calls that may poll: their answers are waited for while a factor waits.
  static let polls: Set<String> = ["verifyFactor", "activateFactor", "selectFactor", "resendFactor", "sendRequest"]
  /// Calls that are a poll themselves, if a factor waits already and nothing is sent but the token.
  static let mayBePoll: Set<String> = ["verifyFactor", "activateFactor"]

  /// Plans a call.
  ///
  /// - Parameters:
  ///   - made: the call, its arguments masked.
  ///   - target: the status of the object that was called; nil where it has none of the org.
  ///   - core: the flow's state.
  /// - Throws: `AuthnRefusal` where the transaction does not offer this.
  init(_ made: CallMade, on target: AuthnCore.Snapshot?, of core: AuthnCore) throws(AuthnRefusal) {
    let call = AuthnIntent(made, on: target, of: core)
    switch made.call {
    case "authenticate": self = try call.authentication()
    case "fetchStatus": self = try call.fixed("", ["stateToken"])
    case "unlockAccount": self = try call.fixed("/recovery/unlock", ["username", "factorType", "relayState"])
    case "recoverPassword": self = try call.fixed("/recovery/password", ["username", "factorType", "relayState"])
    case "recoverWithToken": self = try call.tokenRecovery()
    case "unlock":
      // By the fixed path (§13.4), but only where the org offers it.
      guard call.transaction.link("next") != nil else { throw .missingLink("next") }
      self = try call.fixed("/recovery/unlock", ["username", "factorType", "relayState"])
    case "cancel": self = try call.cancellation()
    case "returnToPreviousStatus": self = try call.following("prev")
    case "skipEnrollment", "skipPasswordChange": self = try call.following("skip")
    case "changePassword": self = try call.following("next", ["oldPassword", "newPassword", "revokeSessions"])
    case "resetPassword": self = try call.following("next", ["newPassword", "revokeSessions"])
    case "recoverWithAnswer": self = try call.following("next", ["answer"])
    case "enrollFactor": self = try call.enrolment()
    case "activateFactor": self = try call.activation()
    case "selectFactor": self = try call.selection()
    case "verifyFactor": self = try call.verification()
    case "checkFactorResult": self = try call.check()
    case "resendFactor": self = try call.resending()
    case "sendActivationLink": self = try call.activationLink()
    case "completeFactor": self = try call.signedResponse()
    case "downloadSecurityQuestions": self = try call.questions()
    case "sendRequest": self = try call.arbitrary()
    default: throw .unknownCall(made.call)
    }
  }

  /// The URL of a link, if requests may go there. authn §1.1: «An `href` may point to another host than the org URL
  /// (custom domains do; so do many published samples). … follow by default, never from `https` down to `http` (refuse
  /// with `invalidResponse`), note a change of origin as an event, and offer a strict mode with an origin allow-list.»
  /// The note is `foreignOrigin` of `request.sent`; the allow-list is `allowedOrigins`. What is refused is refused before
  /// any request leaves.
  ///
  /// - Parameter carriesEntries: whether the request takes more there than the state token: a password, a code, an answer.
  ///   That goes to another origin only if the list names it.
  static func allowed(
    _ url: String, from core: AuthnCore, carriesEntries: Bool = false
  ) throws(AuthnRefusal) -> String {
    guard let parts = URLParts(url) else { throw .malformedURL }
    let home = URLParts(core.org)
    if parts.scheme == "http", home?.scheme == "https" { throw .incomplete("a link leaves https") }
    if parts.isSameOrigin(as: home) { return url }
    guard let origins = core.origins else {
      if carriesEntries { throw .foreignOrigin(parts.origin) }
      return url
    }
    guard origins.contains(where: { parts.isSameOrigin(as: URLParts($0)) }) else { throw .foreignOrigin(parts.origin) }
    return url
  }
}
