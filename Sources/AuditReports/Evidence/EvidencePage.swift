// The records of a bundle as one readable page without scripts, generated only from the records.

import EventStore
import FlowRecording

/// `time-line.html`.
enum EvidencePage {
  /// The page for flows that a checkpoint covers.
  static func html(_ flows: [(stream: String, records: [StoredRecord])], in note: SignedNote) -> String {
    let about =
      "\(Quantity.count(flows.count, "flow")) of the log \(note.origin). This page is for reading; "
      + "what is proved stands in records.ndjson, and HOW-TO-CHECK.md says how to check it. All times are UTC."
    var body = "<h1>Time line</h1>\n<p>\(HTML.escape(about))</p>\n"
    for flow in flows { body += section(flow.stream, flow.records) }
    return HTML.page(title: "Time line", body: body, styles: styles)
  }

  private static let styles = """
    body { max-width: 70rem; }
    td, thead th:not(:first-child) { text-align: left; }
    td:nth-child(2), td:nth-child(3), td:nth-child(4) { white-space: nowrap; }
    td:last-child { overflow-wrap: anywhere; min-width: 14rem; }
    .wide { overflow-x: auto; }
    h2 { overflow-wrap: anywhere; }
    """

  private static func section(_ stream: String, _ records: [StoredRecord]) -> String {
    // Records that do not form a known kind of flow are shown as they are.
    guard let line = try? TimeLine(records) else {
      return table(
        stream, records.map { [String($0.revision), String($0.position), "\($0.at)", $0.type, text(of: $0)] })
    }
    let positions = Dictionary(records.map { ($0.revision, $0.position) }) { first, _ in first }
    let rows = line.entries.map { entry in
      [
        String(entry.revision), positions[entry.revision].map { String($0) } ?? "", entry.at.description, entry.type,
        entry.words,
      ]
    }
    let facts = [
      line.facts.kind, line.facts.user, "began \(line.facts.started)",
      "\(line.facts.outcome) after \(Quantity.duration(milliseconds: line.facts.durationMilliseconds))",
      line.facts.originWords,
    ]
    return table(stream, rows, about: facts.compactMap { $0 }.joined(separator: ", "))
  }

  private static func table(_ stream: String, _ rows: [[String]], about: String = "") -> String {
    "<h2>\(HTML.escape(stream))</h2>\n<p>\(HTML.escape(about))</p>\n<div class=\"wide\">\n"
      + HTML.table(caption: "Events", head: ["revision", "position", "time", "type", "what happened"], rows: rows)
      + "</div>\n"
  }

  private static func text(of record: StoredRecord) -> String { String(decoding: record.data, as: UTF8.self) }
}
