// Returns tokens after an additional check.

import EventStore
import FlowRecording
public import OIDC

extension Response {
  /// Exchanges the interaction code for tokens. The ID token is checked as in `exchangeCode`, and again according to
  /// the options. The second verdict is recorded in a flow of kind `oidc`, which assigns the tokens their ID.
  ///
  /// ```swift
  /// if response.isLoginSuccessful {
  ///   let manager = try await response.exchangeCodeForManager()
  ///   try manager.writeToSecureStorageOrThrow()
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - options: how the ID token is checked; the flow's own client secret is used.
  ///   - isolation: the actor on which the call waits and continues; by default the caller's.
  /// - Returns: the tokens. If the flow was started with a nonce, it was compared.
  /// - Throws: `InteractionCodeFlowError` from the exchange, including `idTokenRefused`; `JWTValidationError`, an
  ///   `OktaError`, if the ID token does not satisfy the options. In that case, no tokens are returned.
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
