// Tokens that are checked before the application gets them.

import EventStore
import FlowRecording
public import OIDC

extension Response {
  /// Exchanges the interaction code for tokens, and checks their ID token as that of any sign-in (oidc §8): the keys of the
  /// server are fetched by a recorded request, and the verdict is recorded, in a flow of kind `oidc`.
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
  /// - Throws: `InteractionCodeFlowError` of the exchange; `OktaError` of the check: `JWTValidationError` if the ID token is not
  ///   right. Then nothing of the tokens is handed out.
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
