// An RSA key that signs JWTs (RFC 7518 §3.3), and what its public half looks like in a key set.

import Crypto
import CryptoExtras
import Foundation

/// A private RSA key.
struct SigningKey: Sendable {
  private let key: _RSA.Signing.PrivateKey?

  /// A key from its PKCS #1 form in base64, lines allowed.
  init(base64: String) {
    let bytes = Data(base64Encoded: base64, options: .ignoreUnknownCharacters) ?? Data()
    key = try? _RSA.Signing.PrivateKey(derRepresentation: bytes)
    assert(key != nil, "a test key cannot be read")
  }

  /// Modulus and exponent, big-endian.
  private var primitives: (modulus: [UInt8], exponent: [UInt8]) {
    guard let found = try? key?.publicKey.getKeyPrimitives() else { return ([], []) }
    return (Array(found.modulus), Array(found.publicExponent))
  }

  /// The modulus, big-endian: what a forger who confuses algorithms takes for a shared secret.
  var modulus: [UInt8] { primitives.modulus }

  /// RS256 of a message. PKCS #1 v1.5 is deterministic: one message has one signature.
  func sign(_ message: [UInt8]) -> [UInt8] {
    guard let key, let signature = try? key.signature(for: SHA256.hash(data: message), padding: .insecurePKCS1v1_5)
    else { return [] }
    return Array(signature.rawRepresentation)
  }

  /// A member of `keys` (RFC 7517 §4, RFC 7518 §6.3.1).
  func webKey(id: String) -> OrgJSON {
    let (modulus, exponent) = primitives
    return [
      "kty": "RSA", "alg": "RS256", "use": "sig", "kid": .string(id), "n": .string(Base64.urlText(modulus)),
      "e": .string(Base64.urlText(exponent)),
    ]
  }
}
