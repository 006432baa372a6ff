import AuditReports

/// Two columns in a help text: a word, and what it means.
enum HelpTable {
  /// A paragraph below a heading: each of its lines is indented by two columns.
  static func indented(_ text: String, width: Int = Terminal.helpWidth) -> String {
    // The argument parser breaks a line that fills the terminal.
    Paragraph.lines(text, width: LineWidth(width - 1), lead: "  ", indent: 2).joined(separator: "\n")
  }

  /// The lines of the table, within the width of the terminal. What is too long continues under its own column; on a
  /// terminal that is too narrow for two columns, it stands below the word.
  static func text(_ rows: [(name: String, about: String)], width: Int = Terminal.helpWidth) -> String {
    // The argument parser breaks a line that fills the terminal.
    let width = width - 1
    let column = (rows.map(\.name.count).max() ?? 0) + 4
    let isNarrow = width - column < 30
    return rows.flatMap { row in
      let name = "  " + row.name
      guard isNarrow else { return Paragraph.lines(row.about, width: LineWidth(width), lead: name.padded(to: column)) }
      return [name] + Paragraph.lines(row.about, width: LineWidth(width), lead: "      ")
    }.joined(separator: "\n")
  }
}
