/// Rows of text under headings, aligned. On a terminal cells are cut to its width; elsewhere every cell is whole.
package struct TextTable {
  /// One column.
  package struct Column: Sendable {
    package var title: String
    package var alignsRight: Bool
    /// Whether its cells may be cut if the table would be too wide.
    package var mayShrink: Bool

    package init(_ title: String, alignsRight: Bool = false, mayShrink: Bool = false) {
      self.title = title
      self.alignsRight = alignsRight
      self.mayShrink = mayShrink
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
    Self.lines(of: rows, columns, width: width, gap: gap) { $0 }
  }

  /// The lines of a table whose cells are made from rows of any kind; on several processors, so `write` runs beside itself.
  static func lines<Element: Sendable>(
    of rows: [Element], _ columns: [Column], width: LineWidth, gap: Int, writing write: @Sendable (Element) -> [String]
  ) -> [String] {
    var cells = [columns.map(\.title)]
    var widths = columns.map(\.title.columns)
    RowPieces.forEach(of: rows) { [columns] _, rows in
      let cells = rows.map { write($0).map(\.printable) }
      var widths = [Int](repeating: 0, count: columns.count)
      for row in cells {
        for (column, cell) in zip(widths.indices, row) { widths[column] = max(widths[column], cell.columns) }
      }
      return (cells: cells, widths: widths)
    } _: { piece in
      cells += piece.cells
      for (column, width) in zip(widths.indices, piece.widths) { widths[column] = max(widths[column], width) }
    }
    // The excess is taken from the widest column that may shrink, one space at a time.
    var excess = widths.reduce(0, +) + gap * max(0, columns.count - 1) - width.columns
    while width.isStrict, excess > 0 {
      let shrinkable = columns.indices.filter { columns[$0].mayShrink && widths[$0] > columns[$0].title.columns }
      guard let widest = shrinkable.max(by: { widths[$0] < widths[$1] }) else { break }
      widths[widest] -= 1
      excess -= 1
    }
    var lines: [String] = []
    RowPieces.forEach(of: cells) { [widths, columns] _, rows in
      rows.map { Self.line($0, columns, widths, gap) }
    } _: {
      lines += $0
    }
    return lines
  }

  /// A row: each cell cut or filled up to its column's width, without spaces at the end.
  private static func line(_ row: [String], _ columns: [Column], _ widths: [Int], _ gap: Int) -> String {
    var line: [UInt8] = []
    line.reserveCapacity(widths.reduce(0) { $0 + $1 + gap })
    let space = UInt8(ascii: " ")
    for (column, cell) in row.enumerated() where column < widths.count {
      if column > 0 { line.append(contentsOf: repeatElement(space, count: gap)) }
      let isLong = cell.columns > widths[column]
      let shown = isLong ? cell.cut(to: widths[column]) : cell
      let fill = repeatElement(space, count: max(0, widths[column] - shown.columns))
      if columns[column].alignsRight { line.append(contentsOf: fill) }
      line.append(contentsOf: shown.utf8)
      if !columns[column].alignsRight { line.append(contentsOf: fill) }
    }
    while line.last == space { line.removeLast() }
    return String(decoding: line, as: UTF8.self)
  }
}

extension String {
  /// The text without spaces at its end.
  package var trimmedEnd: String {
    var text = self[...]
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}
