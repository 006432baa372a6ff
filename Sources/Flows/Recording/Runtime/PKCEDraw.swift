// A PKCE verifier with its challenge (RFC 7636 §4.1, §4.2).

import Crypto
import EventStore
import Foundation

enum PKCEDraw {
  /// 32 random bytes as the verifier, and the hash of its text as the challenge; both base64url without padding.
  static func value(from entropy: any Entropy) -> JSON {
    let bytes = (0..<4).flatMap { _ in
      let bits = entropy.next()
      return stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: bits >> UInt64($0)) }
    }
    let verifier = Base64URL.encode(bytes)
    return [
      "verifier": .string(verifier),
      "challenge": .string(Base64URL.encode(Array(SHA256.hash(data: Data(verifier.utf8))))),
    ]
  }
}
