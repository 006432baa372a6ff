// The entry point (oidc §10; seed «API Reference»).

import EventStore
public import FlowRecording

/// Signs a user in at an authorization server, and out again.
///
/// ```swift
/// let auth = try OktaAppAuth(configuration: OktaAuthConfig(with: [
///   "issuer": "https://acme.example/oauth2/default", "clientId": "0oa1client", "redirectUri": "http://127.0.0.1/callback",
///   "scopes": "openid profile offline_access",
/// ]))
/// let manager = try await auth.signInWithBrowser()
/// print(manager.accessToken ?? "none")
/// ```
///
/// Each operation is a flow, recorded according to its environment. Callbacks come once, never before the method has
/// returned, and on the actor that it was called from.
public final class OktaAppAuth: Sendable {
  /// The configuration.
  public let configuration: OktaAuthConfig
  let client: OIDCClient
  /// The operation that is using the browser.
  let browsing = Locked<OIDCSession?>(nil)
  /// Where to call back without a flow.
  let idleLanes: CallbackLanes

  /// Makes an entry point.
  ///
  /// - Parameters:
  ///   - configuration: the configuration; `Okta.plist` if nil.
  ///   - environment: the seams, captured here.
  /// - Throws: `notConfigured` and what reading `Okta.plist` throws.
  public init(configuration: OktaAuthConfig? = nil, environment: FlowEnvironment = .current) throws(OktaError) {
    if let configuration {
      self.configuration = configuration
    } else {
      self.configuration = try OktaAuthConfig.default()
    }
    client = OIDCClient(self.configuration, environment)
    idleLanes = CallbackLanes(queue: environment.callbackQueue)
  }

  // MARK: By a session token

  /// Exchanges the session token of the authentication API for tokens, without a browser (oidc §5).
  ///
  /// - Parameters:
  ///   - sessionToken: the token; it can be used once, within five minutes.
  ///   - callback: receives the tokens, or why there are none.
  public func authenticate(
    withSessionToken sessionToken: String, callback: @escaping (OktaAuthStateManager?, OktaError?) -> Void
  ) {
    deliver(client.begin(), .signInWithSessionToken, [("sessionToken", .string(sessionToken))], callback)
  }

  /// Exchanges the session token of the authentication API for tokens.
  ///
  /// - Throws: `OktaError`: `unexpectedAuthCodeResponse` with the status 200 if the token was used or has expired, or
  ///   if the application's policy requires a factor or consent.
  public func authenticate(withSessionToken sessionToken: String) async throws(OktaError) -> OktaAuthStateManager {
    try await tokens(client.begin(), .signInWithSessionToken, [("sessionToken", .string(sessionToken))])
  }

  // MARK: On another device

  /// Signs in by a page on another device (RFC 8628).
  ///
  /// - Parameter show: gets the page and the code that the person types there.
  /// - Throws: `OktaError`: `authorization` with the code `access_denied` or `expired_token` if the person denies, or
  ///   does not answer in time.
  public func signInOnDevice(
    show: @escaping @Sendable (DeviceCode) -> Void
  ) async throws(OktaError) -> OktaAuthStateManager {
    let session = client.begin()
    return try await tokens(session, .signInOnDevice, []) { [flow = session.flow] event in
      guard let awaited = TokenAwaited(event) else { return }
      show(DeviceCode(awaited, revealedBy: flow.vault))
    }
  }

  // MARK: Shared

  /// Makes a call that returns tokens, and waits for them.
  func tokens(
    _ session: OIDCSession, _ call: OIDCCall, _ arguments: [(String, JSON?)],
    heard: @escaping @Sendable (DomainEvent) -> Void = { _ in }
  ) async throws(OktaError) -> OktaAuthStateManager {
    try await manager(of: session.outcome(of: call, arguments, heard: heard).outcome, session)
  }

  /// Makes a call that returns tokens, and calls back.
  func deliver(
    _ session: OIDCSession, _ call: OIDCCall, _ arguments: [(String, JSON?)],
    _ callback: @escaping (OktaAuthStateManager?, OktaError?) -> Void, ended: @escaping @Sendable () -> Void = {}
  ) {
    let delivery = CallerDelivery(session.lanes) { (result: Result<OktaAuthStateManager, OktaError>) in
      switch result {
      case .success(let manager): callback(manager, nil)
      case .failure(let error): callback(nil, error)
      }
    }
    session.call(call, arguments) { [self] outcome, _ in
      ended()
      delivery(Result { () throws(OktaError) in try manager(of: outcome, session) })
    }
  }

  private func manager(of outcome: OIDCSession.Outcome, _ session: OIDCSession) throws(OktaError)
    -> OktaAuthStateManager
  {
    let core = try outcome.get()
    guard let tokens = StoredTokens(of: core, revealedBy: session.flow.vault) else {
      throw .internalError("tokens were announced and are not there")
    }
    return OktaAuthStateManager(tokens, client, clockSkew: core.skew)
  }
}

/// The page and the code of a sign-in on another device. Its description does not contain the code.
public struct DeviceCode: Sendable, CustomStringConvertible, CustomReflectable {
  /// The code that the person enters.
  public let userCode: String
  /// The page for entering it.
  public let verificationUri: String
  /// The page with the code included, for a QR code; `nil` if the server has none.
  public let verificationUriComplete: String?
  /// The validity of the code in seconds.
  public let expiresIn: Int

  init(_ awaited: TokenAwaited, revealedBy vault: Vault) {
    userCode = vault.reveal(awaited.userCode)
    verificationUri = vault.reveal(awaited.verificationURI)
    verificationUriComplete = awaited.completeURI.map { vault.reveal($0) }
    expiresIn = awaited.expiresIn
  }

  /// The page.
  public var description: String { "DeviceCode(\(verificationUri))" }
  /// No children, so that a dump shows no code.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
