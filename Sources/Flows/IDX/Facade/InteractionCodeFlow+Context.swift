// What a sign-in is known by, and what a redirect means (idx §11.1, §11.2).

import EventStore
import FlowRecording
public import Foundation
import OIDC

extension InteractionCodeFlow {
  /// Enough to go on with a sign-in in another process. It holds secrets: keep it as you keep a password.
  public struct Context: Sendable, Codable, Equatable, CustomStringConvertible, CustomReflectable {
    /// What the org knows the sign-in by.
    public let interactionHandle: String
    /// What binds a redirect to it.
    public let state: String
    let codeVerifier: String
    let codeChallenge: String
    /// The flow that began it, in the log.
    let flowID: String?

    /// The flow that began it; no secret.
    public var description: String { "Context(\(flowID ?? "unknown flow"))" }

    /// No children: a dump shows no secret.
    public var customMirror: Mirror { Mirror(self, children: []) }
  }

  /// The sign-in under way; nil where there is none. Set it to go on with one that was begun elsewhere: `resume` then
  /// tells where it stands. Setting nil is `reset`.
  public var context: Context? {
    get {
      let core = session.flow.core
      let vault = session.flow.vault
      guard let context = core.context, let handle = context.interactionHandle, let state = context.state,
        let verifier = context.verifier, let challenge = context.challenge
      else { return nil }
      return Context(
        interactionHandle: vault.reveal(handle), state: vault.reveal(state), codeVerifier: vault.reveal(verifier),
        codeChallenge: vault.reveal(challenge), flowID: session.flow.stream)
    }
    set {
      if let newValue { restore(newValue) } else { reset() }
    }
  }

  func restore(_ context: Context) {
    IDXSession.tell(
      IDXIntent(
        "restore",
        [
          ("interaction_handle", .string(context.interactionHandle)), ("state", .string(context.state)),
          ("code_verifier", .string(context.codeVerifier)), ("code_challenge", .string(context.codeChallenge)),
          ("flow", context.flowID.map(JSON.string)),
        ], session))
  }

  /// What a redirect means for this flow.
  public enum RedirectResult: Sendable, Hashable {
    /// The user has signed in: `exchangeCode(redirect:)` brings the tokens.
    case authenticated
    /// There is more to do: `resume` tells what.
    case remediationRequired
    /// The URL is not the redirect URI of this flow.
    case invalidRedirectUrl
    /// There is no sign-in under way that this redirect belongs to.
    case invalidContext
  }

  /// What a redirect means for this flow. Nothing is sent.
  public func redirectResult(for url: URL) -> RedirectResult {
    guard let context else { return .invalidContext }
    guard let reading = RedirectReading(url.absoluteString), reading.isRedirect(to: redirectUri.absoluteString) else {
      return .invalidRedirectUrl
    }
    guard reading["state"] == context.state else { return .invalidContext }
    if reading["interaction_code"] != nil { return .authenticated }
    return reading["error"] == "interaction_required" ? .remediationRequired : .invalidContext
  }
}
