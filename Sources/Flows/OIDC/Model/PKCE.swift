// Proof key for code exchange (RFC 7636).

/// What binds the exchange of a code to the sign-in that asked for it. What it prints of itself shows no secret.
public struct PKCE: Sendable, Codable, Hashable, CustomStringConvertible, CustomReflectable {
  /// How a challenge is made of a verifier.
  public enum Method: String, Sendable, Codable, Hashable {
    /// By SHA-256.
    case sha256 = "S256"
  }

  /// The secret, which the token endpoint gets.
  public let codeVerifier: String
  /// What the authorization server got at the start.
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

  /// No children: a dump shows no secret.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
