// A report in each of its formats.

package import EventStore

/// The output format of a report.
package enum ReportFormat: String, Sendable, CaseIterable {
  case text
  case json
  case csv
  case html
}

extension Report {
  /// The report in a format, with a line end.
  package func rendered(as format: ReportFormat, width: LineWidth = 80, zone: Zone = .utc) -> String {
    switch format {
    case .text:
      var text = ""
      forEachPieceOfText(width: width, zone: zone) { text += $0 }
      return text
    case .json: return json.text + "\n"
    case .csv: return csv
    case .html: return html(zone: zone)
    }
  }

  /// The report as one JSON document: each table as an array of objects.
  package var json: JSON {
    let tables = tables.map { table in
      (
        table.key,
        JSON.array(
          table.rows.map { row in .members(zip(table.columns, row).map { ($0.key, $1.json) }) }) as JSON?
      )
    }
    return .members([
      ("report", .string(name.rawValue)), ("stores", .array(stores.map(JSON.string))), ("filter", filter.json),
      ("since", since.map { .string($0.description) } ?? .null),
      ("until", until.map { .string($0.description) } ?? .null), ("tables", .members(tables)),
      ("notes", .array(notes.map(JSON.string))),
    ])
  }

  /// Passes the text of `json` on in pieces of some rows each, after other members: for tables so large that a second
  /// copy would matter.
  ///
  /// - Parameters:
  ///   - members: the members before the report's own.
  ///   - body: called with each piece in order.
  package func forEachPieceOfJSON(after members: [(String, JSON)], _ body: (String) throws -> Void) rethrows {
    func member(_ name: String, _ value: JSON) -> String { JSON.string(name).text + ":" + value.text + "," }
    try body("{" + members.map { member($0.0, $0.1) }.joined())
    try body(member("report", .string(name.rawValue)))
    try body(member("stores", .array(stores.map(JSON.string))) + member("filter", filter.json))
    try body(member("since", since.map { .string($0.description) } ?? .null))
    try body(member("until", until.map { .string($0.description) } ?? .null) + "\"tables\":{")
    for (index, table) in tables.enumerated() {
      try body((index > 0 ? "," : "") + JSON.string(table.key).text + ":[")
      let names = table.columns.enumerated().map { ($0 > 0 ? "," : "{") + JSON.string($1.key).text + ":" }
      try RowPieces.forEach(of: table.rows) { first, rows in
        var piece = ""
        for (index, row) in rows.enumerated() {
          if first + index > 0 { piece += "," }
          for (name, cell) in zip(names, row) {
            piece += name
            piece += cell.json.text
          }
          piece += names.isEmpty || row.isEmpty ? "{}" : "}"
        }
        return piece
      } _: {
        try body($0)
      }
      try body("]")
    }
    try body("},\"notes\":" + JSON.array(notes.map(JSON.string)).text + "}")
  }

  /// The scope of the report: the stores, the filters, the period.
  func scope(_ zone: Zone) -> String {
    let parts =
      (stores.isEmpty ? [] : ["\(stores.count == 1 ? "store" : "stores") \(stores.joined(separator: ", "))"])
      + filter.members.map { "\($0.name) \($0.value)" }
      + [since.map { "since \(zone.moment($0))" }, until.map { "until \(zone.moment($0))" }].compactMap { $0 }
    return parts.joined(separator: ", ") + (since == nil && until == nil ? "" : " (\(zone.name))")
  }

