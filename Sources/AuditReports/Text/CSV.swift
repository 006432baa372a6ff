/// Comma-separated values (RFC 4180, with lines that end with `\n`).
enum CSV {
  /// One line. A cell that a spreadsheet would interpret as a formula, even after leading spaces, gets a leading
  /// apostrophe.
  static func line(_ cells: [String]) -> String { cells.map(cell).joined(separator: ",") + "\n" }

  /// Whether a text is a hash in Base64: nothing in it could be a formula with an effect.
  private static func isHash(_ text: String) -> Bool {
    text.utf8.count == 44 && text.hasSuffix("=")
      && text.dropLast().allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "+" || $0 == "/") }
  }

  private static func cell(_ text: String) -> String {
    var value = text.printable
    // Works on Unicode scalars: a combining mark merges with a sign into one character, but other readers of the file
    // still see the sign.
    let scalars = value.unicodeScalars
    if let first = scalars.first(where: { !$0.properties.isWhitespace }), "=+-@＝＋－＠".unicodeScalars.contains(first),
      Double(value) == nil,
      !isHash(value)
    {
      value = "'" + value
    }
    guard value.unicodeScalars.contains(where: { $0 == "," || $0 == "\"" }) else { return value }
    var quoted = String.UnicodeScalarView("\"".unicodeScalars)
    for scalar in value.unicodeScalars {
      if scalar == "\"" { quoted.append(scalar) }
      quoted.append(scalar)
    }
    quoted.append("\"")
    return String(quoted)
  }
}
