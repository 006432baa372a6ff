// What a sign-in is known by, and what a redirect means (idx §11.1, §11.2).

import EventStore
import FlowRecording
public import Foundation
public import OIDC

extension InteractionCodeFlow {
  /// Enough to go on with a sign-in in another process. It holds secrets: keep it as you keep a password.
  public struct Context: Sendable, Codable, Equatable, CustomStringConvertible, CustomReflectable {
    /// What the org knows the sign-in by.
    public let interactionHandle: String
    /// What binds a redirect to it.
    public let state: String
    /// What proves to the token endpoint that the code is exchanged by the one that began the sign-in.
    public var pkce: PKCE { PKCE(codeVerifier: codeVerifier, codeChallenge: codeChallenge) }
    /// A token that begins a recovery.
    public var recoveryToken: String?
    /// How old a session may be, in seconds.
    public var maxAge: TimeInterval?
    /// The authentication context classes, one of which the org must satisfy.
    public var acrValues: [String]?
    let codeVerifier: String
    let codeChallenge: String
    /// What its ID token must carry, if it was begun with one.
    let nonce: String?
    /// The flow that began it, in the log.
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

    /// Makes a context to start with. It has no interaction handle and no PKCE values before the sign-in has begun; the
    /// flow's own `context` has them then.
    ///
    /// - Parameters:
    ///   - recoveryToken: a token that begins a recovery.
    ///   - state: what binds a redirect to the sign-in; a random one by default.
    ///   - maxAge: how old a session may be, in seconds.
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

    /// The flow that began it; no secret.
    public var description: String { "Context(\(flowID ?? "unknown flow"))" }

    /// No children: a dump shows no secret.
    public var customMirror: Mirror { Mirror(self, children: []) }
  }

  /// The sign-in under way; nil if there is none. Set it to go on with one that was begun elsewhere: `resume` then
  /// reports where it stands. Setting nil is `reset`.
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

  /// Begins a sign-in as a context says, and brings its first response. Cancels a sign-in already in progress.
  ///
  /// - Parameters:
  ///   - context: what is special about it.
  ///   - isolation: where to call back; the caller's.
  /// - Throws: `InteractionCodeFlowError`; `CancellationError` if the task was cancelled or the flow began anew.
  public func start(with context: Context, isolation: isolated (any Actor)? = #isolation) async throws -> Response {
    try await start(options: options(of: context))
  }

  /// Begins a sign-in as a context says, and brings its first response. Cancels a sign-in already in progress.
  ///
  /// - Parameters:
  ///   - context: what is special about it.
  ///   - completion: receives the first response or the error; not called if the call is cancelled.
  ///   - isolation: where to call back; the caller's.
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

  /// Takes a context over; one that no sign-in has begun is nothing to go on from.
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

  /// What a redirect means for this flow.
  public enum RedirectResult: Sendable, Hashable {
    /// The user has signed in: `exchangeCode(redirect:)` brings the tokens.
    case authenticated
    /// There is more to do: `resume` says what.
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
