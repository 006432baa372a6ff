// The forms other than its own in which masking finds a secret in a text.

import Foundation

/// One such form, as the end of a placeholder names it: `pct`, and `pct2` for the second spelling that occurs.
struct SurrogateForm {
  /// What can be written.
  private static let names = ["case", "pct", "esc", "ent", "b64", "fold", "trim", "norm", "latin"]
  /// How many spellings of one form there are.
  private static let spellings = 3

  /// The name without the number: `pct`.
  let name: String
  /// Which spelling, from 1.
  let number: Int

  /// Reads the end of a placeholder; nil for a form that cannot be written.
  init?(_ word: Substring) {
    guard let name = Self.names.first(where: word.hasPrefix) else { return nil }
    let rest = word.dropFirst(name.count)
    guard let number = rest.isEmpty ? 1 : Int(rest), (1...Self.spellings).contains(number) else { return nil }
    // A text has only one normal form other than itself, and so on.
    guard number == 1 || !["trim", "norm", "latin"].contains(name) else { return nil }
    (self.name, self.number) = (name, number)
  }

  /// A secret that has all these forms: with more blanks around it than between words, and a letter beyond ASCII.
  static func base(_ text: String, with forms: Set<String>) -> String {
    let letters = forms.isDisjoint(with: ["norm", "latin"]) ? text : text + "\u{e9}"
    return forms.contains("trim") ? "  \(letters)  " : letters
  }

  /// A secret in this form.
  func write(_ text: String) -> String {
    switch name {
    case "case": return number == 1 ? text.uppercased() : changingLetter(of: text) { $0.uppercased() }
    case "pct": return changingLetter(of: text) { "%" + hex($0, digits: 2) }
    case "esc": return changingLetter(of: text) { "\\u" + hex($0, digits: 4) }
    case "ent": return changingLetter(of: text) { "&#\($0.asciiValue ?? 0);" }
    case "b64": return Data((String(repeating: " ", count: number - 1) + text).utf8).base64EncodedString()
    case "fold": return changingLetter(of: text) { "\($0)\n" }
    case "trim": return String(text.dropFirst(2).dropLast(2))
    case "norm": return text.replacing("\u{e9}", with: "e\u{301}")
    case "latin": return text.replacing("\u{e9}", with: "\u{c3}\u{a9}")
    default: return text
    }
  }

  /// The text with the letter of this spelling written differently. Made-up secrets begin with three letters.
  private func changingLetter(of text: String, _ change: (Character) -> String) -> String {
    let start = text.firstIndex { $0 != " " } ?? text.startIndex
    let index = text.index(start, offsetBy: number - 1, limitedBy: text.endIndex) ?? start
    guard index < text.endIndex else { return text }
    return text[..<index] + change(text[index]) + text[text.index(after: index)...]
  }

  private func hex(_ letter: Character, digits: Int) -> String {
    let text = String(letter.asciiValue ?? 0, radix: 16)
    return String(repeating: "0", count: max(0, digits - text.count)) + text
  }
}
