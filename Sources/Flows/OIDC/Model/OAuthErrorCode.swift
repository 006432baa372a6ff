// The error codes of OAuth and OpenID Connect that servers send (oidc §11.3): what each means, and if a retry can help.

/// A known error code. A code that is not here is kept as the text it came as, see ``OktaError/oauthCode``.
public enum OAuthErrorCode: String, Sendable, Hashable, CaseIterable {
  // OAuth 2.0

  /// The request lacks a parameter, repeats one, or is malformed (RFC 6749 §4.1.2.1 and §5.2).
  case invalidRequest = "invalid_request"
  /// The client is unknown, or its authentication failed (RFC 6749 §5.2).
  case invalidClient = "invalid_client"
  /// The code or refresh token is invalid, expired, revoked, or issued to another client (RFC 6749 §5.2).
  case invalidGrant = "invalid_grant"
  /// The client may not use this grant type or response type (RFC 6749 §4.1.2.1 and §5.2).
  case unauthorizedClient = "unauthorized_client"
  /// The person or the server denied the request (RFC 6749 §4.1.2.1, RFC 8628 §3.5).
  case accessDenied = "access_denied"
  /// The server issues no code for this response type (RFC 6749 §4.1.2.1).
  case unsupportedResponseType = "unsupported_response_type"
  /// The server does not support the grant type (RFC 6749 §5.2).
  case unsupportedGrantType = "unsupported_grant_type"
  /// A requested scope is unknown, malformed, or beyond what was granted (RFC 6749 §4.1.2.1 and §5.2).
  case invalidScope = "invalid_scope"
  /// The server met an unexpected condition (RFC 6749 §4.1.2.1).
  case serverError = "server_error"
  /// The server is overloaded or under maintenance (RFC 6749 §4.1.2.1).
  case temporarilyUnavailable = "temporarily_unavailable"

  // OpenID Connect

  /// The person must sign in, and the request allows no prompt (OpenID Connect Core 1.0 §3.1.2.6).
  case loginRequired = "login_required"
  /// The server must interact with the person, and the request allows no prompt (OpenID Connect Core 1.0 §3.1.2.6).
  case interactionRequired = "interaction_required"
  /// The person must consent, and the request allows no prompt (OpenID Connect Core 1.0 §3.1.2.6).
  case consentRequired = "consent_required"
  /// The person must choose an account, and the request allows no prompt (OpenID Connect Core 1.0 §3.1.2.6).
  case accountSelectionRequired = "account_selection_required"
  /// The request object is invalid (OpenID Connect Core 1.0 §3.1.2.6).
  case invalidRequestObject = "invalid_request_object"
  /// The server does not support the response mode (OAuth 2.0 Multiple Response Types §2.1; the code is Okta's).
  case unsupportedResponseMode = "unsupported_response_mode"

  // Okta

  /// The person canceled the sign-in (Okta; no RFC defines it).
  case userCanceledRequest = "user_canceled_request"

  // Bearer tokens

  /// The access token is expired, revoked, or malformed (RFC 6750 §3.1).
  case invalidToken = "invalid_token"
  /// The request needs more scopes than the access token has (RFC 6750 §3.1).
  case insufficientScope = "insufficient_scope"

  // Revocation

  /// The server cannot revoke tokens of this type (RFC 7009 §2.2.1).
  case unsupportedTokenType = "unsupported_token_type"

  // The device grant

  /// The person has not finished signing in on the other device (RFC 8628 §3.5).
  case authorizationPending = "authorization_pending"
  /// As `authorization_pending`, and the client must poll less often (RFC 8628 §3.5).
  case slowDown = "slow_down"
  /// The device code has expired (RFC 8628 §3.5).
  case expiredToken = "expired_token"

  // DPoP

  /// The proof of possession is invalid (RFC 9449 §5 and §7.1).
  case invalidDPoPProof = "invalid_dpop_proof"
  /// The proof must contain the nonce that the response supplies (RFC 9449 §8 and §9).
  case useDPoPNonce = "use_dpop_nonce"

  // Registration

  /// A redirect URI of the registration is invalid (RFC 7591 §3.2.2).
  case invalidRedirectURI = "invalid_redirect_uri"
  /// A field of the client metadata is invalid (RFC 7591 §3.2.2).
  case invalidClientMetadata = "invalid_client_metadata"

  /// Whether the same request may succeed later, without a change and without the person.
  public var isRetryable: Bool {
    switch self {
    case .serverError, .temporarilyUnavailable, .authorizationPending, .slowDown, .useDPoPNonce: true
    case .invalidRequest, .invalidClient, .invalidGrant, .unauthorizedClient, .accessDenied, .unsupportedResponseType,
      .unsupportedGrantType, .invalidScope, .loginRequired, .interactionRequired, .consentRequired,
      .accountSelectionRequired, .invalidRequestObject, .unsupportedResponseMode, .userCanceledRequest, .invalidToken,
      .insufficientScope, .unsupportedTokenType, .expiredToken, .invalidDPoPProof, .invalidRedirectURI,
      .invalidClientMetadata:
      false
    }
  }

  /// One sentence: what to do about it.
  public var advice: String {
    switch self {
    case .invalidRequest: "Check the redirect URI and the parameters of the request."
    case .invalidClient: "Check the client id, and if the client has a secret."
    case .invalidGrant: "The code or refresh token is used, expired or revoked: sign in again."
    case .unauthorizedClient: "Allow this grant type for the client at the server."
    case .accessDenied: "The person or a policy refused: check the assignment of the application and its policies."
    case .unsupportedResponseType: "Allow the response type code for the client at the server."
    case .unsupportedGrantType: "The server does not offer this grant type."
    case .invalidScope: "Ask for scopes that the server grants to this client."
    case .serverError, .temporarilyUnavailable: "Try again later."
    case .loginRequired: "There is no session, or the session token is used or expired: sign in again."
    case .interactionRequired: "The person must act: sign in with the browser, without prompt=none."
    case .consentRequired: "The person must consent: sign in with the browser."
    case .accountSelectionRequired: "The person must choose an account: sign in with the browser."
    case .invalidRequestObject: "The request object cannot be read or verified by the server."
    case .unsupportedResponseMode: "The server does not offer this response mode."
    case .userCanceledRequest: "The person canceled the sign-in."
    case .invalidToken: "The token is expired or revoked: renew it or sign in again."
    case .insufficientScope: "Sign in again and ask for the scopes that this needs."
    case .unsupportedTokenType: "The server does not revoke tokens of this type."
    case .authorizationPending: "The person has not answered yet: ask again after the interval."
    case .slowDown: "Ask less often: five seconds more between two requests."
    case .expiredToken: "The device code is expired: begin again."
    case .invalidDPoPProof: "The server refuses the proof of possession; check the clock of this machine."
    case .useDPoPNonce: "Repeat the request with the nonce that the server gave."
    case .invalidRedirectURI: "Register the redirect URI for the client at the server."
    case .invalidClientMetadata: "The server refuses what the client says of itself."
    }
  }
}
