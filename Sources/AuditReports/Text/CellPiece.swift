/// The cells of some rows in sequence, made printable: millions of separate strings would cost more than everything
/// else.
struct CellPiece: Sendable {
  private var text: [UInt8] = []
  /// The end of each cell in the text, and its width in terminal columns.
  private var cells: [(end: Int, columns: Int)] = []
  /// The number of cells before the end of each row.
  private var rows: [Int] = []
  /// The width of each column.
  private(set) var widths: [Int] = []

  init(_ rows: some Sequence<[String]>) {
    for row in rows {
      for (column, cell) in row.enumerated() {
        let cell = cell.printable
        text.append(contentsOf: cell.utf8)
        let columns = cell.columns
        cells.append((text.count, columns))
        if column == widths.count { widths.append(0) }
        widths[column] = max(widths[column], columns)
      }
      self.rows.append(cells.count)
    }
  }

  /// The rows as lines with line ends: each cell cut or padded to its column's width, without trailing spaces.
  ///
  /// - Parameter widths: the columns' widths; nil for a column that is omitted.
  func lines(_ columns: [TextTable.Column], _ widths: [Int?], _ gap: Int) -> String {
    var lines: [UInt8] = []
    lines.reserveCapacity(rows.count * widths.reduce(1) { $0 + ($1 ?? 0) + gap })
    let space = UInt8(ascii: " ")
    let leading = widths.firstIndex { $0 != nil } ?? 0
    var (first, start) = (0, 0)
    for end in rows {
      let begins = lines.count
      for (column, cell) in cells[first..<end].enumerated() {
        defer { start = cell.end }
        guard column < widths.count, let width = widths[column] else { continue }
        if column > leading { lines.append(contentsOf: repeatElement(space, count: gap)) }
        let isLong = cell.columns > width
        let fill = repeatElement(space, count: isLong ? 0 : width - cell.columns)
        if columns[column].alignsRight { lines.append(contentsOf: fill) }
        if isLong {
          let cut = String(decoding: text[start..<cell.end], as: UTF8.self).cut(to: width)
          lines.append(contentsOf: cut.utf8)
          lines.append(contentsOf: repeatElement(space, count: width - cut.columns))
        } else {
          lines.append(contentsOf: text[start..<cell.end])
        }
        if !columns[column].alignsRight { lines.append(contentsOf: fill) }
      }
      first = end
      while lines.count > begins, lines.last == space { lines.removeLast() }
      lines.append(UInt8(ascii: "\n"))
    }
    return String(decoding: lines, as: UTF8.self)
  }
}
