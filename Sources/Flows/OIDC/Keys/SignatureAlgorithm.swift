// The signatures that an ID token may have (RFC 7518 §3.1): those by a key pair, never by a shared secret.

import Crypto
import Foundation

/// A signature algorithm.
enum SignatureAlgorithm: String, CaseIterable {
  case RS256, RS384, RS512, ES256, ES384, ES512

  /// The curve of its keys, or nil for RSA.
  var curve: String? {
    switch self {
    case .RS256, .RS384, .RS512: nil
    case .ES256: "P-256"
    case .ES384: "P-384"
    case .ES512: "P-521"
    }
  }

  /// The bytes of a coordinate of its curve; 0 for RSA.
  var coordinateLength: Int {
    switch self {
    case .RS256, .RS384, .RS512: 0
    case .ES256: 32
    case .ES384: 48
    case .ES512: 66
    }
  }

  /// The left half of the hash of a text, as `at_hash` has it (OIDC Core §3.1.3.6).
  func leftHalf(of text: String) -> [UInt8] {
    let data = Data(text.utf8)
    let hash: [UInt8] =
      switch self {
      case .RS256, .ES256: Array(SHA256.hash(data: data))
      case .RS384, .ES384: Array(SHA384.hash(data: data))
      case .RS512, .ES512: Array(SHA512.hash(data: data))
      }
    return Array(hash.prefix(hash.count / 2))
  }
}
