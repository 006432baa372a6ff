// Verifies whether an org signed a challenge (spec/device.md V5, V6). Because JOSE is easy to get wrong, a maintained
// library does it.

import Crypto
package import EventStore
import FlowRecording
import Foundation
import JWTKit

/// Verifies the signature of a JWT against a list of keys.
package enum TokenVerifier {
  /// The value of the draw: whether a key with the given `kid` signed the JWT, and which one.
  package static func value(token: String, kid: String, keys: [JSON]) async -> JSON {
    guard let jwk = keys.first(where: { $0["kid"]?.string == kid && $0["kty"]?.string == "RSA" }),
      jwk["use"].map({ $0 == "sig" }) ?? true, let modulus = jwk["n"]?.string, let exponent = jwk["e"]?.string,
      let bytes = Base64URL.decode(modulus)
    else { return ["result": "noKey"] }
    // Keys shorter than 2048 bits are rejected (§8.5).
    guard bytes.drop(while: { $0 == 0 }).count >= 256 else { return ["result": "weakKey"] }
    let isVerified = await isSigned(token, kid: kid, modulus: modulus, exponent: exponent)
    return [
      "result": isVerified ? "verified" : "badSignature",
      "thumbprint": .string(thumbprint(modulus: modulus, exponent: exponent)),
    ]
  }

  private static func isSigned(_ token: String, kid: String, modulus: String, exponent: String) async -> Bool {
    do {
      let key = try Insecure.RSA.PublicKey(modulus: modulus, exponent: exponent)
      let digest: DigestAlgorithm =
        switch CompactJWS(token)?.header["alg"]?.string {
        case "RS384": .sha384
        case "RS512": .sha512
        case nil, .some: .sha256
        }
      let keys = JWTKeyCollection()
      await keys.add(rsa: key, digestAlgorithm: digest, kid: JWKIdentifier(string: kid))
      _ = try await keys.verify(token, as: AnyClaims.self)
      return true
    } catch {
      return false
    }
  }

  /// Returns the RFC 7638 thumbprint of an RSA key.
  private static func thumbprint(modulus: String, exponent: String) -> String {
    let input = JSON.members([("e", .string(exponent)), ("kty", "RSA"), ("n", .string(modulus))])
    return Base64URL.encode(Array(SHA256.hash(data: Data(input.bytes))))
  }

  /// Accepts any claims; the core checks them itself, in its own order and against its own time.
  private struct AnyClaims: JWTPayload {
    func verify(using algorithm: some JWTAlgorithm) async throws {}
  }
}

extension PublicKey {
  /// The RFC 7638 thumbprint of the key, base64url-encoded.
  package var thumbprint: String { Base64URL.encode(Array(SHA256.hash(data: Data(thumbprintInput)))) }
}
