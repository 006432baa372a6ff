// The frame that all pages of `auditctl serve` share.

import FlowRecording

/// A page with a title and contents. Text from the log is inserted only through `HTML.escape`.
struct WebPage {
  /// The entries of the navigation.
  enum Place: String, CaseIterable {
    case overview = "/"
    case flows = "/flows"
    case factors = "/factors"
    case detections = "/detections"
    case latency = "/latency"
    case integrity = "/integrity"

    var name: String {
      switch self {
      case .overview: "Overview"
      case .flows: "Flows"
      case .factors: "Factors and push"
      case .detections: "Detections"
      case .latency: "Latency"
      case .integrity: "Integrity"
      }
    }
  }

  var title: String
  var body: String
  var place: Place?
  /// Whether the page shows data that changes as the log grows.
  var isLive = false

  /// The page as HTML.
  func html(of log: String) -> String {
    let links = Place.allCases.map { place in
      "<a href=\"\(place.rawValue)\"\(place == self.place ? " aria-current=\"page\"" : "")>\(place.name)</a>"
    }.joined(separator: "\n")
    let live =
      isLive
      ? """
      <p class="live"><label><input type="checkbox" id="follow"> Follow the log</label>
      <span id="news" role="status" aria-live="polite"></span></p>

      """ : ""
    return """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>\(HTML.escape(title)) - \(HTML.escape(log))</title>
      <link rel="stylesheet" href="/app.css">
      <script src="/app.js" defer></script>
      </head>
      <body>
      <a class="skip" href="#main">Skip to the content</a>
      <header>
      <p class="log">\(HTML.escape(log))</p>
      <nav aria-label="Views">
      \(links)
      </nav>
      </header>
      <main id="main" tabindex="-1">
      <h1>\(HTML.escape(title))</h1>
      \(live)\(body)</main>
      </body>
      </html>

      """
  }

  /// The page as a section of a file, identified by its address.
  func section(at address: WebAddress) -> String {
    """
    <section class="view" id="\(HTML.escape(address.text))" tabindex="-1">
    <h1>\(HTML.escape(title))</h1>
    \(body)</section>

    """
  }

  /// The style of a table by its number of columns: smaller text from nine on, and still smaller, with narrower columns,
  /// from thirteen on.
  private static func crowding(_ columns: Int) -> String {
    switch columns {
    case ...8: ""
    case ...12: " class=\"many\""
    default: " class=\"many crowded\""
    }
  }

  /// A table whose cells are already HTML. On a narrow screen, each row becomes a block with the headings before its
  /// cells; the roles then keep it a table for screen readers.
  static func table(_ caption: String, _ head: [String], _ rows: [[String]], numeric: Set<Int> = []) -> String {
    func mark(_ column: Int) -> String { numeric.contains(column) ? " class=\"number\"" : "" }
    let top = head.enumerated().map { column, name in
      "<th scope=\"col\" role=\"columnheader\"\(mark(column))>\(HTML.escape(name))</th>"
    }.joined()
    let body = rows.map { row in
      let cells = zip(row, head).enumerated().map { column, cell in
        let label = " data-label=\"\(HTML.escape(cell.1))\"\(mark(column))"
        return column == 0
          ? "<th scope=\"row\" role=\"rowheader\"\(label)>\(cell.0)</th>" : "<td role=\"cell\"\(label)>\(cell.0)</td>"
      }
      return "<tr role=\"row\">\(cells.joined())</tr>\n"
    }.joined()
    return "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"\(HTML.escape(caption))\">\n"
      + "<table role=\"table\"\(crowding(head.count))>\n<caption>\(HTML.escape(caption))</caption>\n<thead role=\"rowgroup\"><tr role=\"row\">\(top)</tr>"
      + "</thead>\n<tbody role=\"rowgroup\">\n\(body)</tbody>\n</table>\n</div>\n"
  }

  /// A cell that stays on one line in a wide window.
  static func whole(_ text: String) -> String { "<span class=\"whole\">\(HTML.escape(text))</span>" }

  /// A list of names with their values.
  static func list(_ pairs: [(String, String?)]) -> String {
    let rows = pairs.compactMap { name, value in
      value.map { "<div><dt>\(HTML.escape(name))</dt><dd>\($0)</dd></div>\n" }
    }
    return "<dl>\n\(rows.joined())</dl>\n"
  }

  /// A flow's outcome, as a mark that does not rely on color.
  static func outcome(_ word: String) -> String {
    "<span class=\"outcome \(Outcome(word).rawValue)\">\(HTML.escape(word))</span>"
  }
}

/// The four groups of outcomes that charts and marks show.
enum Outcome: String, CaseIterable {
  case good, bad, left, open

  /// The group of an outcome.
  init(_ word: String) {
    switch word {
    case "success", "approved": self = .good
    // The last is that of guessing: a sign-in succeeded after many wrong tries.
    case "failed", "lockedOut", "rejected", "denied", "succeeded": self = .bad
    case "open": self = .open
    default: self = .left
    }
  }

  /// The name of the group.
  var name: String {
    switch self {
    case .good: "succeeded"
    case .bad: "failed"
    case .left: "given up"
    case .open: "open"
    }
  }
}
