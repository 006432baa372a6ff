// The views of `auditctl serve`, which turn a request into a page. Each page is created from the log; only the
// `FactsBook` is kept between requests.

import EventStore
import FlowKinds
import FlowRecording

/// Creates the pages of one log.
package struct WebViews: Sendable {
  let book: any FactsBook
  let edition: WebEdition
  var log: LogReader { book.log }

  /// Creates the pages of a log for a server.
  package init(_ book: any FactsBook) { self.init(book, .served) }

  init(_ book: any FactsBook, _ edition: WebEdition) {
    self.book = book
    self.edition = edition
  }

  /// The answer to a request.
  package enum Answer: Sendable {
    /// A page, as HTML.
    case page(String)
    /// Plain text.
    case text(String)
    /// There is no such page.
    case missing(String)
    /// The address contains a filter that cannot be understood.
    case refused(String)
  }

  /// Returns the answer to a request.
  ///
  /// - Throws: errors from reading the log.
  package func answer(to address: WebAddress) throws -> Answer {
    do {
      if address.path == "/state" { return try state(address) }
      switch try page(at: address) {
      case .page(let page): return .page(page.html(of: log.identity.origin))
      case .missing(let text): return missing(text)
      }
    } catch let refusal as WebRefusal {
      return .refused(page(refusal, at: address).html(of: log.identity.origin))
    }
  }

  /// The page that explains why a filter was not understood, with the form for correcting it.
  private func page(_ refusal: WebRefusal, at address: WebAddress) -> WebPage {
    let search: String =
      switch address.path {
      case "/flows": self.form(address)
      case "/factors", "/detections", "/latency", "/report": Self.form(address)
      default: ""
      }
    return WebPage(
      title: "Filter not understood", body: search + "<p role=\"alert\">\(HTML.escape(refusal.message)).</p>\n",
      place: WebPage.Place(rawValue: address.path))
  }

  /// The result of looking up an address.
  enum Found {
    case page(WebPage)
    /// There is no such page, with the reason.
    case missing(String)
  }

  /// The page at an address.
  func page(at address: WebAddress) throws -> Found {
    switch address.path {
    case "/": return .page(try overview(address))
    case "/flows": return .page(try flows(address))
    case "/factors": return .page(try reports([.factors, .push], as: .factors, address))
    case "/detections": return .page(try reports(Self.detections, as: .detections, address))
    case "/latency": return .page(try reports([.latency, .http], as: .latency, address))
    case "/report":
      guard let name = address["name"].flatMap({ ReportName(rawValue: $0) }), name != .user else {
        return .missing("There is no such report.")
      }
      return .page(try reports([name], as: nil, address))
    case "/person": return .page(try person(address["user"] ?? "", address))
    case "/integrity": return .page(try integrity(checked: address["check"] != nil))
    case "/flow": return try flow(address)
    default: return .missing("There is no such page.")
    }
  }

  /// A page that reports a problem.
  package func page(saying text: String, title: String = "Not found") -> String {
    WebPage(title: title, body: "<p>\(HTML.escape(text))</p>\n").html(of: log.identity.origin)
  }

  func missing(_ text: String) -> Answer { .missing(page(saying: text)) }

  /// The flows that an address requests.
  ///
  /// - Throws: `WebRefusal` if a time is not valid or a word is neither known nor in the log, and errors from reading
  ///   the log.
  func asked(_ address: WebAddress) throws -> FlowFilter {
    guard edition.isServed else { return edition.filter }
    let now = Timestamp.now()
    func time(_ name: String) throws(WebRefusal) -> TimeExpression? {
      guard let text = address[name] else { return nil }
      if let problem = TimeExpression.problem(text, now: now, zone: .utc) { throw WebRefusal(message: problem) }
      return TimeExpression(text, now: now)
    }
    let filter = FlowFilter(
      user: address["user"], status: address["status"], kind: address["kind"], since: try time("since")?.first,
      until: try time("until")?.last)
    if let since = filter.since, let until = filter.until, since > until {
      throw WebRefusal(message: "since \(since) is after until \(until): nothing is between them")
    }
    guard filter.kind != nil || filter.status != nil else { return filter }
    let problem = try book.read { facts in
      try FilterWords.problem(of: filter) { facts } ?? FilterWords.problem(ofStatusIn: filter) { facts }
    }
    if let problem { throw WebRefusal(message: problem) }
    return filter
  }

  // MARK: Overview

  private func overview(_ address: WebAddress) throws -> WebPage {
    var overview = OverviewTally()
    let filter = try asked(address)
    let lost = try book.read { facts in
      try facts.forEachFlow(filter) { overview.add($0) }
      return facts.lostEvents
    }
    let figures =
      [("flows", overview.flows), ("records", Int(clamping: try log.statistics().records))]
      + Outcome.allCases.map { ($0.name, overview.groups[$0] ?? 0) } + [("lost in gaps", lost)]
    let tiles = figures.map { "<li><b>\($0.1)</b> \($0.0)</li>" }.joined(separator: "\n")
    let nothing = filter.isEmpty ? "No flow has been recorded yet." : "No flow passes the filter."
    return WebPage(
      title: "Overview",
      body: "<ul class=\"tiles\">\n\(tiles)\n</ul>\n" + overview.sparkline.html + overview.chart.html
        + (overview.latest.isEmpty
          ? "<p>\(nothing)</p>\n" : table("Latest flows", overview.latest.flows))
        + allReports,
      place: .overview, isLive: true)
  }

  // MARK: Lists

  private func table(_ caption: String, _ flows: [FlowFacts]) -> String {
    WebPage.table(
      caption, ["Flow", "Kind", "Person", "Began (UTC)", "Took", "Status", "Events", "Outcome"],
      flows.map { flow in
        [
          edition.link(WebAddress("/flow", [("id", flow.stream)]), String(flow.identifier.prefix(13))),
          HTML.escape(flow.kind),
          flow.user.map { edition.link(.person($0), $0.cut(to: 60)) } ?? "-",
          HTML.words(Zone.utc.moment(flow.started)),
          HTML.escape(Quantity.duration(milliseconds: flow.durationMilliseconds)),
          HTML.words((flow.status ?? "-").cut(to: 40)), String(flow.events), WebPage.outcome(flow.outcome),
        ]
      }, numeric: [4, 6])
  }

  private func flows(_ address: WebAddress) throws -> WebPage {
    let filter = try asked(address)
    let wanted = address["q"]?.lowercased()
    let from = max(0, address["from"].flatMap { Int($0) } ?? 0)
    // The latest flows down to the end of the page, so a page further back keeps more.
    var kept = LatestFlows(limit: from.addingReportingOverflow(edition.listed).partialValue)
    try book.read { facts in
      try facts.forEachFlow(filter) { flow in
        let isFound = wanted.map { wanted in
          [flow.stream, flow.user, flow.status, flow.outcome].contains { $0?.lowercased().contains(wanted) == true }
        }
        if isFound ?? true { kept.add(flow) }
      }
    }
    let first = min(from, max(0, kept.count - 1))
    let part = Array(kept.flows.dropFirst(first).prefix(edition.listed))
    var body = form(address)
    let count = Quantity.count(kept.count, "flow")
    let rest = edition.isServed || kept.count <= part.count ? "" : " This file lists \(part.count) of them."
    body += "<p id=\"count\" role=\"status\">\(count), the latest first.\(rest)</p>\n"
    if !part.isEmpty { body += table("Flows", part) }
    if edition.isServed { body += pager(address, first: first, of: kept.count) }
    return WebPage(title: "Flows", body: body, place: .flows, isLive: true)
  }

  private func form(_ address: WebAddress) -> String {
    let fields = [
      ("q", "Search"), ("user", "Person"), ("status", "Status or outcome"), ("kind", "Kind"), ("since", "Since"),
      ("until", "Until"),
    ].map { name, label in
      "<label>\(label) <input name=\"\(name)\" value=\"\(HTML.escape(address[name] ?? ""))\" autocomplete=\"off\"></label>"
    }
    // In a file, a script filters the list and shows the form.
    let target = edition.isServed ? "action=\"/flows\"" : "id=\"find\" hidden"
    return "<form class=\"filter\" \(target) role=\"search\" aria-label=\"Flows\">\n\(fields.joined(separator: "\n"))\n"
      + "<button>Filter</button>\n</form>\n"
  }

  private func pager(_ address: WebAddress, first: Int, of count: Int) -> String {
    func link(_ from: Int, _ text: String) -> String {
      let rest = address.query.filter { $0.name != "from" }.map { ($0.name, Optional($0.value)) }
      return edition.link(WebAddress("/flows", rest + [("from", String(from))]), text)
    }
    var links: [String] = []
    if first > 0 { links.append(link(max(0, first - edition.listed), "Later")) }
    if first + edition.listed < count { links.append(link(first + edition.listed, "Earlier")) }
    return links.isEmpty ? "" : "<nav aria-label=\"Pages\" class=\"pager\">\(links.joined(separator: " "))</nav>\n"
  }

  private func person(_ user: String, _ address: WebAddress) throws -> WebPage {
    var flows: [FlowFacts] = []
    var filter = try asked(address)
    filter.user = user
    try book.read { try $0.forEachFlowOfPerson(filter, parts: .all) { flows.append($0) } }
    guard let first = flows.first, let last = flows.last else {
      return WebPage(title: "Person", body: "<p>No flow is of \(HTML.escape(user.cut(to: 100))).</p>\n")
    }
    var factors: [String: Int] = [:]
    for flow in flows { for factor in flow.factors { factors[factor, default: 0] += 1 } }
    let used = factors.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { "\($0.key) (\($0.value))" }
    let body = WebPage.list([
      ("login", HTML.escape(user.cut(to: 200))), ("flows", String(flows.count)),
      ("succeeded", String(flows.count { Outcome($0.outcome) == .good })),
      ("failed", String(flows.count { Outcome($0.outcome) == .bad })),
      ("first seen", HTML.escape(Zone.utc.text(first.started))),
      ("last seen", HTML.escape(Zone.utc.text(last.started))),
      ("factors", HTML.escape(used.isEmpty ? "none challenged" : used.joined(separator: ", "))),
    ])
    let more = flows.count - edition.personal
    return WebPage(
      title: "Person",
      body: body + OutcomeChart(of: flows).html + table("Flows", flows.suffix(edition.personal).reversed())
        + (more > 0 ? "<p>\(Quantity.count(more, "earlier flow")): auditctl flows --user lists them all.</p>\n" : ""),
      isLive: true)
  }
}

/// An address with a filter that cannot be understood.
struct WebRefusal: Error {
  /// The problem and how to correct it: a sentence without a period.
  var message: String
}
