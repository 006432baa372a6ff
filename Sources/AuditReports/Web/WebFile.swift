// The views of `auditctl serve` as a single file that needs neither a server nor a network. Each view is a section, and
// a script, whose hash is in the file's own policy, shows one section at a time.

import Crypto
import EventStore
import FlowRecording
import Foundation

/// A single file with the views of a log.
package struct WebFile {
  private let views: WebViews
  private let addresses: [WebAddress]
  private let about: String

  /// The contents of the file.
  package struct Choice: Sendable {
    /// The flows that the file covers.
    package var filter: FlowFilter
    /// The number of flows with their own page: those named by detections, for at most half of them, and the latest
    /// ones.
    package var flows: Int
    /// The rules of the detections.
    package var thresholds: Thresholds
    /// Whether every byte of the store is verified.
    package var isChecked: Bool

    /// Creates a choice.
    package init(filter: FlowFilter, flows: Int, thresholds: Thresholds, isChecked: Bool) {
      (self.filter, self.flows, self.thresholds, self.isChecked) = (filter, flows, thresholds, isChecked)
    }
  }

  /// The maximum number of persons with their own page.
  private static let mostPersons = 50

  /// Chooses the flows and persons for a file.
  ///
  /// - Throws: errors from reading the log. Cost: one pass over the facts for each detection.
  package init(_ book: some FactsBook, _ choice: Choice) throws {
    var edition = WebEdition.file(choice.filter, choice.thresholds)
    let (drawn, persons, count) = try book.read { try Self.chosen(from: $0, choice) }
    let reports = ReportName.allCases.filter { $0 != .user }.map { WebAddress("/report", [("name", $0.rawValue)]) }
    let integrity = WebAddress("/integrity", choice.isChecked ? [("check", "all")] : [])
    addresses =
      ["/", "/flows", "/factors", "/detections", "/latency"].map { WebAddress($0) } + [integrity] + reports
      + persons.map(WebAddress.person) + drawn.map { WebAddress("/flow", [("id", $0)]) }
    edition.pages = Set(addresses.map(\.text))
    views = WebViews(book, edition)
    about = try Self.about(
      book.log, choice.filter, edition, count, drawn: drawn.count, persons: persons.count)
  }

  /// The streams and persons that have pages, and the number of flows.
  private static func chosen(
    from facts: some FactsSource, _ choice: Choice
  ) throws -> (streams: [String], persons: [String], count: Int) {
    var latest = LatestFlows(limit: max(1, choice.flows))
    try facts.forEachFlow(choice.filter) { latest.add($0) }
    var (streams, persons): ([String], [String]) = ([], [])
    for name in WebViews.detections {
      var request = ReportRequest(name, filter: choice.filter, now: Timestamp(microseconds: 0))
      request.thresholds = choice.thresholds
      for table in try request.report(on: facts).tables where WebViews.detected.contains(table.key) {
        streams += table.texts(of: "flow")
        persons += table.texts(of: "user")
      }
    }
    let flows = latest.flows
    streams = streams.once(choice.flows / 2) + flows.map(\.stream)
    persons += flows.compactMap(\.user)
    // One person may be written in several cases.
    return (streams.once(choice.flows), persons.map { $0.lowercased() }.once(mostPersons), latest.count)
  }

  /// Describes which part of the log the file contains.
  private static func about(
    _ log: LogReader, _ filter: FlowFilter, _ edition: WebEdition, _ count: Int, drawn: Int, persons: Int
  ) throws -> String {
    let size = try log.statistics().records
    let bounds =
      filter.members.map { $0.name == "user" ? "of \($0.value)" : "\($0.name) \($0.value)" }
      + [filter.since.map { "since \($0)" }, filter.until.map { "until \($0)" }].compactMap { $0 }
    let flows = Quantity.count(count, "flow") + (bounds.isEmpty ? "" : " (\(bounds.joined(separator: ", ")))")
    let lines = [
      "It was made of the log \(log.identity.origin) at \(size) records, and does not follow it. All times are UTC.",
      "It is about \(flows). Figures and charts count all of them. The list has the latest \(edition.listed) at most, a table of a "
        + "report \(edition.rows) rows; \(drawn) flows, first those that detections name, then the latest, and \(persons) persons "
        + "have pages of their own. The rest is in auditctl flows, show, and report.",
      "It is for reading. What another can check: auditctl evidence.",
    ]
    let items = lines.map { "<li>\(HTML.escape($0))</li>\n" }.joined()
    return "<h2>About this file</h2>\n<ul>\n\(items)</ul>\n"
  }

  // MARK: Writing

  /// Writes the file in parts; each part is one view.
  ///
  /// - Throws: errors from reading the log and from `put`.
  package func write(_ put: (String) throws -> Void) throws {
    try put(head)
    for address in addresses {
      let page: WebPage
      do {
        switch try views.page(at: address) {
        case .page(let found): page = found
        case .missing(let text): page = WebPage(title: "Not shown", body: "<p>\(HTML.escape(text))</p>\n")
        }
      } catch let error as StoreError where error.code == .pruned {
        page = WebPage(title: "Not shown", body: "<p>\(HTML.escape(error.description))</p>\n")
      }
      var section = page
      if address.path == "/" { section.body += about }
      // The address is the one used in links, regardless of what was requested.
      try put(section.section(at: address.path == "/integrity" ? WebAddress("/integrity") : address))
    }
    try put("</main>\n<script>\(WebAssets.fileScript)</script>\n</body>\n</html>\n")
  }

  private var head: String {
    let log = HTML.escape(views.log.identity.origin)
    let links = WebPage.Place.allCases.map { "<a href=\"#\($0.rawValue)\">\($0.name)</a>" }.joined(separator: "\n")
    return """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta http-equiv="Content-Security-Policy" content="\(Self.policy)">
      <meta name="referrer" content="no-referrer">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>\(log)</title>
      <style>\(WebAssets.style)</style>
      </head>
      <body>
      <a class="skip" href="#main">Skip to the content</a>
      <header>
      <p class="log">\(log)</p>
      <nav aria-label="Views">
      \(links)
      </nav>
      </header>
      <main id="main" tabindex="-1">

      """
  }

  /// The content security policy: only the style and the script of this file, and nothing from other sources.
  private static let policy =
    "default-src 'none'; style-src '\(hash(of: WebAssets.style))'; script-src '\(hash(of: WebAssets.fileScript))'; "
    + "base-uri 'none'; form-action 'none'"

  private static func hash(of text: String) -> String {
    "sha256-" + Data(SHA256.hash(data: Data(text.utf8))).base64EncodedString()
  }
}

extension ReportTable {
  /// The texts of a column, in row order; empty if there is no such column.
  fileprivate func texts(of key: String) -> [String] {
    guard let column = columns.firstIndex(where: { $0.key == key }) else { return [] }
    return rows.compactMap { if case .text(let text) = $0[column] { text } else { nil } }
  }
}

extension [String] {
  /// The first distinct elements, up to the given number.
  fileprivate func once(_ most: Int) -> [String] {
    var seen: Set<String> = []
    return Array(filter { seen.insert($0).inserted }.prefix(Swift.max(0, most)))
  }
}
