// One public key of a key set (RFC 7517 §4, RFC 7518 §6).

package import EventStore
import FlowRecording

/// A public key that verifies signatures.
package struct VerificationKey: Sendable, Hashable {
  /// Its numbers, base64url.
  package enum Material: Sendable, Hashable {
    /// An RSA key.
    case rsa(modulus: String, exponent: String)
    /// A point of a curve.
    case ec(curve: String, x: String, y: String)
  }

  /// Its `kid`.
  package var id: String?
  /// The only algorithm that it may be used with, if specified.
  package var algorithm: String?
  /// Its numbers.
  package var material: Material

  /// Reads a JWK; nil unless it is an RSA or EC key for signatures whose numbers are in base64url.
  package init?(_ jwk: JSON) {
    guard jwk["use"].map({ $0.string == "sig" }) ?? true,
      jwk["key_ops"].map({ $0.array?.contains("verify") ?? false }) ?? true
    else { return nil }
    func number(_ name: String) -> String? {
      jwk[name]?.string.flatMap { text in Base64URL.decode(text).map { $0.isEmpty ? nil : text } ?? nil }
    }
    switch jwk["kty"]?.string {
    case "RSA":
      guard let modulus = number("n"), let exponent = number("e") else { return nil }
      material = .rsa(modulus: modulus, exponent: exponent)
    case "EC":
      guard let curve = jwk["crv"]?.string, let x = number("x"), let y = number("y") else { return nil }
      material = .ec(curve: curve, x: x, y: y)
    case .some, nil: return nil
    }
    id = jwk["kid"]?.string
    algorithm = jwk["alg"]?.string
  }

  /// The key as a JWK, its public members alone.
  package var json: JSON {
    let numbers: [(String, JSON?)] =
      switch material {
      case .rsa(let modulus, let exponent): [("kty", "RSA"), ("n", .string(modulus)), ("e", .string(exponent))]
      case .ec(let curve, let x, let y):
        [("kty", "EC"), ("crv", .string(curve)), ("x", .string(x)), ("y", .string(y))]
      }
    return .members([("kid", id.map(JSON.string)), ("alg", algorithm.map(JSON.string))] + numbers)
  }

  /// Whether the key is of the type that an algorithm needs.
  func fits(_ wanted: SignatureAlgorithm) -> Bool {
    guard algorithm.map({ $0 == wanted.rawValue }) ?? true else { return false }
    switch material {
    case .rsa: return wanted.curve == nil
    case .ec(let curve, let x, let y):
      let length = wanted.coordinateLength
      return curve == wanted.curve && [x, y].allSatisfy { Base64URL.decode($0)?.count == length }
    }
  }

  /// Whether the key is too short to be accepted: RSA below 2048 bits (RFC 7518 §3.3).
  var isWeak: Bool {
    switch material {
    case .rsa(let modulus, _): (Base64URL.decode(modulus)?.drop { $0 == 0 }.count ?? 0) < 256
    case .ec: false
    }
  }
}
