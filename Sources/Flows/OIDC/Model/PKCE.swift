// Proof key for code exchange (RFC 7636).

/// Binds the exchange of a code to its sign-in. Its description contains no secret.
public struct PKCE: Sendable, Codable, Hashable, CustomStringConvertible, CustomReflectable {
  /// How a challenge is derived from a verifier.
  public enum Method: String, Sendable, Codable, Hashable {
    /// By SHA-256.
    case sha256 = "S256"
  }

  /// The secret, which is sent to the token endpoint.
  public let codeVerifier: String
  /// The value sent to the authorization server at the start.
  public let codeChallenge: String
  /// How the challenge was made.
  public let method: Method

  /// Makes a pair of its parts; the challenge is the SHA-256 of the verifier, in base64url.
  package init(codeVerifier: String, codeChallenge: String) {
    self.codeVerifier = codeVerifier
    self.codeChallenge = codeChallenge
    method = .sha256
  }

  /// How the challenge was made.
  public var description: String { "PKCE(\(method.rawValue))" }

  /// No children, so that a dump shows no secret.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
