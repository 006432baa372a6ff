// The values that an ID token must have (oidc §8.1).

public import EventStore

/// What an ID token is checked against. What it prints of itself shows no secret.
public struct IDTokenExpectation: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
  /// The claims of the token before this one: a refreshed token is of the same user, server and client (OIDC Core §12.2).
  public struct Former: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
    /// Its `sub`.
    public var subject: String
    /// Its `iss`.
    public var issuer: String
    /// Its `aud`.
    public var audience: [String]

    /// The claims of a token.
    public init(subject: String, issuer: String, audience: [String]) {
      self.subject = subject
      self.issuer = issuer
      self.audience = audience
    }

    /// No claims of a person.
    public var description: String { "Former(\(issuer))" }
    /// No children: a dump shows no identity.
    public var customMirror: Mirror { Mirror(self, children: []) }
  }

  /// The issuer as the server's metadata name it.
  public var issuer: String
  /// The client id.
  public var clientID: String
  /// The nonce that was sent; on a refresh that of the token before, which the new one need not repeat. `nil` if there is none.
  public var nonce: String?
  /// The `max_age` that was sent, in seconds.
  public var maxAge: Int?
  /// The authentication contexts of which one must have been satisfied; `nil` if none was required.
  public var acrValues: [String]?
  /// The access token that came with the ID token, which `at_hash` is compared with.
  public var accessToken: String?
  /// The device secret that came with the ID token, which `ds_hash` is compared with.
  public var deviceSecret: String?
  /// The claims of the token before this one, on a refresh.
  public var former: Former?
  /// The algorithms that the token may be signed with. `none` and those with a shared secret are always refused.
  public var algorithms: [String]
  /// By how many seconds clocks may differ.
  public var skew: Int
  /// The time of the server.
  public var now: Timestamp

  /// An expectation of the least that is needed.
  public init(
    issuer: String, clientID: String, nonce: String? = nil, algorithms: [String] = ["RS256"], skew: Int = 300,
    now: Timestamp
  ) {
    self.issuer = issuer
    self.clientID = clientID
    self.nonce = nonce
    self.algorithms = algorithms
    self.skew = skew
    self.now = now
  }

  /// The parts that are no secret.
  public var description: String { "IDTokenExpectation(\(issuer), \(clientID), at \(now))" }

  /// No children: a dump shows no secret.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
