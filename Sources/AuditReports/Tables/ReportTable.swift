// The result of every report: tables of typed cells, written as text, JSON, CSV or HTML in one place.

package import EventStore
import FlowRecording

/// Rows under columns, each cell of a type.
package struct ReportTable: Sendable, Equatable {
  /// A value.
  package enum Cell: Sendable, Equatable {
    /// A text from the log.
    case text(String?)
    /// A count.
    case number(Int?)
    /// A duration.
    case milliseconds(Int?)
    /// A part of a total, shown as a percentage with one decimal.
    case share(Int, of: Int)
    /// A moment.
    case time(Timestamp?)
  }

  /// A column.
  package struct Column: Sendable, Equatable {
    /// Its name in JSON and CSV: `lastSeen`.
    package var key: String
    /// Its heading.
    package var title: String
    /// Whether it is omitted first on a narrow terminal.
    package var isMinor = false

    package init(_ key: String, _ title: String) { (self.key, self.title) = (key, title) }

    /// The column as one that is omitted first on a narrow terminal.
    var minor: Self {
      var column = self
      column.isMinor = true
      return column
    }
  }

  /// Its name in JSON and CSV: `episodes`.
  package var key: String
  /// Its heading.
  package var title: String
  package var columns: [Column]
  package var rows: [[Cell]]

  package init(_ key: String, _ title: String, _ columns: [Column], _ rows: [[Cell]]) {
    self.key = key
    self.title = title
    self.columns = columns
    self.rows = rows
  }
}

/// A report, ready to be written.
package struct Report: Sendable, Equatable {
  package var name: ReportName
  /// The filter of the report.
  package var filter: FlowFilter
  /// The requested bounds.
  package var since: Timestamp? { filter.since }
  package var until: Timestamp? { filter.until }
  /// The stores it covers; empty if they are named elsewhere.
  package var stores: [String] = []
  package var tables: [ReportTable]
  /// Notes on the figures: rules, limits.
  package var notes: [String]

  package init(_ name: ReportName, filter: FlowFilter, tables: [ReportTable], notes: [String] = []) {
    self.name = name
    self.filter = filter
    self.tables = tables
    self.notes = notes
  }

  /// The report with at most this many rows per table; a note reports omitted rows.
  package func limited(to rows: Int) -> Report {
    var report = self
    var left = 0
    for index in report.tables.indices {
      left += max(0, report.tables[index].rows.count - rows)
      report.tables[index].rows = Array(report.tables[index].rows.prefix(rows))
    }
    if left > 0 { report.notes.append(Self.note(limit: rows, left: left)) }
    return report
  }

  /// A note that tables have only their first rows.
  static func note(limit rows: Int, left: Int) -> String {
    "Each table has its first \(Quantity.count(rows, "row")); \(Quantity.count(left, "row is", "rows are")) left out."
  }
}

extension FlowFilter {
  /// The filter without the bounds in time, by name: `user`, `place`.
  package var members: [(name: String, value: String)] {
    let all: [(String, String?)] = [
      ("user", user), ("status", status), ("outcome", outcome), ("kind", kind), ("reason", reason?.rawValue),
      ("place", place), ("client", client), ("factor", factor), ("onlyFactor", onlyFactor),
    ]
    return all.compactMap { name, value in value.map { (name, $0) } }
  }

  /// The filter members as an object.
  package var json: JSON { .members(members.map { ($0.name, .string($0.value)) }) }
}

extension ReportTable.Cell {
  /// The value in JSON: numbers as numbers, a share as a percentage.
  package var json: JSON {
    switch self {
    case .text(let text): text.map(JSON.string) ?? .null
    case .number(let number), .milliseconds(let number): number.map(JSON.int) ?? .null
    case .share(let part, let whole): Self.percent(part, of: whole).map(JSON.number) ?? .null
    case .time(let time): time.map { .string($0.description) } ?? .null
    }
  }

  /// The value as shown to a person.
  func text(zone: Zone) -> String {
    switch self {
    case .text(let text): text ?? "-"
    case .number(let number): number.map(String.init) ?? "-"
    case .milliseconds(let number): number.map { Quantity.duration(milliseconds: $0) } ?? "-"
    case .share(let part, let whole): Self.percent(part, of: whole).map { $0 + " %" } ?? "-"
    case .time(let time): time.map(zone.moment) ?? "-"
    }
  }

  /// The value as written for a spreadsheet.
  var plain: String {
    switch self {
    case .text(let text): text ?? ""
    case .number(let number), .milliseconds(let number): number.map(String.init) ?? ""
    case .share(let part, let whole): Self.percent(part, of: whole) ?? ""
    case .time(let time): time?.description ?? ""
    }
  }

  var isNumber: Bool {
    switch self {
    case .number, .milliseconds, .share: true
    case .text, .time: false
    }
  }

  /// One decimal, rounded half up; less than the whole is never shown as 100.
  static func percent(_ part: Int, of whole: Int) -> String? {
    guard whole > 0 else { return nil }
    let rounded = (part * 2_000 + whole) / (2 * whole)
    let tenths = part < whole ? min(rounded, 999) : rounded
    return "\(tenths / 10).\(tenths % 10)"
  }
}
