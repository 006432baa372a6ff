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
    let verifier = base64url(bytes)
    return [
      "verifier": .string(verifier),
      "challenge": .string(base64url(Array(SHA256.hash(data: Data(verifier.utf8))))),
    ]
  }

  private static func base64url(_ bytes: [UInt8]) -> String {
    let standard = Data(bytes).base64EncodedString()
    return String(
      standard.compactMap { character in
        switch character {
        case "+": "-"
        case "/": "_"
        case "=": nil
        default: character
        }
      })
  }
}
