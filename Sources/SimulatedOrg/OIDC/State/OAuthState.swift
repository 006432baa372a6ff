// What the authorization servers remember. Accounts, sessions and the clock are the org's.

/// Codes, tokens and what they came from.
struct OAuthState {
  /// By the code's text.
  var codes: [String: AuthorizationCode] = [:]
  /// The granted authorizations, by their own ids. Tokens live no longer than their authorization.
  var authorizations: [String: Authorization] = [:]
  /// By the token's text.
  var accessTokens: [String: AccessToken] = [:]
  var refreshTokens: [String: RefreshToken] = [:]
  /// By `device_secret`: the authorization it came from.
  var deviceSecrets: [String: String] = [:]
  /// Authorization requests that were sent ahead (RFC 9126), by `request_uri`.
  var pushed: [String: PushedRequest] = [:]
  /// Devices that wait for a person, by device code.
  var activations: [String: DeviceActivation] = [:]
  /// The scopes that a person allowed, by login and client.
  var consents: [String: Set<String>] = [:]
  /// How often each name was used for a draw: draws follow from the request, so that concurrent sign-ins do not disturb
  /// each other.
  var turns: [String: Int] = [:]
  /// The defects of the next token answers, one each.
  var defects: [OrgTokenDefect] = []
}

/// The content of tokens: the user, the application, and its granted scopes.
struct TokenGrant {
  /// The authorization server's base path.
  var server: String
  var client: OrgClient
  var scopes: [String]
  /// Key of the account.
  var login: String
  var nonce: String?
  /// `amr`.
  var methods: [String]
  /// `acr`.
  var assurance: String?
  var authenticated: Timestamp
  var algorithm: OrgOIDC.Algorithm
}

/// A code at the end of a sign-in. Accepted once; a second use revokes the tokens from the first (RFC 6749 §4.1.2).
struct AuthorizationCode {
  var request: AuthorizationRequest
  var grant: TokenGrant
  var expires: Timestamp
  /// The authorization that it brought, once it was taken.
  var spentOn: String?
}

/// A grant that was taken.
struct Authorization {
  var grant: TokenGrant
  var isRevoked = false
}

/// An access token.
struct AccessToken {
  /// The server that gave it.
  var server = "/oauth2"
  /// Key of the account.
  var login: String
  var client: String
  var scopes: Set<String>
  var issued: Timestamp
  var expires: Timestamp
  /// The authorization it belongs to; `nil` for one that an administrator made.
  var authorization: String?
}

/// A refresh token.
struct RefreshToken {
  var authorization: String
  var issued: Timestamp
  var expires: Timestamp
  /// When another took its place.
  var replaced: Timestamp?
}

/// A request that was sent ahead.
struct PushedRequest {
  var client: String
  var parameters: [String: String]
  var expires: Timestamp
}

/// A device that waits for a person (RFC 8628).
struct DeviceActivation {
  enum Answer { case allowed(login: String, at: Timestamp), denied }

  var userCode: String
  var server: String
  var client: OrgClient
  var scopes: [String]
  var expires: Timestamp
  /// Seconds to the next question.
  var interval: Int
  var lastPoll: Timestamp?
  var answer: Answer?
  /// Questions before the answer counts.
  var pollsLeft = 0
}
