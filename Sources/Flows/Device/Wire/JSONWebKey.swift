// P-256 public keys as JWK (spec/device.md §5.2, RFC 7517, RFC 7638).

package import EventStore
import FlowRecording

extension PublicKey {
  /// The key as a JWK. Coordinates have exactly 32 bytes, padded with zeros.
  package func jwk(tag: String, protection: KeyProtection) -> JSON {
    [
      "kty": "EC", "crv": "P-256", "kid": .string(tag), "okta:kpr": .string(protection.rawValue),
      "x": .string(Base64URL.encode(Self.padded(x))), "y": .string(Base64URL.encode(Self.padded(y))),
    ]
  }

  /// The bytes whose SHA-256 is the key's thumbprint (RFC 7638 §3.2).
  package var thumbprintInput: [UInt8] {
    JSON.members([
      ("crv", "P-256"), ("kty", "EC"), ("x", .string(Base64URL.encode(Self.padded(x)))),
      ("y", .string(Base64URL.encode(Self.padded(y)))),
    ]).bytes
  }

  private static func padded(_ bytes: [UInt8]) -> [UInt8] {
    Array(repeating: 0, count: max(0, 32 - bytes.count)) + bytes
  }
}

/// ECDSA signatures in the JOSE format (RFC 7518 §3.4).
package enum JOSESignature {
  /// Converts ASN.1 DER (RFC 3279 §2.2.3) to `r` and `s` of 32 bytes each; `nil` if the bytes are not a valid
  /// signature.
  package static func raw(fromDER der: [UInt8]) -> [UInt8]? {
    var rest = der[...]
    guard rest.popFirst() == 0x30, let length = rest.popFirst(), Int(length) == rest.count else { return nil }
    guard let r = integer(&rest), let s = integer(&rest), rest.isEmpty else { return nil }
    return r + s
  }

  private static func integer(_ rest: inout ArraySlice<UInt8>) -> [UInt8]? {
    guard rest.popFirst() == 0x02, let length = rest.popFirst(), length > 0, Int(length) <= rest.count else {
      return nil
    }
    var bytes = rest.prefix(Int(length))
    rest = rest.dropFirst(Int(length))
    // The number is not negative, and a leading zero is allowed only before a high bit.
    guard let first = bytes.first, first < 0x80 else { return nil }
    while bytes.count > 32, bytes.first == 0 { bytes = bytes.dropFirst() }
    guard bytes.count <= 32 else { return nil }
    return Array(repeating: 0, count: 32 - bytes.count) + bytes
  }
}
