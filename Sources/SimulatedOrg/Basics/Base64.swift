// Base64 as bodies carry it: standard with padding for keys, URL-safe without for browser values (RFC 4648 §4, §5).

import Foundation

enum Base64 {
  static func text(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }

  static func urlText(_ bytes: some Sequence<UInt8>) -> String {
    let letters = Data(bytes).base64EncodedString().filter { $0 != "=" }
    return String(letters.map { forURL[$0] ?? $0 })
  }

  /// The bytes of either form, padded or not; `nil` for anything else.
  static func bytes(_ text: String) -> [UInt8]? {
    let letters = text.filter { $0 != "=" }.map { fromURL[$0] ?? $0 }
    let padding = String(repeating: "=", count: (4 - letters.count % 4) % 4)
    return Data(base64Encoded: String(letters) + padding).map(Array.init)
  }

  /// The bytes of the URL-safe form without padding, and of nothing else: one value has one text (RFC 4648 §3.5).
  static func strictURLBytes(_ text: String) -> [UInt8]? {
    guard let found = bytes(text), urlText(found) == text else { return nil }
    return found
  }

  private static let forURL: [Character: Character] = ["+": "-", "/": "_"]
  private static let fromURL: [Character: Character] = ["-": "+", "_": "/"]
}
