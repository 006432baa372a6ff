/// Rows of text under headings, aligned. On a terminal cells are cut to its width; elsewhere every cell is whole.
package struct TextTable {
  /// One column.
  package struct Column: Sendable {
    package var title: String
    package var alignsRight: Bool
    /// Whether its cells may be cut if the table would be too wide.
    package var mayShrink: Bool
    /// Whether it may be left out if the table would be too wide.
    package var mayBeLeftOut: Bool
    /// Whether it is left out before the others.
    package var isMinor: Bool
    /// How wide it stays at least before others are left out, if it may shrink.
    package var readable: Int

    package init(
      _ title: String, alignsRight: Bool = false, mayShrink: Bool = false, mayBeLeftOut: Bool = false,
      isMinor: Bool = false, readable: Int? = nil
    ) {
      self.title = title
      self.alignsRight = alignsRight
      self.mayShrink = mayShrink
      self.mayBeLeftOut = mayBeLeftOut || isMinor
      self.isMinor = isMinor
      self.readable = readable ?? 12
    }
  }

  package var columns: [Column]
  package var rows: [[String]]

  package init(_ columns: [Column], rows: [[String]] = []) {
    self.columns = columns
    self.rows = rows
  }

  /// The table, headings first. Cells are made printable.
  package func lines(width: LineWidth, gap: Int = 1) -> [String] {
    var lines: [String] = []
    Self.forEachPiece(of: rows, columns, width: width, gap: gap) {
      $0
    } _: { piece in
      lines += piece.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
    }
    return lines
  }

  /// Calls `body` with the lines of a table whose cells are made from rows of any kind, some lines at a time, each with
  /// its end.
  ///
  /// - Parameter write: makes the cells of a row; on several processors, so it runs beside itself.
  static func forEachPiece<Element: Sendable>(
    of rows: [Element], _ columns: [Column], width: LineWidth, gap: Int,
    writing write: @Sendable (Element) -> [String], _ body: (String) throws -> Void
  ) rethrows {
    var pieces = [CellPiece(CollectionOfOne(columns.map(\.title)))]
    RowPieces.forEach(of: rows) { _, rows in
      CellPiece(rows.lazy.map(write))
    } _: {
      pieces.append($0)
    }
    let widths = widths(of: columns, pieces, width, gap)
    try RowPieces.forEach(of: pieces, each: 1) { _, pieces in
      pieces.map { $0.lines(columns, widths, gap) }.joined()
    } _: {
      try body($0)
    }
    let left = columns.indices.filter { widths[$0] == nil }.map { columns[$0].title.lowercased() }
    guard !left.isEmpty else { return }
    let note = "left out, which a wider terminal and --json show: " + left.joined(separator: ", ")
    try body(Paragraph.lines(note, width: width, lead: "  ").joined(separator: "\n") + "\n")
  }

  /// The widths of the columns; nil for one that is left out.
  private static func widths(
    of columns: [Column], _ pieces: [CellPiece], _ width: LineWidth, _ gap: Int
  ) -> [Int?] {
    let natural = columns.indices.map { column in
      pieces.reduce(0) { max($0, $1.widths.indices.contains(column) ? $1.widths[column] : 0) }
    }
    guard width.isStrict else { return natural }
    var kept = Array(columns.indices)
    func excess(_ width: LineWidth, _ widthOf: (Int) -> Int) -> Int {
      kept.reduce(0) { $0 + widthOf($1) } + gap * max(0, kept.count - 1) - width.columns
    }
    let least = { (column: Int) in
      columns[column].mayShrink
        ? min(natural[column], max(columns[column].title.columns, columns[column].readable)) : natural[column]
    }
    while excess(width, least) > 0,
      let last = kept.lastIndex(where: { columns[$0].isMinor })
        ?? kept.lastIndex(where: { columns[$0].mayBeLeftOut })
    {
      kept.remove(at: last)
    }
    // What has no room for its title is left out as well, except the first that may shrink.
    let narrowest = { (column: Int) in
      columns[column].mayShrink ? columns[column].title.columns : natural[column]
    }
    while excess(width, narrowest) > 0, let last = kept.lastIndex(where: { columns[$0].mayShrink }),
      kept[..<last].contains(where: { columns[$0].mayShrink })
    {
      kept.remove(at: last)
    }
    // The excess is taken from the widest column that may shrink, one space at a time, and from readable widths last.
    var widths = natural
    var rest = excess(width) { widths[$0] }
    while rest > 0 {
      let shrinkable = kept.filter { columns[$0].mayShrink && widths[$0] > columns[$0].title.columns }
      let long = shrinkable.filter { widths[$0] > least($0) }
      guard let widest = (long.isEmpty ? shrinkable : long).max(by: { widths[$0] < widths[$1] }) else { break }
      widths[widest] -= 1
      rest -= 1
    }
    return columns.indices.map { kept.contains($0) ? widths[$0] : nil }
  }
}
