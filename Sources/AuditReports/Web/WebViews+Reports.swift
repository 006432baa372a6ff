// Reports as pages: their tables, with links to the flows and persons in them.

import EventStore
import FlowRecording

extension WebViews {
  /// A page with reports about a period or a person.
  func reports(_ names: [ReportName], as place: WebPage.Place?, _ address: WebAddress) throws -> WebPage {
    let now = Timestamp.now()
    let filter = try asked(address)
    var body = edition.isServed ? Self.form(address) : ""
    for name in names {
      var request = ReportRequest(name, filter: filter, now: now)
      request.thresholds = edition.thresholds
      if name == .integrity { request.stores = [try StoreState(log)] }
      let report = try book.read { try request.report(on: $0) }
      let tables = place == .detections ? report.tables.filter { Self.detected.contains($0.key) } : report.tables
      if names.count > 1 { body += "<h2>\(HTML.escape(name.title))</h2>\n" }
      body += "<p>\(HTML.escape(name.question))</p>\n"
      let scope = report.scope(.utc)
      if !scope.isEmpty { body += "<p class=\"quiet\">\(HTML.escape("Of " + scope))</p>\n" }
      for table in tables { body += Self.chart(of: table, in: name) + self.table(table) }
      for note in report.notes { body += "<p class=\"quiet\">\(HTML.escape(note))</p>\n" }
    }
    // What was pruned, or is gone, is in no figure; integrity says it in a table.
    var missing = try names == [.integrity] ? [] : StoreState(log).notes
    if names.contains(where: \.isOfFlows) { missing += try book.read { try $0.notes } }
    for note in missing { body += "<p class=\"quiet\">\(HTML.escape(note))</p>\n" }
    let title: String =
      switch place {
      case .factors: "Factors and push"
      case .detections: "Detections"
      case .latency: "Latency"
      case .overview, .flows, .integrity, nil: names.first?.title ?? "Report"
      }
    return WebPage(title: title, body: body, place: place, isLive: true)
  }

  /// The reports on the detections page.
  static let detections: [ReportName] = [.push, .spray, .stuffing, .guessing, .theft, .lockouts]
  /// The tables that contain what a detection found.
  static let detected: Set<String> = ["fatigue", "episodes", "findings", "lockouts"]
  /// Links to all reports.
  var allReports: String {
    let rows = ReportName.allCases.filter { $0 != .user }.map { name in
      "<li>\(edition.link(WebAddress("/report", [("name", name.rawValue)]), name.title)): \(HTML.escape(name.question))</li>"
    }
    return "<h2>Reports</h2>\n<ul>\n\(rows.joined(separator: "\n"))\n</ul>\n"
  }

  /// The form on a page of reports.
  static func form(_ address: WebAddress) -> String {
    let fields = [("user", "Person"), ("since", "Since"), ("until", "Until")].map { name, label in
      "<label>\(label) <input name=\"\(name)\" value=\"\(HTML.escape(address[name] ?? ""))\" autocomplete=\"off\"></label>"
    }
    let name = address["name"].map { "<input type=\"hidden\" name=\"name\" value=\"\(HTML.escape($0))\">\n" } ?? ""
    return
      "<form class=\"filter\" action=\"\(HTML.escape(address.path))\" role=\"search\" aria-label=\"Report\">\n\(name)"
      + "\(fields.joined(separator: "\n"))\n<button>Filter</button>\n</form>\n"
  }

  private static func chart(of table: ReportTable, in name: ReportName) -> String {
    switch (name, table.key) {
    case (.factors, "factors"): BarChart(table, name: "factor", value: "tries").html
    case (.latency, "requests"): BarChart(table, name: "request", value: "p95Ms").html
    case (.failures, "reasons"): BarChart(table, name: "reason", value: "count").html
    case (.hours, "hours"): BarChart(table, name: "hour", value: "signIns", isCalendar: true).html
    case (.days, "days"): BarChart(table, name: "day", value: "signIns", isCalendar: true).html
    case _: ""
    }
  }

  private func table(_ table: ReportTable) -> String {
    guard let first = table.rows.first else { return "<p>\(HTML.escape(table.title)): none.</p>\n" }
    let rows = table.rows.prefix(edition.rows).map { row in
      zip(table.columns, row).map { column, cell in
        let text = cell.text(zone: .utc)
        guard case .text(let word?) = cell else { return HTML.words(text) }
        switch column.key {
        case "flow": return edition.link(WebAddress("/flow", [("id", word)]), Self.short(word))
        case "user": return edition.link(.person(word), word.cut(to: 60))
        case "outcome": return WebPage.outcome(word)
        case _: return HTML.words(text.cut(to: 200))
        }
      }
    }
    let numeric = Set(first.indices.filter { first[$0].isNumber })
    let more = table.rows.count - rows.count
    return WebPage.table(table.caption(.utc), table.columns.map(\.title), rows, numeric: numeric)
      + (more > 0 ? "<p>\(Quantity.count(more, "more row")): auditctl report prints them all.</p>\n" : "")
  }

  private static func short(_ stream: String) -> String { String(FlowReference.identifier(of: stream).prefix(13)) }
}
