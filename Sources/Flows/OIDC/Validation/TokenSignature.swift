// Verifies that a key of the server signed a token. Because JOSE is easy to get wrong, a maintained library does it.

import EventStore
import FlowRecording
import Foundation
import JWTKit

/// The signature of a token. Keys inside the token itself (`jwk`, `jku`, `x5c`) are never used.
struct TokenSignature {
  var header: IDTokenHeader
  var jws: CompactJWS

  /// The maximum number of keys that are tried if the token names none.
  private static let tries = 16

  /// Verifies the signature with the key named in the header, or with every suitable key if none is named.
  func verify(by set: KeySet) async throws(IDTokenFailure) {
    let algorithm = header.algorithm
    let fitting = set.keys.filter { key in
      key.fits(algorithm) && (header.keyID.map { key.id?.isSame(as: $0) ?? false } ?? true)
    }
    guard !fitting.isEmpty else {
      throw IDTokenFailure("kid", .unknownKey, expected: "a key of the server for \(algorithm)", actual: header.keyID)
    }
    let strong = fitting.filter { !$0.isWeak }
    guard !strong.isEmpty else { throw IDTokenFailure("kid", .weakKey, expected: "2048 bits", actual: header.keyID) }
    for key in strong.prefix(Self.tries) where await isSigned(by: key, algorithm) { return }
    throw IDTokenFailure("signature", .signature, actual: header.keyID.map { "by key \($0)" })
  }

  private func isSigned(by key: VerificationKey, _ algorithm: SignatureAlgorithm) async -> Bool {
    let keys = JWTKeyCollection()
    do {
      switch (key.material, algorithm) {
      case (.rsa(let modulus, let exponent), .RS256):
        await keys.add(rsa: try rsa(modulus, exponent), digestAlgorithm: .sha256)
      case (.rsa(let modulus, let exponent), .RS384):
        await keys.add(rsa: try rsa(modulus, exponent), digestAlgorithm: .sha384)
      case (.rsa(let modulus, let exponent), .RS512):
        await keys.add(rsa: try rsa(modulus, exponent), digestAlgorithm: .sha512)
      case (.ec(_, let x, let y), .ES256): await keys.add(ecdsa: try ES256PublicKey(parameters: (x, y)))
      case (.ec(_, let x, let y), .ES384): await keys.add(ecdsa: try ES384PublicKey(parameters: (x, y)))
      case (.ec(_, let x, let y), .ES512): await keys.add(ecdsa: try ES512PublicKey(parameters: (x, y)))
      case (.rsa, .ES256), (.rsa, .ES384), (.rsa, .ES512), (.ec, .RS256), (.ec, .RS384), (.ec, .RS512): return false
      }
      // The bytes that were parsed are verified directly: the library does not parse the token again.
      return try await keys.getKey().verify(Data(jws.signature), signs: Data(jws.signingInput.utf8))
    } catch {
      return false
    }
  }

  private func rsa(_ modulus: String, _ exponent: String) throws -> Insecure.RSA.PublicKey {
    try Insecure.RSA.PublicKey(modulus: modulus, exponent: exponent)
  }
}
