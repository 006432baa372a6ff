// What a server may write a secret as that it quotes in a text for people.

import EventStore
import Foundation

/// Texts with a secret in them in each form in which masking finds one.
enum QuotedSecrets {
  /// Passwords that are typed wrong: one of ASCII, one with a letter beyond it, one with blanks around it.
  static let passwords = ["Mistyped-Horse-42", "caf\u{e9}-mistyped-9", "  padded Horse 7 "]

  /// A text for each form of a secret.
  static func texts(quoting secret: String) -> [JSON] {
    let bytes = Array(secret.utf8)
    let hex = bytes.map { String($0 < 16 ? "0" : "") + String($0, radix: 16) }
    let escaped = secret.utf16.map { "\\u" + String(format: "%04x", $0) }.joined()
    let entities = secret.unicodeScalars.map { "&#\($0.value);" }.joined()
    let forms = [
      secret, secret.uppercased(), secret.lowercased(),
      hex.map { "%" + $0 }.joined(), "%" + hex[0] + String(decoding: bytes.dropFirst(), as: UTF8.self), escaped,
      entities,
      Data(bytes).base64EncodedString(), Data([0x61] + bytes).base64EncodedString(),
      Data([0x61, 0x62] + bytes + [0x63]).base64EncodedString(),
      secret.replacing("-", with: "-\n"), secret.trimmingCharacters(in: .whitespaces),
      secret.decomposedStringWithCanonicalMapping,
      String(decoding: bytes.flatMap { Array(String(UnicodeScalar($0)).utf8) }, as: UTF8.self),
    ]
    return forms.map { .string("The org heard \($0) and no more") }
  }
}
