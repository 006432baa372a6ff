// How the org's authorization servers behave (oidc.md §2-§7, §13).

public import Foundation

/// The settings of the authorization servers of an org.
///
/// All of them are served at once, each with its own issuer: the org's server (`{url}`), custom servers
/// (`{url}/oauth2/{id}`), and, for clients that must not lean on one maker's addresses, servers of another make
/// (`{url}/realms/{id}`), whose endpoints can be found only by discovery.
public struct OrgOIDC: Sendable {
  /// How a refresh token changes when it is used (RFC 9700 §4.14).
  public enum Rotation: Sendable, Equatable {
    /// It stays valid, and no new one is issued.
    case none
    /// A new one takes its place. For that many seconds the old one still works; used after that, it ends the whole
    /// authorization, as a stolen one would.
    case rotating(grace: TimeInterval)
  }

  /// How ID tokens are signed.
  public enum Algorithm: String, Sendable, Equatable {
    /// RSA, PKCS #1 v1.5, SHA-256: what every provider has (OpenID Connect Core §15.1).
    case rs256 = "RS256"
    /// ECDSA over P-256, SHA-256.
    case es256 = "ES256"
  }

  /// How a refresh token changes when it is used.
  public var rotation: Rotation
  /// How ID tokens are signed.
  public var algorithm: Algorithm
  /// Whether a person is asked, once for each client and scope, if the application may have what it asks for.
  public var asksConsent: Bool
  /// Whether any port fits a registered redirect URI on a loopback address (RFC 8252 §7.3). If not, URIs are compared
  /// character by character.
  public var allowsAnyLoopbackPort: Bool
  /// The logins that no application is assigned to: sign-ins end with `access_denied`.
  public var unassigned: Set<String>
  /// Seconds that an authorization request lives that was sent ahead (RFC 9126 §2.2).
  public var pushedLifetime: TimeInterval
  /// Seconds that an authorization code lives.
  public var codeLifetime: TimeInterval
  /// Seconds that an access token lives.
  public var accessTokenLifetime: TimeInterval
  /// Seconds that an ID token lives.
  public var idTokenLifetime: TimeInterval
  /// Seconds that a refresh token lives after it was last used.
  public var refreshTokenLifetime: TimeInterval
  /// Seconds that a device code lives.
  public var deviceCodeLifetime: TimeInterval
  /// Seconds between two questions of a device, as the org says it; `nil` if it says nothing (RFC 8628 §3.2: 5).
  public var deviceInterval: Int?
  /// Whether a device that asks sooner is refused with `slow_down`.
  public var enforcesDeviceInterval: Bool
  /// What `Cache-Control` says of keys and discovery documents, in seconds; zero for `no-store`.
  public var documentMaxAge: Int
  /// The ways in which this provider differs from most.
  public var habits: Set<OrgProviderHabit>

  /// Settings of a common server: rotation without grace, RS256, no consent, tokens for an hour.
  public init(
    rotation: Rotation = .rotating(grace: 0), algorithm: Algorithm = .rs256, asksConsent: Bool = false,
    allowsAnyLoopbackPort: Bool = false, unassigned: Set<String> = [], pushedLifetime: TimeInterval = 60,
    codeLifetime: TimeInterval = 300, accessTokenLifetime: TimeInterval = 3600, idTokenLifetime: TimeInterval = 3600,
    refreshTokenLifetime: TimeInterval = 90 * 86_400, deviceCodeLifetime: TimeInterval = 600,
    deviceInterval: Int? = 5, enforcesDeviceInterval: Bool = false, documentMaxAge: Int = 3600,
    habits: Set<OrgProviderHabit> = []
  ) {
    self.rotation = rotation
    self.algorithm = algorithm
    self.asksConsent = asksConsent
    self.allowsAnyLoopbackPort = allowsAnyLoopbackPort
    self.unassigned = unassigned
    self.pushedLifetime = pushedLifetime
    self.codeLifetime = codeLifetime
    self.accessTokenLifetime = accessTokenLifetime
    self.idTokenLifetime = idTokenLifetime
    self.refreshTokenLifetime = refreshTokenLifetime
    self.deviceCodeLifetime = deviceCodeLifetime
    self.deviceInterval = deviceInterval
    self.enforcesDeviceInterval = enforcesDeviceInterval
    self.documentMaxAge = documentMaxAge
    self.habits = habits
  }
}
