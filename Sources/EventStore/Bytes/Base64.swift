import Foundation

/// Standard base64 with padding (RFC 4648 §4), strict: one value has one encoding.
enum Base64 {
  /// The text of `bytes`.
  static func encode(_ bytes: some Sequence<UInt8>) -> String { Data(bytes).base64EncodedString() }

  /// The bytes of `text`, or nil if encoding them again would not give the same text.
  static func decode(_ text: some StringProtocol) -> [UInt8]? {
    guard let data = Data(base64Encoded: String(text)), data.base64EncodedString() == text else { return nil }
    return Array(data)
  }
}
