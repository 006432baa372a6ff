// Public keys of devices (device.md §5.2; RFC 7517, RFC 7518 §6), and the signatures made with their private halves.

import Crypto
import CryptoExtras
import Foundation

/// A public key that a device enrolled.
struct JSONWebKey: Sendable, Equatable {
  enum Material: Equatable {
    /// X and Y of a point of P-256.
    case elliptic([UInt8])
    case rsa(modulus: [UInt8], exponent: [UInt8])
  }

  let id: String
  let material: Material
  /// Whether the device says that the private key is in hardware; `nil` if it does not say.
  let isHardware: Bool?
  let isFIPSCompliant: Bool

  /// Reads a key.
  ///
  /// - Throws: `E0000001` with the member that is wrong.
  init(_ fields: DeviceFields) throws(Refusal) {
    if fields.json["d"] != nil { throw fields.wrong("d", "a private key must not be sent") }
    id = try fields.text("kid")
    switch try fields.optionalText("okta:kpr") {
    case nil: isHardware = nil
    case "HARDWARE": isHardware = true
    case "SOFTWARE": isHardware = false
    case .some: throw fields.wrong("okta:kpr", "must be HARDWARE or SOFTWARE")
    }
    isFIPSCompliant = fields.json["okta:isFipsCompliant"] == .bool(true)
    switch try fields.text("kty") {
    case "EC": material = try Self.elliptic(fields)
    case "RSA": material = try Self.rsa(fields)
    default: throw fields.wrong("kty", "must be EC or RSA")
    }
  }

  private static func elliptic(_ fields: DeviceFields) throws(Refusal) -> Material {
    guard try fields.text("crv") == "P-256" else { throw fields.wrong("crv", "must be P-256") }
    var point: [UInt8] = []
    for name in ["x", "y"] {
      guard let bytes = Base64.strictURLBytes(try fields.text(name)), bytes.count == 32 else {
        throw fields.wrong(name, "must be 32 bytes in base64url")
      }
      point += bytes
    }
    guard (try? P256.Signing.PublicKey(rawRepresentation: point)) != nil else {
      throw fields.wrong("x", "the point is not on the curve")
    }
    return .elliptic(point)
  }

  private static func rsa(_ fields: DeviceFields) throws(Refusal) -> Material {
    guard let modulus = Base64.strictURLBytes(try fields.text("n")),
      let exponent = Base64.strictURLBytes(try fields.text("e")), !exponent.isEmpty, exponent.count <= 4,
      modulus.count <= 1024, (try? _RSA.Signing.PublicKey(n: modulus, e: exponent)) != nil
    else { throw fields.wrong("n", "must be an RSA key of 2048 bits or more") }
    return .rsa(modulus: modulus, exponent: exponent)
  }

  /// The algorithm that the key signs with.
  var algorithm: String {
    switch material {
    case .elliptic: "ES256"
    case .rsa: "RS256"
    }
  }

  /// Whether the key signed this token: `alg`, `kid` and signature.
  func signed(_ token: CompactJWS) -> Bool {
    guard token.header["alg"]?.string == algorithm, token.header["kid"]?.string == id else { return false }
    let digest = SHA256.hash(data: token.signed)
    switch material {
    case .elliptic(let point):
      guard let key = try? P256.Signing.PublicKey(rawRepresentation: point),
        let signature = try? P256.Signing.ECDSASignature(rawRepresentation: token.signature)
      else { return false }
      return key.isValidSignature(signature, for: digest)
    case .rsa(let modulus, let exponent):
      guard let key = try? _RSA.Signing.PublicKey(n: modulus, e: exponent) else { return false }
      let signature = _RSA.Signing.RSASignature(rawRepresentation: token.signature)
      return key.isValidSignature(signature, for: digest, padding: .insecurePKCS1v1_5)
    }
  }
}
