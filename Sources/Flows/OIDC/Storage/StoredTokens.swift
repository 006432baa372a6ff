// Tokens as they are kept (oidc §9): what a renewal needs after a restart, and no session token, code or verifier.

/// The tokens of a client. What it prints of itself shows no token.
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

    /// No endpoints.
    public init() {}
  }

  /// An id of this set of tokens that is no secret: it links the events of its life.
  public var id: String
  /// The issuer, as the server's metadata name it.
  public var issuer: String
  /// The client id.
  public var clientID: String
  /// How the access token is used: `Bearer`.
  public var tokenType: String
  /// The access token; nil once the authorization has failed.
  public var accessToken: String?
  /// The refresh token.
  public var refreshToken: String?
  /// The ID token, which was checked before it was stored.
  public var idToken: String?
  /// The secret of the device.
  public var deviceSecret: String?
  /// What the tokens are good for, separated by spaces.
  public var scope: String?
  /// When the tokens came, in microseconds since 1970, by the server's time.
  public var issued: Int64
  /// When the access token ends, in microseconds since 1970, by the server's time; nil if the server named no time.
  public var expiry: Int64?
  /// The algorithms that the server signs with.
  public var algorithms: [String]
  /// The endpoints.
  public var endpoints: Endpoints
  /// The OAuth code that ended the authorization, if one did.
  public var authorizationError: String?
  /// The protection class of the seed API, kept as it was given.
  public var accessibility: String?
  /// How far the server's clock was ahead of this machine's when that was last known, in microseconds; nil if it was not, or
  /// if it never was known.
  public var clockSkew: Int64?

  /// Tokens of a client, at least an access token.
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

  /// What they are stored under.
  public var key: StorageKey { StorageKey(issuer: issuer, clientID: clientID) }

  /// What there is, never the tokens themselves.
  public var description: String { "StoredTokens(\(id) of \(clientID) at \(issuer))" }

  /// No children: a dump shows no token.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
