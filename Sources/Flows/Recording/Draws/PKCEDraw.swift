// A PKCE verifier with its challenge (RFC 7636 §4.1, §4.2).

import Crypto
import EventStore
import Foundation

enum PKCEDraw {
  /// 32 random bytes as the verifier, and the hash of its text as the challenge; both base64url without padding.
  static func value(from entropy: any Entropy) -> JSON {
    let verifier = RandomText.value(from: entropy)
    return [
      "verifier": .string(verifier),
      "challenge": .string(Base64URL.encode(Array(SHA256.hash(data: Data(verifier.utf8))))),
    ]
  }
}
