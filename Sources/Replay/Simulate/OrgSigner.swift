// Keys of an org that answers as recorded: it cannot have the keys of the recorded org.

import Crypto
import CryptoExtras
import EventStore
import FlowRecording
import Foundation

/// A key for signing ID tokens, made when a process first needs it.
struct OrgSigner: Sendable {
  /// How it signs (RFC 7518 §3.1).
  enum Algorithm: String, Sendable {
    case rsa = "RS256"
    case curve = "ES256"
  }

  /// Its algorithm, which may differ from the requested one.
  let algorithm: Algorithm
  private let id: String
  /// The key as a member of `keys` (RFC 7517 §4).
  let webKey: JSON
  private let sign: @Sendable ([UInt8]) -> [UInt8]

  private init(_ algorithm: Algorithm, _ parts: [(String, JSON?)], sign: @escaping @Sendable ([UInt8]) -> [UInt8]) {
    let id = Base64URL.encode(Array(SHA256.hash(data: Data(JSON.members(parts).bytes))))
    webKey = .members(
      parts + [("alg", .string(algorithm.rawValue)), ("use", "sig"), ("kid", .string(id))] as [(String, JSON?)])
    (self.algorithm, self.id, self.sign) = (algorithm, id, sign)
  }

  /// The key of this process for an algorithm; that of the curve if no RSA key can be made.
  static func key(for algorithm: Algorithm) -> OrgSigner {
    switch algorithm {
    case .rsa: rsa
    case .curve: curve
    }
  }

  private static let curve: OrgSigner = {
    let key = P256.Signing.PrivateKey()
    let point = Array(key.publicKey.rawRepresentation)
    let parts: [(String, JSON?)] = [
      ("crv", "P-256"), ("kty", "EC"), ("x", .string(Base64URL.encode(point.prefix(32)))),
      ("y", .string(Base64URL.encode(point.suffix(32)))),
    ]
    return OrgSigner(.curve, parts) { message in
      (try? key.signature(for: Data(message))).map { Array($0.rawRepresentation) } ?? []
    }
  }()

  private static let rsa: OrgSigner = {
    guard let key = try? _RSA.Signing.PrivateKey(keySize: .bits2048),
      let numbers = try? key.publicKey.getKeyPrimitives()
    else { return OrgSigner.curve }
    let parts: [(String, JSON?)] = [
      ("e", .string(Base64URL.encode(Array(numbers.publicExponent)))), ("kty", "RSA"),
      ("n", .string(Base64URL.encode(Array(numbers.modulus)))),
    ]
    return OrgSigner(.rsa, parts) { message in
      let hash = SHA256.hash(data: Data(message))
      return (try? key.signature(for: hash, padding: .insecurePKCS1v1_5)).map { Array($0.rawRepresentation) } ?? []
    }
  }()

  /// A signed JWT.
  func token(_ claims: JSON) -> String {
    let header: JSON = ["alg": .string(algorithm.rawValue), "kid": .string(id), "typ": "JWT"]
    let input = CompactJWS.signingInput(header: header, claims: claims)
    return input + "." + Base64URL.encode(sign(Array(input.utf8)))
  }

  /// The `at_hash` of an access token (OIDC Core §3.1.3.6): both algorithms use SHA-256.
  static func hash(of token: String) -> String {
    Base64URL.encode(Array(SHA256.hash(data: Data(token.utf8))).prefix(16))
  }

  /// The challenge of a code verifier by `S256` (RFC 7636 §4.2).
  static func challenge(of verifier: String) -> String {
    Base64URL.encode(Array(SHA256.hash(data: Data(verifier.utf8))))
  }
}
