// Tokens as they are stored (oidc §9): everything that a renewal needs after a restart, but no session token, code, or
// verifier.

/// The tokens of a client. The description does not contain them.
public struct StoredTokens: Sendable, Hashable, Codable, CustomStringConvertible, CustomReflectable {
  /// The endpoints that a renewal, a revocation and a sign-out need.
  public struct Endpoints: Sendable, Hashable, Codable {
    /// `authorization_endpoint`.
    public var authorization: String?
    /// `token_endpoint`.
    public var token: String?
    /// `jwks_uri`.
    public var keys: String?
    /// `userinfo_endpoint`.
    public var userInfo: String?
    /// `introspection_endpoint`.
    public var introspection: String?
    /// `revocation_endpoint`.
    public var revocation: String?
    /// `end_session_endpoint`.
    public var endSession: String?

    /// Creates an empty set of endpoints.
    public init() {}
  }

  /// An ID of this set of tokens that is not secret. It links the events about them.
  public var id: String
  /// The issuer according to the server's metadata.
  public var issuer: String
  /// The client ID.
  public var clientID: String
  /// The type of the access token, such as `Bearer`.
  public var tokenType: String
  /// The access token; `nil` after the authorization has failed.
  public var accessToken: String?
  /// The refresh token.
  public var refreshToken: String?
  /// The ID token, which was validated before it was stored.
  public var idToken: String?
  /// The device secret.
  public var deviceSecret: String?
  /// The scopes that were granted, separated by spaces.
  public var scope: String?
  /// When the tokens were received, in microseconds since 1970, by the server's clock.
  public var issued: Int64
  /// When the access token expires, in microseconds since 1970, by the server's clock; `nil` if the server did not say.
  public var expiry: Int64?
  /// The algorithms that the server uses for signing.
  public var algorithms: [String]
  /// The endpoints.
  public var endpoints: Endpoints
  /// The OAuth error code that ended the authorization, if any.
  public var authorizationError: String?
  /// The protection class of the original API, stored unchanged.
  public var accessibility: String?
  /// How far the server's clock was ahead of this machine's at the last measurement, in microseconds; `nil` if there
  /// was no difference or it was never measured.
  public var clockSkew: Int64?

  /// Creates the tokens of a client, with at least an access token.
  public init(id: String, issuer: String, clientID: String, tokenType: String, accessToken: String?, issued: Int64) {
    self.id = id
    self.issuer = issuer
    self.clientID = clientID
    self.tokenType = tokenType
    self.accessToken = accessToken
    self.issued = issued
    algorithms = []
    endpoints = Endpoints()
  }

  /// The key that they are stored under.
  public var key: StorageKey { StorageKey(issuer: issuer, clientID: clientID) }

  /// The ID, client, and issuer, but never the tokens.
  public var description: String { "StoredTokens(\(id) of \(clientID) at \(issuer))" }

  /// No children, so that a dump shows no token.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
