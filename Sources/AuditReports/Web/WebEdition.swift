// Where pages are shown: by a server, which has all of them, or in one file, which has some.

import EventStore
import FlowRecording

/// What differs between the pages of a server and those of a file, and how much they hold.
struct WebEdition: Sendable {
  /// The addresses of the pages that a file has; nil for a server.
  var pages: Set<String>?
  /// Which flows the pages of a file are about.
  var filter = FlowFilter()
  /// The rules of the detections.
  var thresholds = Thresholds()
  /// How many rows of a report's table are shown.
  var rows = 500
  /// How many flows a list has.
  var listed = 100
  /// How many flows a person's page has.
  var personal = 200
  /// How many events a flow may have that is drawn; nil for any number.
  var events: Int?

  /// The pages of `auditctl serve`.
  static let served = WebEdition()

  /// The pages of `auditctl report --html`.
  static func file(_ filter: FlowFilter, _ thresholds: Thresholds) -> WebEdition {
    WebEdition(
      pages: [], filter: filter, thresholds: thresholds, rows: 200, listed: 1_000, personal: 50, events: 1_000)
  }

  /// Whether a server answers: forms are sent, and a log that grows can be followed.
  var isServed: Bool { pages == nil }

  /// A link to a page, or its text alone if the file has no such page. The text is escaped.
  func link(_ address: WebAddress, _ text: String) -> String {
    let target = address.text
    guard let pages else { return "<a href=\"\(HTML.escape(target))\">\(HTML.escape(text))</a>" }
    return pages.contains(target)
      ? "<a href=\"#\(HTML.escape(target))\">\(HTML.escape(text))</a>" : HTML.escape(text)
  }
}
