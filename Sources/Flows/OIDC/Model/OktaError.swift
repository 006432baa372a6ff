// The errors of the OIDC client (oidc §11).

/// Why an operation of the OIDC client failed. `errorDescription` is a sentence without secrets: what, where, what to
/// do.
///
/// The first nineteen cases are those of the seed era. A failure that a server or an ID token caused carries what is
/// known about it, see ``failure``.
public enum OktaError: Error, Sendable, Hashable {
  /// Discovery, authorization, the token endpoint or another endpoint failed.
  case APIError(OktaFailure)
  /// A refresh failed; with an `oauthCode` the server refused the refresh token.
  case errorFetchingFreshTokens(OktaFailure)
  /// A token cannot be read.
  case JWTDecodeError
  /// A token is expired, or a check of it failed.
  case JWTValidationError(OktaFailure)
  /// A value of the configuration is missing or cannot be used.
  case missingConfigurationValues
  /// The operation needs a token, and there is none.
  case noBearerToken
  /// The URL of the server's metadata cannot be constructed.
  case noDiscoveryEndpoint
  /// There is no introspection endpoint.
  case noIntrospectionEndpoint
  /// There is no property list of that name.
  case noPListGiven
  /// There is no refresh token.
  case noRefreshToken
  /// There is no revocation endpoint.
  case noRevocationEndpoint
  /// There are no tokens.
  case noTokens
  /// There is no endpoint for the user's claims.
  case noUserInfoEndpoint
  /// There is no `Okta.plist`.
  case notConfigured
  /// A document or an answer does not have the required form.
  case parseFailure
  /// A sign-out needs an ID token, and there is none.
  case missingIdToken
  /// The property list cannot be read.
  case pListParseFailure
  /// The authorization endpoint did not redirect; its HTTP status, 0 if unknown.
  case unexpectedAuthCodeResponse(statusCode: Int)
  /// The redirect has no code.
  case unableToGetAuthCode

  // The late era.

  /// The authorization endpoint sent the browser back with an error (RFC 6749 §4.1.2.1).
  case authorization(error: String, description: String?)
  /// The authorization endpoint redirected elsewhere; the text names host and path.
  case redirectServerError(String)
  /// A redirect named no location.
  case noLocationHeader
  /// The person or the program cancelled the operation.
  case userCancelledAuthorizationFlow
  /// No browser can be opened, and the application does not show the URL itself.
  case unableToOpenBrowser

  // Our own.

  /// The redirect belongs to another sign-in: its `state` differs. Nothing was sent to the token endpoint.
  case stateMismatch
  /// The server identifies itself by another issuer than configured, in its metadata or in the redirect (RFC 9207).
  case issuerMismatch(expected: String, actual: String)
  /// Another operation is already using the browser.
  case alreadyInProgress
  /// The wait for the redirect timed out.
  case timeout
  /// The server's tokens are of a type that this SDK cannot use.
  case unsupportedTokenType(String)
  /// The token store failed.
  case storage(TokenStoreError)
  /// The SDK cannot continue; with `auditing: .required`, because the log cannot be written.
  case internalError(String)
}
