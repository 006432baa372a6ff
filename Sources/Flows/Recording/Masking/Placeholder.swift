// The text that replaces a secret (DESIGN §5): `$secret.password.1$`. It needs no escaping in JSON or in a URL path,
// and its last character separates it from what follows.

/// The form of placeholders.
enum Placeholder {
  /// The beginning of every placeholder.
  static let prefix = "$secret."

  /// The placeholder in a message that exceeded its budget and is not used.
  static let excess = "$secret.excess.0$"

  /// The placeholder of the `number`-th secret of a kind.
  static func make(kind: String, number: Int) -> String { "\(prefix)\(kind).\(number)$" }

  /// The placeholder of an encoded sighting of a secret: `$secret.password.1.pct$`.
  static func encoded(_ base: String, as encoding: String) -> String { "\(base.dropLast()).\(encoding)$" }

  /// Whether text could be mistaken for a placeholder, and so must not be in a log unmasked.
  static func isForged(in text: String) -> Bool { TextMarks(text.utf8Span.span).hasPlaceholder }

  /// Whether a placeholder begins there. Compares bytes: a `$` after a format character is part of a different
  /// `Character`.
  static func begins(at start: Int, in bytes: Span<UInt8>) -> Bool {
    guard bytes[start] == UInt8(ascii: "$"), start + prefix.utf8.count <= bytes.count else { return false }
    var index = start
    for byte in prefix.utf8 {
      guard bytes[index] == byte else { return false }
      index += 1
    }
    return true
  }

  /// The name of a kind in placeholders: letters and digits only.
  static func kind(_ name: String) -> String {
    if !name.isEmpty, name.utf8.allSatisfy(isLetter) { return name }
    let letters = name.utf8.filter(isLetter)
    return letters.isEmpty ? "value" : String(decoding: letters, as: UTF8.self)
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: false
    }
  }
}
