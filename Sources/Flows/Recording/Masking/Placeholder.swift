// The text that stands where a secret was (DESIGN §5): `$secret.password.1$`. It needs no escaping in JSON or in a
// URL path, and its last character keeps it apart from what follows.

/// The form of placeholders.
enum Placeholder {
  /// What every placeholder begins with.
  static let prefix = "$secret."

  /// The placeholder of the `number`-th secret of a kind.
  static func make(kind: String, number: Int) -> String { "\(prefix)\(kind).\(number)$" }

  /// The placeholder of an encoded sighting of a secret: `$secret.password.1.pct$`.
  static func encoded(_ base: String, as encoding: String) -> String { "\(base.dropLast()).\(encoding)$" }

  /// Whether text could be taken for a placeholder, and so must not stand in a log unmasked.
  static func isForged(in text: String) -> Bool {
    text.utf8.count >= prefix.utf8.count && text.contains(prefix)
  }

  /// A kind as it may stand in a placeholder: letters and digits only.
  static func kind(_ name: String) -> String {
    let letters = name.unicodeScalars.filter { $0.isASCII && ($0.properties.isAlphabetic || ("0"..."9").contains($0)) }
    return letters.isEmpty ? "value" : String(String.UnicodeScalarView(letters))
  }

  /// The number in a placeholder, and its kind; nil for text of another form.
  static func parse(_ text: Substring) -> (kind: Substring, number: Int)? {
    guard text.hasPrefix(prefix), text.hasSuffix("$"), text.count > prefix.count else { return nil }
    let parts = text.dropFirst(prefix.count).dropLast().split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2 || parts.count == 3, let number = Int(parts[1]) else { return nil }
    return (parts[0], number)
  }
}
