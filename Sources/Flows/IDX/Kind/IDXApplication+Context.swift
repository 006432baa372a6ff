// The context and options of a sign-in, and the calls that pass them on.

import EventStore
import FlowRecording
import Foundation
import OIDC

extension IDXApplication {
  /// Describes how the flow object differs from the state of the flow; `nil` if it does not.
  func contextComplaint(in core: IDXCore) -> String? {
    let secrets = rerun.secrets
    let context = interaction.context
    guard case .begun(let begun, _) = core.phase else {
      return context == nil ? nil : "a context is shown of a sign-in that has not begun"
    }
    func isSame(_ shown: String?, _ member: String?) -> Bool { shown == member.map { secrets.reveal($0) } }
    let parts = [begun.interactionHandle, begun.state, begun.verifier, begun.challenge]
    guard !parts.contains(nil) else { return nil }
    let members = [
      ("interactionHandle", isSame(context?.interactionHandle, begun.interactionHandle)),
      ("state", isSame(context?.state, begun.state)),
      ("codeVerifier", isSame(context?.pkce.codeVerifier, begun.verifier)),
      ("codeChallenge", isSame(context?.pkce.codeChallenge, begun.challenge)),
      ("nonce", isSame(context?.nonce, begun.nonce)),
      ("maxAge", context?.maxAge == begun.maxAge.map { TimeInterval($0) }),
      ("isAuthenticating", interaction.isAuthenticating),
      ("options", isSame(interaction.options?[.state] as? String, begun.state)),
    ]
    return members.first { !$0.1 }.map { "\($0.0) of the flow is not that of the sign-in" }
  }

  /// Describes how the flow's options differ from those it was started with; `nil` if they do not.
  var optionsComplaint: String? {
    guard let given = given.withLock({ $0 }), let shown = interaction.options else { return nil }
    func json(_ value: Any?) -> JSON? { (value as? any FormValue).flatMap { FormValues.json($0) } }
    let wrong = InteractionCodeFlow.Option.allCases.first { option in
      // The state is compared with that of the sign-in.
      option != .state && json(shown[option]) != json(FormValues.value(given[option.rawValue]))
    }
    return wrong.map { "the option \($0.rawValue) of the flow is not what it was started with" }
  }

  /// Describes how tokens differ from the server's answer; `nil` if they do not.
  func complaint(about token: Token, of issued: TokenIssued) -> String? {
    let secrets = rerun.secrets
    let sent = secrets.reveal(issued.tokens)
    let members = [
      ("tokenType", token.tokenType == issued.tokenType),
      ("accessToken", token.accessToken == sent["access_token"]?.string),
      ("expiresIn", token.expiresIn == issued.expiresIn),
      ("scope", token.scope == issued.scope.map { secrets.reveal($0) }),
      ("refreshToken", token.refreshToken == sent["refresh_token"]?.string),
      ("idToken", token.idToken == sent["id_token"]?.string),
      ("deviceSecret", token.deviceSecret == sent["device_secret"]?.string),
    ]
    return members.first { !$0.1 }.map { "\($0.0) of the tokens is not what the server sent" }
  }

  /// Passes on a sign-in that began in another flow or process.
  func restore(_ arguments: JSON) -> PlayedCall {
    let texts = ["interaction_handle", "state", "code_verifier", "code_challenge"].compactMap { arguments[$0]?.string }
    guard texts.count == 4, !texts[0].isEmpty else { return .noForm }
    var context = InteractionCodeFlow.Context(
      interactionHandle: texts[0], state: texts[1], codeVerifier: texts[2], codeChallenge: texts[3],
      nonce: arguments["nonce"]?.string, flowID: arguments["flow"]?.string)
    context.maxAge = arguments["max_age"]?.int.map(TimeInterval.init)
    given.withLock { $0 = [:] }
    interaction.context = context
    return .played
  }

  /// Creates a context with the arguments of a start; `nil` if no context can express them.
  func context(_ arguments: JSON) -> InteractionCodeFlow.Context? {
    let names: Set = ["state", "recovery_token", "max_age", "acr_values"]
    guard let state = arguments["state"]?.string,
      arguments.object?.members.allSatisfy({ names.contains($0.key) }) == true,
      arguments["max_age"].map({ $0.int != nil }) ?? true
    else { return nil }
    return InteractionCodeFlow.Context(
      recoveryToken: arguments["recovery_token"]?.string, state: state,
      maxAge: arguments["max_age"]?.int.map(TimeInterval.init),
      acrValues: arguments["acr_values"]?.string?.split(separator: " ", omittingEmptySubsequences: false).map(
        String.init))
  }
}
