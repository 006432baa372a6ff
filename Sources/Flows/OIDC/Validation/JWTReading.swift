// Reads JWTs without checking them (oidc §8.4).

public import EventStore

/// Reads the parts of a JWT. Nothing is verified: do not decide anything by what it says.
public enum JWTReading {
  /// The payload of a token.
  ///
  /// - Returns: `nil` if the token has fewer than two parts.
  /// - Throws: `JWTDecodeError` if the payload is no base64url or no JSON object.
  public static func decode(_ token: String) throws(OktaError) -> JSON? { nil }

  /// The `kid` of a token's header, if it has one.
  package static func keyID(of token: String) -> String? { nil }
}
