/// The cells of some rows, one behind the other, made printable: millions of texts by themselves would cost more than
/// all else.
struct CellPiece: Sendable {
  private var text: [UInt8] = []
  /// Where each cell ends in the text, and how many columns of a terminal it takes.
  private var cells: [(end: Int, columns: Int)] = []
  /// How many cells lie before the end of each row.
  private var rows: [Int] = []
  /// How wide each column is.
  private(set) var widths: [Int] = []

  /// Takes up rows.
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

  /// The rows as lines with their ends: each cell cut or filled up to its column's width, without spaces at the end.
  ///
  /// - Parameter widths: the columns' widths; nil for one that is left out.
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
