// What an application asks of the authorization endpoint (oidc.md §3), once it is checked.

/// An authorization request that can be answered by a redirect.
struct AuthorizationRequest {
  enum Mode: String {
    case query, fragment
    case form = "form_post"
  }

  let server: String
  let client: OrgClient
  let redirectURI: String
  let mode: Mode
  let state: String?
  var scopes: [String] = []
  var nonce: String?
  /// `code_challenge`, always S256.
  var challenge: String?
  var prompts: Set<String> = []
  /// Seconds since the person typed a password, at most.
  var maxAge: Int?
  var assurance: String?
  var loginHint: String?
  var idTokenHint: String?
  var sessionToken: String?
  /// The request that was sent ahead, if it was.
  var requestURI: String?
}

/// Why an authorization request leads to no code.
enum AuthorizationRefusal: Error {
  /// The application cannot be trusted with an answer, and the person sees why (RFC 6749 §4.1.2.1).
  case page(String)
  /// The application receives the error, by a redirect.
  case redirect(AuthorizationRequest, error: String, description: String)
}
