// A flow in readable form: when each event occurred, and what happened.

package import EventStore
import FlowKinds
package import FlowRecording

/// The events of one flow, in order, with descriptions.
package struct TimeLine: Sendable {
  /// One event.
  package struct Entry: Sendable, Equatable {
    package var revision: Int
    package var at: Timestamp
    /// Milliseconds since the flow began.
    package var after: Int
    package var type: String
    package var cause: Int?
    /// A description of the event. Secrets are placeholders, as in the log.
    package var words: String
    package var tone: Words.Tone
    package var data: JSON

    /// One element of `events` in `auditctl show --json`.
    package var json: JSON {
      .members([
        ("revision", .int(revision)), ("at", .string(at.description)), ("afterMs", .int(after)),
        ("type", .string(type)), ("cause", cause.map(JSON.int)), ("words", .string(words)), ("data", data),
      ])
    }
  }

  /// The flow's stream.
  package let stream: String
  /// Its facts.
  package let facts: FlowFacts
  /// Its events in order.
  package let entries: [Entry]
  /// The records of the entries, decoded.
  package let records: [FlowRecord]

  /// Creates the timeline of a flow.
  ///
  /// - Parameters:
  ///   - records: the whole stream in order, at least one record.
  ///   - kinds: the known kinds of flow.
  ///   - allowingGaps: whether records may be missing or out of order, as in an edited recording.
  /// - Throws: `StreamError` if the records cannot be read as a flow.
  package init?(
    _ records: [StoredRecord], kinds: KindRegistry = .standard, allowingGaps: Bool = false
  ) throws(StreamError) {
    guard let first = records.first else { return nil }
    var facts = FlowFacts(startingWith: first, kinds: kinds)
    for record in records.dropFirst() { facts.add(record, kinds) }
    let flow = try kinds.decode(records, allowingGaps: allowingGaps)
    var teller = EventTeller(kinds.kind(of: flow))
    var entries: [Entry] = []
    for record in flow {
      let words = teller.tell(record)
      entries.append(
        Entry(
          revision: record.revision, at: record.at, after: Self.milliseconds(from: first.at, to: record.at),
          type: record.event.type, cause: record.cause, words: words.text, tone: words.tone, data: record.event.data))
    }
    stream = first.stream
    self.facts = facts
    self.entries = entries
    self.records = flow
  }

  /// The document of `auditctl show --json`.
  package var json: JSON {
    guard case .object(var object) = facts.json else { return facts.json }
    // The events themselves replace the count that `flows` shows.
    object["events"] = .array(entries.map(\.json))
    return .object(object)
  }

  private static func milliseconds(from start: Timestamp, to time: Timestamp) -> Int {
    Int(max(0, time.microseconds - start.microseconds) / 1_000)
  }
}

extension TimeLine {
  /// The timeline as text with at most `width` columns.
  package func lines(
    width: LineWidth = 80, style: Style = Style(colours: false), zone: Zone = .utc
  ) -> [String] {
    let longest = entries.map { $0.type.printable.columns }.max() ?? 0
    let types = width.isStrict ? min(longest, 20) : longest
    let times = entries.map { Self.seconds($0.after).count }.max() ?? 0
    let revisions = String(entries.map(\.revision).max() ?? 0).count
    let body = entries.flatMap { entry in
      let lead =
        Self.seconds(entry.after).padded(to: times, alignsRight: true) + " "
        + String(entry.revision).padded(to: revisions, alignsRight: true) + " "
        + entry.type.printable.cut(to: types).padded(to: types) + " "
      return Self.lines(lead, entry, width: width, style: style)
    }
    return heading(width: width, style: style, zone: zone) + body
  }

  private static func lines(_ lead: String, _ entry: Entry, width: LineWidth, style: Style) -> [String] {
    Paragraph.lines(entry.words.printable, width: width, lead: lead).map { style.toned($0, entry.tone) }
  }

  private func heading(width: LineWidth, style: Style, zone: Zone) -> [String] {
    let about = [
      facts.user?.printable, zone.text(facts.started),
      "\(facts.outcome.printable) after \(Quantity.duration(milliseconds: facts.durationMilliseconds))",
    ]
    let origin = facts.originWords.map { Paragraph.lines($0.printable, width: width) } ?? []
    return [style.bold(width.cut(stream.printable))]
      + Paragraph.lines(about.compactMap { $0 }.joined(separator: ", "), width: width) + origin + [""]
  }

  /// `+1.004 s`
  private static func seconds(_ milliseconds: Int) -> String {
    let rest = String(milliseconds % 1_000)
    return "+\(milliseconds / 1_000)." + String(repeating: "0", count: 3 - rest.count) + rest + "s"
  }
}
