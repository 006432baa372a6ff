// Reads JWTs without verifying them (oidc §8.4).

public import EventStore
import FlowRecording

/// Reads the parts of a JWT. Nothing is verified, so do not base decisions on the result.
public enum JWTReading {
  /// Returns the payload of a token.
  ///
  /// - Returns: `nil` if the token has fewer than two parts.
  /// - Throws: `JWTDecodeError` if the payload is not base64url (RFC 7515 §2) or not a JSON object.
  public static func decode(_ token: String) throws(OktaError) -> JSON? {
    let parts = token.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count >= 2 else { return nil }
    guard let object = object(parts[1]) else { throw .JWTDecodeError }
    return object
  }

  /// Returns the `kid` in a token's header; `nil` if there is none or the header cannot be read.
  package static func keyID(of token: String) -> String? {
    token.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false).first.flatMap(object)?["kid"]?.string
  }

  /// Decodes the JSON object in a part. Padding, which some servers append, is ignored.
  private static func object(_ part: Substring) -> JSON? {
    let bare = part.utf8.reversed().drop { $0 == UInt8(ascii: "=") }.count
    guard let bytes = Base64URL.decode(Substring(part.utf8.prefix(bare))),
      let json = try? JSON(parsing: bytes), json.object != nil
    else { return nil }
    return json
  }
}
