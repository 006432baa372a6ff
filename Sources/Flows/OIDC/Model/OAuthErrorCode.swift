// The error codes of OAuth and OpenID Connect that servers send (oidc §11.3): what each means, and if a retry can help.

/// A known error code. A code that is not here is kept as the text it came as, see ``OktaError/oauthCode``.
public enum OAuthErrorCode: String, Sendable, Hashable, CaseIterable {
  // RFC 6749 §4.1.2.1, §5.2
  case invalidRequest = "invalid_request"
  case invalidClient = "invalid_client"
  case invalidGrant = "invalid_grant"
  case unauthorizedClient = "unauthorized_client"
  case accessDenied = "access_denied"
  case unsupportedResponseType = "unsupported_response_type"
  case unsupportedGrantType = "unsupported_grant_type"
  case invalidScope = "invalid_scope"
  case serverError = "server_error"
  case temporarilyUnavailable = "temporarily_unavailable"
  // OIDC Core §3.1.2.6, and OAuth 2.0 Multiple Response Types
  case loginRequired = "login_required"
  case interactionRequired = "interaction_required"
  case consentRequired = "consent_required"
  case accountSelectionRequired = "account_selection_required"
  case invalidRequestObject = "invalid_request_object"
  case unsupportedResponseMode = "unsupported_response_mode"
  // Okta
  case userCanceledRequest = "user_canceled_request"
  // RFC 6750 §3.1
  case invalidToken = "invalid_token"
  case insufficientScope = "insufficient_scope"
  // RFC 7009 §2.2.1
  case unsupportedTokenType = "unsupported_token_type"
  // RFC 8628 §3.5
  case authorizationPending = "authorization_pending"
  case slowDown = "slow_down"
  case expiredToken = "expired_token"
  // RFC 9449 §5, §8
  case invalidDPoPProof = "invalid_dpop_proof"
  case useDPoPNonce = "use_dpop_nonce"
  // RFC 7591 §3.2.2
  case invalidRedirectURI = "invalid_redirect_uri"
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
