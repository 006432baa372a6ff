/// Comma-separated values (RFC 4180, lines end with `\n`).
enum CSV {
  /// One line. A cell that a spreadsheet would take for a formula, spaces before it or not, is given a leading
  /// apostrophe.
  static func line(_ cells: [String]) -> String { cells.map(cell).joined(separator: ",") + "\n" }

  /// Whether a text is a hash in Base64: nothing in it could be a formula that does something.
  private static func isHash(_ text: String) -> Bool {
    text.utf8.count == 44 && text.hasSuffix("=")
      && text.dropLast().allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "+" || $0 == "/") }
  }

  private static func cell(_ text: String) -> String {
    var value = text.printable
    // Scalar by scalar: a combining mark hides a sign among letters, and from no reader of the file.
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
