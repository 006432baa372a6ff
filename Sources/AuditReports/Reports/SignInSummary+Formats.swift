// The summary in each of its formats.

package import EventStore
import FlowRecording

extension SignInSummary {
  /// The report in a format, with a line end.
  package func rendered(as format: ReportFormat, width: LineWidth = 80, zone: Zone = .utc) -> String {
    switch format {
    case .text: lines(width: width, zone: zone).joined(separator: "\n") + "\n"
    case .json: json.text + "\n"
    case .csv: csv
    case .html: html(zone: zone)
    }
  }

  /// The report as one JSON document.
  package var json: JSON {
    guard !stores.isEmpty, case .object(var object) = counted else { return counted }
    object["stores"] = Self.json(stores)
    return .object(object)
  }

  private var counted: JSON {
    [
      "report": "summary", "since": Self.json(since), "until": Self.json(until), "first": Self.json(first),
      "last": Self.json(last), "flows": .int(flows), "signIns": .int(signIns), "recoveries": .int(recoveries),
      "filter": filter.json, "outcomes": Self.json(outcomes), "statuses": Self.json(statuses),
      "users": Self.json(users), "factors": Self.json(factors), "errors": Self.json(errors),
      "reasons": Self.json(reasons),
      "requests": .int(requests), "failedRequests": .int(failedRequests), "rateLimited": .int(rateLimited),
      "durationMs": [
        "p50": medianMilliseconds.map(JSON.int) ?? .null, "p95": p95Milliseconds.map(JSON.int) ?? .null,
      ],
      "gaps": .int(gaps), "lostEvents": .int(lostEvents), "notes": .array(notes.map(JSON.string)),
    ]
  }

  private static func json(_ counts: [Count]) -> JSON { .members(counts.map { ($0.name, .int($0.number)) }) }
  private static func json(_ time: Timestamp?) -> JSON { time.map { .string($0.description) } ?? .null }

  // MARK: Parts

  var sections: [(title: String, counts: [Count])] {
    [
      ("Outcomes", outcomes), ("Statuses", statuses), ("Factors", factors), ("Reasons", reasons), ("Errors", errors),
      ("Users", users),
      ("Stores", stores),
    ].filter { !$0.1.isEmpty }
  }

  private var figures: [(name: String, value: String)] {
    [
      ("flows", String(flows)), ("sign-ins among them", String(signIns)),
      ("recoveries, unlocks, registrations", String(recoveries)), ("requests", String(requests)),
      ("requests without an answer", String(failedRequests)),
      ("rate limits (429)", String(rateLimited)),
      ("duration, median", medianMilliseconds.map { Quantity.duration(milliseconds: $0) } ?? "-"),
      ("duration, 95th percentile", p95Milliseconds.map { Quantity.duration(milliseconds: $0) } ?? "-"),
      ("gaps in the log", String(gaps)), ("events lost in gaps", String(lostEvents)),
    ]
  }

  private func span(_ zone: Zone) -> String {
    guard let first, let last else { return "no flows" + bounds(zone) }
    return "flows that began from \(zone.text(first)) to \(zone.text(last))" + bounds(zone)
  }

  private func bounds(_ zone: Zone) -> String {
    let parts =
      filter.members.map { "\($0.name) \($0.value)" }
      + [since.map { "since \(zone.text($0))" }, until.map { "until \(zone.text($0))" }].compactMap { $0 }
    return parts.isEmpty ? "" : " (of: \(parts.joined(separator: ", ")))"
  }

  // MARK: Text

  private func lines(width: LineWidth, zone: Zone) -> [String] {
    var lines = Paragraph.lines("Summary: \(span(zone))", width: width) + [""]
    // All sections share one column width for names, so that the numbers line up.
    let names = sections.flatMap(\.counts).map { width.cut($0.name.printable, leaving: 14).columns }
    let column = max(36, names.max() ?? 0)
    lines += figures.map { "  " + $0.name.padded(to: column) + $0.value.padded(to: 10, alignsRight: true) }
    for section in sections {
      lines += ["", section.title]
      lines += section.counts.map { count in
        let name = width.cut(count.name.printable, leaving: 14)
        return "  " + name.padded(to: column) + " " + String(count.number).padded(to: 9, alignsRight: true)
      }
    }
    if !notes.isEmpty { lines += [""] + notes.flatMap { Paragraph.lines($0.printable, width: width) } }
    return lines
  }

  // MARK: CSV

  private var csv: String {
    var text = CSV.line(["section", "name", "value"])
    let figures: [(String, Int?)] = [
      ("flows", flows), ("signIns", signIns), ("recoveries", recoveries), ("requests", requests),
      ("failedRequests", failedRequests), ("rateLimited", rateLimited),
      ("durationMsP50", medianMilliseconds), ("durationMsP95", p95Milliseconds), ("gaps", gaps),
      ("lostEvents", lostEvents),
    ]
    for (name, value) in figures { text += CSV.line(["total", name, value.map(String.init) ?? ""]) }
    for section in sections {
      for count in section.counts { text += CSV.line([section.title.lowercased(), count.name, String(count.number)]) }
    }
    return text
  }

  // MARK: HTML

  private func html(zone: Zone) -> String {
    var body = "<h1>Summary</h1>\n<p>\(HTML.escape(span(zone))).</p>\n"
    body += HTML.table(caption: "Totals", head: ["", "value"], rows: figures.map { [$0.name, $0.value] })
    for section in sections {
      body += HTML.table(
        caption: section.title, head: ["", "flows"], rows: section.counts.map { [$0.name, String($0.number)] })
    }
    for note in notes { body += "<p>\(HTML.escape(note))</p>\n" }
    return HTML.page(title: (["Summary"] + directories).joined(separator: ", ") + bounds(zone), body: body)
  }
}
