// The little HTML that reports need: escaped text, tables, and a page without scripts or external content.

enum HTML {
  /// Escapes text for use in an element or an attribute.
  static func escape(_ text: String) -> String {
    var out = ""
    for character in text.printable.unicodeScalars {
      switch character {
      case "&": out += "&amp;"
      case "<": out += "&lt;"
      case ">": out += "&gt;"
      case "\"": out += "&quot;"
      case "'": out += "&#39;"
      default: out.unicodeScalars.append(character)
      }
    }
    return out
  }

  /// Text in a cell. Dates and other short words with a hyphen stay on one line. A long word may break anywhere, so
  /// that it does not make the table wider than the window.
  static func words(_ text: String) -> String {
    text.split(separator: " ", omittingEmptySubsequences: false).map { word -> String in
      let escaped = escape(String(word))
      let count = word.count
      if count > 20 { return "<span class=\"long\">\(escaped)</span>" }
      if count > 1, count <= 15, word.contains("-") { return "<span class=\"whole\">\(escaped)</span>" }
      return escaped
    }.joined(separator: " ")
  }

  /// A table. If `numbers` is nil, columns after the first are numbers by the style of all pages; otherwise these
  /// columns are, by their class, and words are marked as `words(_:)` does.
  static func table(caption: String, head: [String], rows: [[String]], numbers: Set<Int>? = nil) -> String {
    func mark(_ column: Int) -> String { numbers?.contains(column) == true ? " class=\"number\"" : "" }
    func content(_ cell: String) -> String { numbers == nil ? escape(cell) : words(cell) }
    let top = head.enumerated().map { "<th scope=\"col\"\(mark($0))>\(escape($1))</th>" }.joined()
    let body = rows.map { row in
      let cells = row.enumerated().map { index, cell in
        index == 0 ? "<th scope=\"row\">\(content(cell))</th>" : "<td\(mark(index))>\(content(cell))</td>"
      }
      return "<tr>\(cells.joined())</tr>\n"
    }
    return "<table>\n<caption>\(escape(caption))</caption>\n<thead><tr>\(top)</tr></thead>\n"
      + "<tbody>\n\(body.joined())</tbody>\n</table>\n"
  }

  /// A whole page; `styles` are rules added after those of all pages.
  static func page(title: String, body: String, styles: String = "") -> String {
    """
    <!DOCTYPE html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
    <title>\(escape(title))</title>
    <style>
    :root { color-scheme: light dark; }
    body { font: 16px/1.5 system-ui, sans-serif; max-width: 46rem; margin: 2rem auto; padding: 0 1rem; }
    table { border-collapse: collapse; margin: 1.5rem 0; width: 100%; }
    caption { text-align: left; font-weight: 600; padding-bottom: .3rem; }
    th, td { border-top: 1px solid #8886; padding: .25rem .6rem .25rem 0; text-align: left; vertical-align: top; }
    thead th { border-top: 0; font-weight: 400; opacity: .7; }
    tbody th { font-weight: 400; overflow-wrap: anywhere; }
    td { text-align: right; font-variant-numeric: tabular-nums; }
    thead th:not(:first-child) { text-align: right; }\(styles.isEmpty ? "" : "\n" + styles)
    </style>
    </head>
    <body>
    \(body)</body>
    </html>

    """
  }
}
