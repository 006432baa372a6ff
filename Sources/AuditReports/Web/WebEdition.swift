// Where pages are shown: by a server, which has all of them, or in one file, which has some of them.

import EventStore
import FlowRecording

/// The differences between pages from a server and pages in a file, and the limits on their contents.
struct WebEdition: Sendable {
  /// The addresses of the pages in a file; `nil` for a server.
  var pages: Set<String>?
  /// The flows that the pages of a file cover.
  var filter = FlowFilter()
  /// The rules of the detections.
  var thresholds = Thresholds()
  /// The maximum number of rows in a report's table.
  var rows = 500
  /// The maximum number of flows in a list.
  var listed = 100
  /// The maximum number of flows on a person's page.
  var personal = 200
  /// The maximum number of events in a flow that is drawn; `nil` for no limit.
  var events: Int?

  /// The pages of `auditctl serve`.
  static let served = WebEdition()

  /// The pages of `auditctl report --html`.
  static func file(_ filter: FlowFilter, _ thresholds: Thresholds) -> WebEdition {
    WebEdition(
      pages: [], filter: filter, thresholds: thresholds, rows: 200, listed: 1_000, personal: 50, events: 1_000)
  }

  /// Whether a server answers, so that forms can be submitted and a growing log can be followed.
  var isServed: Bool { pages == nil }

  /// Returns a link to a page, or only its text if the file does not contain the page. The text is escaped; a blank one
  /// is quoted, because a link without words cannot be found.
  func link(_ address: WebAddress, _ text: String) -> String {
    let target = address.text
    let words = HTML.words(text.allSatisfy(\.isWhitespace) ? "\"\(text)\"" : text)
    guard let pages else { return "<a href=\"\(HTML.escape(target))\">\(words)</a>" }
    return pages.contains(target) ? "<a href=\"#\(HTML.escape(target))\">\(words)</a>" : words
  }
}
