// The identity of a sign-in, and the meaning of a redirect (idx §11.1, §11.2).

import EventStore
import FlowRecording
public import Foundation
public import OIDC

extension InteractionCodeFlow {
  /// Everything needed to continue a sign-in in another process. It contains secrets: protect it like a password.
  public struct Context: Sendable, Codable, Equatable, CustomStringConvertible, CustomReflectable {
    /// The handle by which the org identifies the sign-in.
    public let interactionHandle: String
    /// The value that binds a redirect to the sign-in.
    public let state: String
    /// Proves to the token endpoint that the code is exchanged by whoever began the sign-in.
    public var pkce: PKCE { PKCE(codeVerifier: codeVerifier, codeChallenge: codeChallenge) }
    /// A recovery token.
    public var recoveryToken: String?
    /// The maximum age of a session, in seconds.
    public var maxAge: TimeInterval?
    /// The authentication context classes, one of which the org must satisfy.
    public var acrValues: [String]?
    let codeVerifier: String
    let codeChallenge: String
    /// The nonce that the ID token must contain, if the sign-in began with one.
    let nonce: String?
    /// The stream of the flow that began it.
    let flowID: String?

    init(
      interactionHandle: String, state: String, codeVerifier: String, codeChallenge: String, nonce: String? = nil,
      flowID: String?
    ) {
      self.interactionHandle = interactionHandle
      self.state = state
      self.codeVerifier = codeVerifier
      self.codeChallenge = codeChallenge
      self.nonce = nonce
      self.flowID = flowID
    }

    /// Creates a context to start with. It has no interaction handle and no PKCE values until the sign-in has begun;
    /// they are then in the flow's own `context`.
    ///
    /// - Parameters:
    ///   - recoveryToken: a recovery token.
    ///   - state: the value that binds a redirect to the sign-in; random by default.
    ///   - maxAge: the maximum age of a session, in seconds.
    ///   - acrValues: the authentication context classes, one of which the org must satisfy.
    public init(
      recoveryToken: String? = nil, state: String? = nil, maxAge: TimeInterval? = nil, acrValues: [String]? = nil
    ) {
      self.init(
        interactionHandle: "", state: state ?? FlowEnvironment.current.entropy.uuid(), codeVerifier: "",
        codeChallenge: "", flowID: nil)
      self.recoveryToken = recoveryToken
      self.maxAge = maxAge
      self.acrValues = acrValues
    }

    /// The stream of the flow that began it, but no secrets.
    public var description: String { "Context(\(flowID ?? "unknown flow"))" }

    /// No children, so that a dump shows no secret.
    public var customMirror: Mirror { Mirror(self, children: []) }
  }

  /// The current sign-in; `nil` if there is none. Set it to continue a sign-in that was begun elsewhere; `resume` then
  /// returns its current response. Setting it to `nil` is the same as `reset`.
  public var context: Context? {
    get {
      let core = session.flow.core
      let vault = session.flow.vault
      guard let context = core.context, let handle = context.interactionHandle, let state = context.state,
        let verifier = context.verifier, let challenge = context.challenge
      else { return nil }
      var shown = Context(
        interactionHandle: vault.reveal(handle), state: vault.reveal(state), codeVerifier: vault.reveal(verifier),
        codeChallenge: vault.reveal(challenge), nonce: context.nonce.map { vault.reveal($0) },
        flowID: session.flow.stream)
      shown.maxAge = context.maxAge.map(TimeInterval.init)
      return shown
    }
    set {
      if let newValue { restore(newValue) } else { reset() }
    }
  }

  /// Begins a sign-in with a context, and returns its first response. Cancels a sign-in already in progress.
  ///
  /// - Parameters:
  ///   - context: the parameters of the sign-in.
  ///   - isolation: the actor on which to call back; by default the caller's.
  /// - Throws: `InteractionCodeFlowError`; `CancellationError` if the task was cancelled or the flow was restarted.
  public func start(with context: Context, isolation: isolated (any Actor)? = #isolation) async throws -> Response {
    try await start(options: options(of: context))
  }

  /// Begins a sign-in with a context, and returns its first response. Cancels a sign-in already in progress.
  ///
  /// - Parameters:
  ///   - context: the parameters of the sign-in.
  ///   - completion: receives the first response or the error; not called if the call is cancelled.
  ///   - isolation: the actor on which to call back; by default the caller's.
  public func start(
    with context: Context, completion: @escaping ResponseResult, isolation: isolated (any Actor)? = #isolation
  ) {
    start(options: options(of: context), completion: completion)
  }

  private func options(of context: Context) -> [Option: Any] {
    var options: [Option: Any] = [.state: context.state]
    options[.recoveryToken] = context.recoveryToken
    options[.maxAge] = context.maxAge.flatMap { Int(exactly: $0.rounded()) }
    options[.acrValues] = context.acrValues?.joined(separator: " ")
    return options
  }

  /// Adopts a context. A context of a sign-in that never began has nothing to continue from.
  func restore(_ context: Context) {
    guard !context.interactionHandle.isEmpty else { return }
    session.startOptions.withLock { $0 = [:] }
    IDXSession.tell(
      IDXIntent(
        .restore,
        [
          ("interaction_handle", .string(context.interactionHandle)), ("state", .string(context.state)),
          ("code_verifier", .string(context.codeVerifier)), ("code_challenge", .string(context.codeChallenge)),
          ("nonce", context.nonce.map(JSON.string)),
          ("max_age", context.maxAge.flatMap { Int(exactly: $0.rounded()) }.map(JSON.int)),
          ("flow", context.flowID.map(JSON.string)),
        ], session))
  }

  /// The meaning of a redirect for this flow.
  public enum RedirectResult: Sendable, Hashable {
    /// The user has signed in: `exchangeCode(redirect:)` returns the tokens.
    case authenticated
    /// Another step is required: `resume` returns it.
    case remediationRequired
    /// The URL is not the redirect URI of this flow.
    case invalidRedirectUrl
    /// The redirect does not belong to a sign-in in progress.
    case invalidContext
  }

  /// Returns the meaning of a redirect for this flow, without sending anything.
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
