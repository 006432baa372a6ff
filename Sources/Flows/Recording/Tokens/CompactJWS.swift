// The compact form of a signed JWT taken apart, nothing verified (RFC 7515 §7.1).

package import EventStore

/// A JWT in its parts.
package struct CompactJWS: Sendable, Equatable {
  /// The header.
  package var header: JSON
  /// The claims.
  package var claims: JSON
  /// The signed text: header and claims as they came, with the point between them.
  package var signingInput: String
  /// The signature.
  package var signature: [UInt8]

  /// Takes a JWT apart; nil unless it has three parts in base64url, of which the first two are JSON objects.
  package init?(_ text: String) {
    let bytes = Array(text.utf8)
    let parts = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.count == 3, let header = Self.object(parts[0]), let claims = Self.object(parts[1]),
      let signature = Base64URL.decode(parts[2])
    else { return nil }
    self.header = header
    self.claims = claims
    self.signature = signature
    signingInput = String(decoding: bytes[..<parts[1].endIndex], as: UTF8.self)
  }

  /// The text to sign for a JWT that is being made.
  package static func signingInput(header: JSON, claims: JSON) -> String {
    Base64URL.encode(header.bytes) + "." + Base64URL.encode(claims.bytes)
  }

  private static func object(_ part: ArraySlice<UInt8>) -> JSON? {
    guard let bytes = Base64URL.decode(part), let json = try? JSON(parsing: bytes), json.object != nil else {
      return nil
    }
    return json
  }
}
