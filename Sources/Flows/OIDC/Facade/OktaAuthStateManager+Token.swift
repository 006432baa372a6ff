// Adopts tokens that another SDK of this package received.

import EventStore
public import FlowRecording

extension OktaAuthStateManager {
  /// Adopts the tokens of a sign-in by the Identity Engine. Their ID token is checked as in any sign-in; its nonce is
  /// compared if it is given here.
  ///
  /// ```swift
  /// let token = try await response.exchangeCode()
  /// let manager = try await OktaAuthStateManager(token: token, configuration: configuration)
  /// try manager.writeToSecureStorageOrThrow()
  /// ```
  ///
  /// For the session token of the classic API use `OktaAppAuth.authenticate(withSessionToken:)`.
  ///
  /// - Parameters:
  ///   - token: the tokens.
  ///   - configuration: the client that received them.
  ///   - nonce: the nonce that the sign-in was started with; `nil` if none was.
  ///   - environment: the seams, captured here.
  /// - Throws: `OktaError`: `JWTValidationError` if the ID token is not valid; the tokens should not be used then.
  public convenience init(
    token: Token, configuration: OktaAuthConfig, nonce: String? = nil, environment: FlowEnvironment = .current
  ) async throws(OktaError) {
    let client = OIDCClient(configuration, environment)
    let session = client.begin()
    let tokens: JSON = .members([
      ("token_type", .string(token.tokenType)), ("access_token", .string(token.accessToken)),
      ("expires_in", token.expiresIn.map(JSON.int)), ("scope", token.scope.map(JSON.string)),
      ("refresh_token", token.refreshToken.map(JSON.string)), ("id_token", token.idToken.map(JSON.string)),
      ("device_secret", token.deviceSecret.map(JSON.string)),
    ])
    let core = try await session.outcome(of: .adopt, [("tokens", tokens), ("nonce", nonce.map(JSON.string))]).outcome
      .get()
    guard let stored = StoredTokens(of: core, revealedBy: session.flow.vault) else {
      throw .unsupportedTokenType(token.tokenType)
    }
    self.init(stored, client, clockSkew: core.skew)
  }
}
