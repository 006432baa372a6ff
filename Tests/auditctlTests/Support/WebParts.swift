import Foundation

/// What of a page can be compared with another page: charts, tables, lists of figures.
struct WebParts: Equatable {
  var charts: [String]
  var tables: [[String]]
  var figures: [String]

  init(_ html: String) {
    charts = Self.pieces(of: html, from: "<svg", to: "</svg>")
    tables = Self.pieces(of: html, from: "<tbody", to: "</tbody>").map { table in
      Self.pieces(of: table, from: "<tr", to: "</tr>").map(Self.text)
    }
    figures = ["<ul class=\"tiles\"", "<dl>"].flatMap { start in
      Self.pieces(of: html, from: start, to: start == "<dl>" ? "</dl>" : "</ul>").map(Self.text)
    }
  }

  /// The text of HTML: cells apart, without tags.
  static func text(_ html: String) -> String {
    let spaced = html.replacingOccurrences(of: "</t[hd]>", with: " | ", options: .regularExpression)
    return spaced.replacingOccurrences(of: "<[^>]*>", with: "", options: .regularExpression)
  }

  /// The sections of a file, by their addresses.
  static func sections(of file: String) -> [String: String] {
    var sections: [String: String] = [:]
    for section in pieces(of: file, from: "<section class=\"view\"", to: "</section>") {
      let address = section.components(separatedBy: " id=\"").dropFirst().first?.prefix { $0 != "\"" }
      sections[String(address ?? "")] = section
    }
    return sections
  }

  static func pieces(of html: String, from start: String, to end: String) -> [String] {
    var pieces: [String] = []
    var rest = html[...]
    while let first = rest.range(of: start), let last = rest.range(of: end, range: first.upperBound..<rest.endIndex) {
      pieces.append(String(rest[first.lowerBound..<last.upperBound]))
      rest = rest[last.upperBound...]
    }
    return pieces
  }
}
