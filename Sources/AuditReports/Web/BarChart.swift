// A chart with one bar for each row of a table.

/// Horizontal bars in the order of the table: of its first rows, or of its last ones if the rows are hours or days.
struct BarChart {
  private let about: String
  private let bars: [(name: String, value: Int, words: String)]

  /// Creates a chart of one column, labeled by another; empty if the table lacks these columns.
  init(_ table: ReportTable, name: String, value: String, isCalendar: Bool = false) {
    let names = table.columns.map(\.key)
    guard let first = names.firstIndex(of: name), let second = names.firstIndex(of: value) else {
      (about, bars) = ("", [])
      return
    }
    let rows = isCalendar ? table.rows.suffix(31) : table.rows.prefix(12)
    let part =
      rows.count < table.rows.count
      ? ", the \(isCalendar ? "last" : "first") \(rows.count) of \(table.rows.count)" : ""
    about = "\(table.title): \(table.columns[second].title)\(part)"
    bars = rows.compactMap { row in
      guard let number = row[second].whole else { return nil }
      return (row[first].text(zone: .utc), number, row[second].text(zone: .utc))
    }
  }

  /// The chart as HTML; empty if there are no bars.
  var html: String {
    guard !bars.isEmpty else { return "" }
    let most = max(1, bars.map(\.value).max() ?? 1)
    let step = 26
    let rows = bars.enumerated().map { index, bar in
      let width = max(1, 360 * max(0, bar.value) / most)
      let y = index * step
      return "<g><rect class=\"bar\" x=\"382\" y=\"\(y + 4)\" width=\"\(width)\" height=\"\(step - 8)\"/>"
        + "<text x=\"374\" y=\"\(y + 18)\" text-anchor=\"end\">\(HTML.escape(bar.name.cut(to: 50)))</text>"
        + "<text x=\"\(388 + width)\" y=\"\(y + 18)\">\(HTML.escape(bar.words))</text></g>\n"
    }
    return """
      <figure class="drawn">
      <svg class="bars" viewBox="0 0 820 \(bars.count * step)" role="img" aria-label="\(HTML.escape(about))">
      \(rows.joined())</svg>
      <figcaption>\(HTML.escape(about)).</figcaption>
      </figure>

      """
  }
}

extension ReportTable.Cell {
  /// The number in a cell, if it contains one.
  fileprivate var whole: Int? {
    switch self {
    case .number(let number), .milliseconds(let number): number
    case .share(let part, _): part
    case .text, .time: nil
    }
  }
}
