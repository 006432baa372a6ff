/// The maximum width of lines of text.
package struct LineWidth: Sendable, Equatable, ExpressibleByIntegerLiteral {
  /// The number of columns for wrapping words.
  package let columns: Int
  /// Whether nothing may be wider. A terminal has no room beyond its last column, so cells are cut and long words are
  /// broken. Elsewhere a program may read the text, so nothing is cut.
  package let isStrict: Bool

  /// The width of a terminal, or for wrapping paragraphs only.
  package init(_ columns: Int, isStrict: Bool = true) {
    self.columns = columns
    self.isStrict = isStrict
  }

  /// The width of a terminal.
  package init(integerLiteral columns: Int) { self.init(columns) }

  /// The text, cut if the width is strict.
  package func cut(_ text: String, leaving reserved: Int = 0) -> String {
    isStrict ? text.cut(to: columns - reserved) : text
  }
}
