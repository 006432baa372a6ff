// An application that may start a sign-in (idx.md §2, oidc.md §3).

/// A client of the org's authorization servers.
public struct OrgClient: Sendable, Equatable {
  /// `client_id`.
  public var id: String
  /// The redirect URIs registered, compared exactly (see ``OrgOIDC/allowsAnyLoopbackPort``).
  public var redirectURIs: [String]
  /// Where a browser may go after a sign-out, compared as redirect URIs are.
  public var postLogoutRedirectURIs: [String]
  /// The secret of a confidential client; `nil` for a public one.
  public var secret: String?
  /// The application's name on the sign-in page.
  public var label: String
  /// The ways to tokens that are open to it.
  public var grants: Set<Grant>
  /// The scopes that a device may ask for in its name; `nil` for all.
  public var scopes: Set<String>?

  /// A way to tokens.
  public enum Grant: String, Sendable, Hashable, CaseIterable {
    /// The code at the end of a sign-in in a browser (RFC 6749 §4.1).
    case authorizationCode = "authorization_code"
    /// A refresh token (RFC 6749 §6).
    case refreshToken = "refresh_token"
    /// The code of a device without a browser (RFC 8628).
    case deviceCode = "urn:ietf:params:oauth:grant-type:device_code"
    /// The code at the end of a sign-in through the Identity Engine.
    case interactionCode = "interaction_code"
    /// An assertion that an enrolled device signed (RFC 7523 §2.1).
    case jwtBearer = "urn:ietf:params:oauth:grant-type:jwt-bearer"
    /// A question to the user's device (OpenID Connect CIBA).
    case ciba = "urn:openid:params:grant-type:ciba"
  }

  /// A client.
  public init(
    id: String, redirectURIs: [String], secret: String? = nil, label: String = "Sample App",
    grants: Set<Grant> = Set(Grant.allCases), scopes: Set<String>? = nil, postLogoutRedirectURIs: [String] = []
  ) {
    self.id = id
    self.redirectURIs = redirectURIs
    self.postLogoutRedirectURIs = postLogoutRedirectURIs
    self.secret = secret
    self.label = label
    self.grants = grants
    self.scopes = scopes
  }

  func mayAsk(for scope: String) -> Bool { scopes?.contains(scope) ?? true }

  /// A public client: `0oa1sampleapp0000001`, `com.example.app:/callback` or `http://127.0.0.1:8400/callback`.
  public static let sample = OrgClient(
    id: "0oa1sampleapp0000001", redirectURIs: ["com.example.app:/callback", "http://127.0.0.1:8400/callback"],
    postLogoutRedirectURIs: ["com.example.app:/logout", "http://127.0.0.1:8400/callback"])
}
