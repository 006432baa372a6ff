import FlowRecording
import EventStore

/// The events of both sides of a push in one timeline: the sign-in on the left, the device on the right.
package struct TwoColumns: Sendable {
  /// One event of one side.
  struct Entry {
    var at: Timestamp
    var side: PushSighting.Side
    var words: String
    var tone: Words.Tone
  }

  /// Details that the timeline of a single flow shows and this one omits: how a side learns what it knows.
  private static let left: Set<String> = [
    CallMade.type, CallReturned.type, RequestSent.type, ResponseReceived.type, DrawAsked.type, DrawMade.type,
    TimerSet.type, TimerFired.type,
  ]

  private let pair: PushPair
  private let entries: [Entry]

  /// Merges the timelines of a push.
  ///
  /// - Parameters:
  ///   - pair: the push.
  ///   - timeLines: the time lines of the flows that saw it, by stream.
  package init(_ pair: PushPair, _ timeLines: [String: TimeLine]) {
    self.pair = pair
    let sides = [pair.signIn] + pair.device
    let entries = sides.flatMap { seen -> [Entry] in
      let line = timeLines[seen.stream]?.entries ?? []
      return line.filter { seen.push.revisions.contains($0.revision) && !Self.left.contains($0.type) }.map {
        Entry(at: $0.at, side: seen.push.side, words: $0.words, tone: $0.tone)
      }
    }
    // Ordered by time; events with equal times keep the order of their side.
    self.entries = entries.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }.map(
      \.element)
  }

  /// The text, at most `width` columns wide if the width is strict.
  package func lines(
    width: LineWidth = 80, style: Style = Style(colours: false), zone: Zone = .utc
  ) -> [String] {
    let times = entries.map { Self.seconds($0.at, since: pair.signIn.push.began).count }.max() ?? 0
    let column = max(20, (width.columns - times - 4) / 2)
    var lines = heading(width, style, zone)
    lines.append(
      String(repeating: " ", count: times + 1) + style.bold("sign-in".padded(to: column + 2))
        + style.bold("device"))
    for entry in entries {
      let time = Self.seconds(entry.at, since: pair.signIn.push.began).padded(to: times, alignsRight: true) + " "
      let margin = entry.side == .signIn ? 0 : column + 2
      let lead = time + String(repeating: " ", count: margin)
      let narrow = LineWidth(min(lead.columns + column, width.columns), isStrict: width.isStrict)
      lines += Paragraph.lines(entry.words.printable, width: narrow, lead: lead).map { style.toned($0, entry.tone) }
    }
    lines.append("")
    let found = pair.contradictions
    if found.isEmpty { lines.append(style.good("Both sides agree.")) }
    for contradiction in found {
      lines += Paragraph.lines(
        "\(contradiction.kind.rawValue): \(contradiction.message)", width: width, lead: "", indent: 2
      ).map(style.bad)
    }
    return lines
  }

  private func heading(_ width: LineWidth, _ style: Style, _ zone: Zone) -> [String] {
    let signIn = pair.signIn
    let device = pair.device.first { !$0.push.answers.isEmpty } ?? pair.device[0]
    let about = [signIn.user, zone.text(signIn.push.began), signIn.push.outcome.words].compactMap { $0 }
    var lines = [style.bold(width.cut(signIn.stream.printable))]
    lines += Paragraph.lines(about.joined(separator: ", ").printable, width: width)
    for seen in pair.device { lines.append(style.bold(width.cut(seen.stream.printable))) }
    lines += Paragraph.lines(Self.answer(device, since: pair.arrived).printable, width: width)
    return lines + [""]
  }

  /// The answer, the time that it took, and its key.
  private static func answer(_ seen: SeenPush, since arrived: Timestamp) -> String {
    guard let answer = seen.push.answers.first else { return "no answer, \(seen.push.outcome.words)" }
    let waited = Int(max(0, answer.at.microseconds - arrived.microseconds) / 1_000)
    var words = ["\(answer.word) after \(Quantity.duration(milliseconds: waited))"]
    if let verification = seen.push.facts["verification"] { words.append("person \(verification)") }
    if let type = seen.push.facts["keyType"] { words.append("\(type) key \(seen.push.facts["key"] ?? "")") }
    if let id = seen.push.transaction { words.append("transaction \(id)") }
    return words.joined(separator: ", ")
  }

  /// `+1.004s`; `-0.120s` for an event that its clock puts before the beginning.
  private static func seconds(_ time: Timestamp, since start: Timestamp) -> String {
    let milliseconds = (time.microseconds - start.microseconds) / 1_000
    let rest = String(abs(milliseconds) % 1_000)
    let sign = milliseconds < 0 ? "-" : "+"
    return "\(sign)\(abs(milliseconds) / 1_000)." + String(repeating: "0", count: 3 - rest.count) + rest + "s"
  }
}
