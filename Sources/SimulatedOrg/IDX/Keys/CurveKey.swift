// A P-256 key that signs the same message the same way every time (RFC 6979): an org's answers follow from its seed,
// but swift-crypto's own signatures are random.

import Crypto
import Foundation

/// A private key made from a name.
struct CurveKey: Sendable {
  private let secret: [UInt8]
  /// X and Y of the public point.
  let publicKey: [UInt8]

  init(name: String) {
    var (attempt, found): (Int, [UInt8]?) = (0, nil)
    var candidate: [UInt8] = []
    while found == nil {
      candidate = Array(SHA256.hash(data: Array("\(name) \(attempt)".utf8)))
      (attempt, found) = (attempt + 1, Self.point(candidate))
    }
    (secret, publicKey) = (candidate, found ?? [])
  }

  /// A key with a known secret of 32 bytes; `nil` if the secret is not valid.
  init?(secret: [UInt8]) {
    guard let point = Self.point(secret) else { return nil }
    (self.secret, publicKey) = (secret, point)
  }

  /// The multiple of the base point.
  private static func point(_ scalar: [UInt8]) -> [UInt8]? {
    (try? P256.Signing.PrivateKey(rawRepresentation: scalar)).map { Array($0.publicKey.rawRepresentation) }
  }

  /// R and S of ECDSA over SHA-256, 64 bytes.
  func sign(_ message: [UInt8]) -> [UInt8] {
    let hash = CurveScalar(Array(SHA256.hash(data: message)))
    var nonces = Nonces(secret: secret, hash: hash.bytes)
    while true {
      let nonce = nonces.next()
      guard let point = Self.point(nonce) else { continue }
      let r = CurveScalar(point.prefix(32))
      let s = CurveScalar(nonce).inverse * (hash + r * CurveScalar(secret))
      if !r.isZero, !s.isZero { return r.bytes + s.bytes }
    }
  }

  /// The same in ASN.1, as WebAuthn requires.
  func signDER(_ message: [UInt8]) -> [UInt8] {
    let signature = try? P256.Signing.ECDSASignature(rawRepresentation: sign(message))
    return signature.map { Array($0.derRepresentation) } ?? []
  }

  /// RFC 6979 §3.2.
  private struct Nonces {
    private var key = [UInt8](repeating: 0, count: 32)
    private var value = [UInt8](repeating: 1, count: 32)

    init(secret: [UInt8], hash: [UInt8]) {
      for tag: UInt8 in [0, 1] {
        key = mac(value + [tag] + secret + hash)
        value = mac(value)
      }
    }

    mutating func next() -> [UInt8] {
      value = mac(value)
      let nonce = value
      // The next candidate is needed only if this one is not usable.
      key = mac(value + [0])
      value = mac(value)
      return nonce
    }

    private func mac(_ bytes: [UInt8]) -> [UInt8] {
      Array(HMAC<SHA256>.authenticationCode(for: bytes, using: SymmetricKey(data: key)))
    }
  }
}
