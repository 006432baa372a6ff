// Compact JWS (RFC 7515 §3.1), as strict as the RFC: three parts, base64url without padding, JSON objects.

/// A signed token, taken apart. Nothing about it is verified.
struct CompactJWS: Sendable {
  let text: String
  let header: OrgJSON
  let claims: OrgJSON
  /// The signed bytes.
  let signed: [UInt8]
  let signature: [UInt8]

  /// Takes a token apart; `nil` if it is not a token.
  init?(_ text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 3, let header = Self.object(parts[0]), let claims = Self.object(parts[1]),
      let signature = Base64.strictURLBytes(parts[2])
    else { return nil }
    (self.text, self.header, self.claims, self.signature) = (text, header, claims, signature)
    signed = Array((parts[0] + "." + parts[1]).utf8)
  }

  private static func object(_ part: String) -> OrgJSON? {
    guard let bytes = Base64.strictURLBytes(part), let json = OrgJSON(parsing: bytes), case .object = json else {
      return nil
    }
    return json
  }

  /// Makes a token.
  static func text(_ header: OrgJSON, _ claims: OrgJSON, sign: ([UInt8]) -> [UInt8]) -> String {
    let signed = Base64.urlText(header.encoded) + "." + Base64.urlText(claims.encoded)
    return signed + "." + Base64.urlText(sign(Array(signed.utf8)))
  }

  /// A claim, if it is a string.
  func text(_ name: String) -> String? { claims[name]?.string }

  /// Whether the times of the token hold at a moment, with five minutes for clocks that differ (device.md §20.2).
  func isTimely(at now: Timestamp) -> Bool {
    let skew: Int64 = 300
    guard let expires = claims["exp"]?.number, Int64(expires) >= now.seconds - skew,
      let issued = claims["iat"]?.number, Int64(issued) <= now.seconds + skew
    else { return false }
    guard let notBefore = claims["nbf"], notBefore != .null else { return true }
    return notBefore.number.map { Int64($0) <= now.seconds + skew } ?? false
  }
}
