// Tokens that are checked before the application gets them.

import EventStore
import FlowRecording
public import OIDC

extension Response {
  /// Exchanges the interaction code for tokens, whose ID token is checked as `exchangeCode` does it, and once more as
  /// the options say; that verdict is recorded in a flow of kind `oidc`, which gives the tokens their id.
  ///
  /// ```swift
  /// if response.isLoginSuccessful {
  ///   let manager = try await response.exchangeCodeForManager()
  ///   try manager.writeToSecureStorageOrThrow()
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - options: how the ID token is checked; the client's secret is the flow's own.
  ///   - isolation: the caller's.
  /// - Returns: the tokens. The nonce was compared if the flow was started with one.
  /// - Throws: `InteractionCodeFlowError` of the exchange, `idTokenRefused` among them; `JWTValidationError`, an `OktaError`, if
  ///   the ID token is not what the options ask for. Then nothing of the tokens is handed out.
  public func exchangeCodeForManager(
    options: OktaAuthOptions = OktaAuthOptions(), isolation: isolated (any Actor)? = #isolation
  ) async throws -> OktaAuthStateManager {
    let (session, settings) = (origin.session, origin.state.settings)
    let vault = session.flow.vault
    let nonce = session.startOptions.withLock { $0[.nonce] } as? String
    var configuration = try OktaAuthConfig(with: [
      "issuer": vault.reveal(settings.issuer), "clientId": vault.reveal(settings.clientID),
      "scopes": vault.reveal(settings.scope), "redirectUri": vault.reveal(settings.redirectURI),
    ])
    configuration.options = options
    configuration.options.clientSecret = settings.clientSecret.map { vault.reveal($0) }
    let token: Token = try await exchangeCode(isolation: isolation)
    return try await OktaAuthStateManager(
      token: token, configuration: configuration, nonce: nonce, environment: session.environment)
  }
}
