/// How wide lines of text may become.
package struct LineWidth: Sendable, Equatable, ExpressibleByIntegerLiteral {
  /// The columns that words are set in.
  package let columns: Int
  /// Whether nothing may be wider. A terminal has no room beyond its last column, so cells are cut and long words are
  /// broken there. Elsewhere a program reads, and nothing is lost.
  package let isStrict: Bool

  /// The width of a terminal, or of paragraphs alone.
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
