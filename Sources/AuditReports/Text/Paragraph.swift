/// Wraps words into lines of a fixed width.
package enum Paragraph {
  /// Breaks text at its spaces. A word longer than a line is broken where the line ends, if the width is strict.
  ///
  /// - Parameters:
  ///   - text: one paragraph, printable.
  ///   - width: columns of a line, including indentation.
  ///   - lead: the beginning of the first line.
  ///   - indent: the number of spaces at the beginning of the other lines; by default the width of `lead`.
  package static func lines(_ text: String, width: LineWidth, lead: String = "", indent: Int? = nil) -> [String] {
    let margin = String(repeating: " ", count: indent ?? lead.columns)
    var lines: [String] = []
    var line = lead
    var isEmpty = true
    for word in text.split(separator: " ", omittingEmptySubsequences: true) {
      var rest = String(word)
      if !isEmpty, line.columns + 1 + rest.columns > width.columns {
        lines.append(line)
        (line, isEmpty) = (margin, true)
      }
      while width.isStrict, line.columns + rest.columns + (isEmpty ? 0 : 1) > width.columns {
        let (head, tail) = split(rest, at: max(1, width.columns - line.columns))
        lines.append(line + head)
        (line, rest) = (margin, tail)
      }
      line += (isEmpty ? "" : " ") + rest
      isEmpty = isEmpty && rest.isEmpty
    }
    return lines + [line]
  }

  private static func split(_ word: String, at width: Int) -> (head: String, tail: String) {
    var used = 0
    var index = word.startIndex
    while index < word.endIndex {
      used += TerminalText.columns(of: word[index])
      if used > width, index > word.startIndex { break }
      index = word.index(after: index)
    }
    return (String(word[..<index]), String(word[index...]))
  }
}
