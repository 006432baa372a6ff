// The values that an ID token must have (oidc §8.1).

public import EventStore

/// The values that an ID token is checked against. The description contains no secrets.
public struct IDTokenExpectation: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
  /// The claims of the previous token: a refreshed token must be for the same user, server, and client (OIDC Core
  /// §12.2).
  public struct Former: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
    /// Its `sub`.
    public var subject: String
    /// Its `iss`.
    public var issuer: String
    /// Its `aud`.
    public var audience: [String]

    /// Creates the claims of a previous token.
    public init(subject: String, issuer: String, audience: [String]) {
      self.subject = subject
      self.issuer = issuer
      self.audience = audience
    }

    /// The issuer only, which does not identify a person.
    public var description: String { "Former(\(issuer))" }
    /// No children, so that a dump does not identify a person.
    public var customMirror: Mirror { Mirror(self, children: []) }
  }

  /// The issuer according to the server's metadata.
  public var issuer: String
  /// The client ID.
  public var clientID: String
  /// The nonce that was sent, or, on a refresh, the previous token's nonce, which the new token need not contain. `nil`
  /// if there is none.
  public var nonce: String?
  /// The `max_age` that was sent, in seconds.
  public var maxAge: Int?
  /// The authentication contexts, one of which must be satisfied; `nil` if none was required.
  public var acrValues: [String]?
  /// The access token that came with the ID token, for comparison with `at_hash`.
  public var accessToken: String?
  /// The device secret that came with the ID token, for comparison with `ds_hash`.
  public var deviceSecret: String?
  /// The claims of the previous token, on a refresh.
  public var former: Former?
  /// The allowed signature algorithms. `none` and algorithms with a shared secret are always rejected.
  public var algorithms: [String]
  /// The accepted difference between clocks, in seconds.
  public var skew: Int
  /// The current time by the server's clock.
  public var now: Timestamp

  /// Creates an expectation with the required values.
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

  /// The issuer, client ID, and time, which are not secret.
  public var description: String { "IDTokenExpectation(\(issuer), \(clientID), at \(now))" }

  /// No children, so that a dump shows no secret.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