  /// Passes the report on as text in pieces of some lines each, because a single text of a long table would use too
  /// much memory.
  package func forEachPieceOfText(width: LineWidth, zone: Zone, _ body: (String) throws -> Void) rethrows {
    func write(_ lines: [String]) throws { if !lines.isEmpty { try body(lines.joined(separator: "\n") + "\n") } }
    try write(Paragraph.lines("\(name.title): \(name.question)", width: width))
    let scope = scope(zone)
    if !scope.isEmpty { try write(Paragraph.lines("Of " + scope.printable, width: width)) }
    for table in tables {
      let title = table.caption(zone).printable
      let heading = width.isStrict ? Paragraph.lines(title, width: width) : [title]
      try write([""] + heading + (table.rows.isEmpty ? ["  none"] : []))
      guard let first = table.rows.first else { continue }
      let columns = table.columns.enumerated().map { index, column in
        TextTable.Column(
          column.title.uppercased(), alignsRight: first[index].isNumber,
          mayShrink: !first[index].isNumber && !first[index].isTime, mayBeLeftOut: !Self.kept.contains(column.key),
          isMinor: column.isMinor, readable: Self.readable[column.key])
      }
      try TextTable.forEachPiece(of: table.rows, columns, width: width, gap: 2) { row in
        row.map { $0.text(zone: zone) }
      } _: {
        try body($0)
      }
    }
    try write((notes.isEmpty ? [] : [""]) + notes.flatMap { Paragraph.lines($0.printable, width: width) })
  }

  /// The columns that a table keeps even on the narrowest terminal.
  private static let kept: Set = [
    "at", "first", "last", "user", "flow", "outcome", "status", "id", "count", "reason", "place", "name", "event",
    "began", "entered", "approvedAt", "wrongPasswords", "unlockedAt", "cause", "factors", "rule",
    "change", "factor", "differs", "enteredPlace", "address", "otherAddress", "request",
  ]

  /// The columns that need more or less width than others: an address that is cut says nothing, a flow is found by the
  /// beginning of its name, requests differ at their ends, and changes at their beginnings.
  private static let readable = [
    "place": 15, "enteredPlace": 15, "lastPlace": 15, "ownPlace": 15, "address": 15, "otherAddress": 15,
    "flow": 18, "otherFlow": 18, "request": 30, "change": 10,
  ]

  /// Each table with its own header row; the first column names the table.
  private var csv: String {
    tables.map { table in
      CSV.line(["table"] + table.columns.map(\.key))
        + Self.csv(table)
    }.joined(separator: "\n")
  }

  private static func csv(_ table: ReportTable) -> String {
    let key = table.key
    var text = ""
    RowPieces.forEach(of: table.rows) { _, rows in
      rows.map { CSV.line([key] + $0.map(\.plain)) }.joined()
    } _: {
      text += $0
    }
    return text
  }

  private func html(zone: Zone) -> String {
    let scope = scope(zone)
    var body = "<main>\n<h1>\(HTML.escape(name.title))</h1>\n<p>\(HTML.escape(name.question))</p>\n"
    if !scope.isEmpty { body += "<p>\(HTML.escape("Of " + scope))</p>\n" }
    for table in tables { body += Self.html(table, zone) }
    for note in notes { body += "<p>\(HTML.escape(note))</p>\n" }
    body += "</main>\n"
    return HTML.page(title: scope.isEmpty ? name.title : "\(name.title): \(scope)", body: body, styles: Self.styles)
  }

  private static let styles = """
    body { max-width: 78rem; overflow-wrap: anywhere; }
    .wide { overflow-x: auto; }
    th, td, tbody th { overflow-wrap: break-word; }
    td, thead th:not(:first-child) { text-align: left; }
    td.number, thead th.number:not(:first-child) { text-align: right; white-space: nowrap; }
    .whole { white-space: nowrap; }
    .long { display: inline-block; min-width: 8rem; overflow-wrap: anywhere; }
    @media print { .wide { overflow: visible; } table { font-size: .75rem; } }
    """

  /// A table that slides sideways if it is wider than the window.
  private static func html(_ table: ReportTable, _ zone: Zone) -> String {
    let caption = table.caption(zone)
    let numbers = Set(table.columns.indices.filter { table.rows.first?[$0].isNumber == true })
    return "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"\(HTML.escape(caption))\">\n"
      + HTML.table(
        caption: caption, head: table.columns.map(\.title),
        rows: table.rows.map { $0.map { $0.text(zone: zone) } }, numbers: numbers) + "</div>\n"
  }
}

extension ReportTable {
  /// The title, with the zone if the table has times.
  func caption(_ zone: Zone) -> String {
    rows.contains { $0.contains(where: \.isTime) } ? "\(title) (\(zone.name))" : title
  }
}

extension ReportTable.Cell {
  var isTime: Bool { if case .time = self { true } else { false } }
}
