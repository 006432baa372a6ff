import Crypto
import Foundation

/// RFC 7636 §4.2 in its own words.
enum PKCECheck {
  static func challenge(of verifier: String) -> String {
    Data(SHA256.hash(data: Data(verifier.utf8))).base64EncodedString()
      .replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
      .replacingOccurrences(of: "=", with: "")
  }
}
