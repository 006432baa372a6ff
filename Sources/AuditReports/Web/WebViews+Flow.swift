// The page of one flow: what happened, its state at any revision, and the proof that it is in the log.

import EventStore
import FlowKinds
import FlowRecording

extension WebViews {
  /// The page of a flow.
  func flow(_ address: WebAddress) throws -> Found {
    guard let id = address["id"] else { return .missing("No flow is named.") }
    let records = try log.records(of: id)
    guard let last = records.last else { return .missing("There is no flow of that name.") }
    let title = "Flow \(FlowReference.identifier(of: id).cut(to: 40))"
    if let most = edition.events, records.count > most {
      return .missing("\(title) has \(records.count) events, more than a file shows: auditctl show prints them.")
    }
    guard let line = try? TimeLine(records), line.facts.isFlow else {
      let rows = records.map { record in
        [
          String(record.revision), WebPage.whole(record.at.description), HTML.words(record.type),
          HTML.words(String(decoding: record.data, as: UTF8.self)),
        ]
      }
      let body =
        "<p>This stream belongs to an application; its records stand here as they are.</p>\n"
        + WebPage.table("Records", ["Revision", "Time (UTC)", "Type", "Data"], rows, numeric: [0])
        + (try proof(of: last))
      return .page(WebPage(title: title, body: body))
    }
    if let at = address["at"], let lack = Self.lack(of: at, in: line) { return .missing(lack) }
    let body =
      facts(of: line) + "<h2>Who spoke to whom</h2>\n" + SequenceDiagram(line).html
      + (edition.isServed ? Self.state(of: line, address) : WebStates(of: line).html)
      + Self.timeLine(line, Dictionary(records.map { ($0.revision, $0.position) }) { one, _ in one })
      + (try proof(of: last))
    return .page(WebPage(title: title, body: body))
  }

  private func facts(of line: TimeLine) -> String {
    let facts = line.facts
    return WebPage.list([
      ("stream", HTML.escape(line.stream)), ("kind", HTML.escape(facts.kind)),
      ("person", facts.user.map { edition.link(.person($0), $0.cut(to: 200)) }),
      ("began", HTML.escape(Zone.utc.text(facts.started))),
      ("took", HTML.escape(Quantity.duration(milliseconds: facts.durationMilliseconds))),
      ("status", facts.status.map { HTML.escape($0) }), ("outcome", WebPage.outcome(facts.outcome)),
      ("requests", String(facts.requests)),
      ("factors", facts.factors.isEmpty ? nil : HTML.escape(facts.factors.joined(separator: ", "))),
    ])
  }

  private static func timeLine(_ line: TimeLine, _ positions: [Int: UInt64]) -> String {
    let rows = line.entries.map { entry in
      [
        String(entry.revision), positions[entry.revision].map { String($0) } ?? "-",
        HTML.escape("+\(Quantity.duration(milliseconds: entry.after))"), HTML.words(entry.type),
        "<span class=\"\(entry.tone.styleClass)\">\(HTML.words(entry.words))</span>",
      ]
    }
    return "<h2>Time line</h2>\n"
      + WebPage.table(
        "Events", ["Revision", "Position", "After", "Type", "What happened"], rows, numeric: [0, 1, 2])
  }

  // MARK: State

  private static func state(of line: TimeLine, _ address: WebAddress) -> String {
    guard let last = line.entries.last?.revision else { return "" }
    let at = min(max(0, address["at"].flatMap { Int($0) } ?? last), last)
    return """
      <h2>State at a revision</h2>
      <form class="state" action="/flow">
      <input type="hidden" name="id" value="\(HTML.escape(line.stream))">
      <label for="at">Revision <output id="revision" for="at">\(at)</output> of \(last)</label>
      <input type="range" id="at" name="at" min="0" max="\(last)" value="\(at)">
      <button>Show</button>
      </form>
      <pre id="state" tabindex="0" role="region" aria-label="State" aria-live="polite">\(HTML.escape(lines: text(of: line, at: at)))</pre>

      """
  }

  private static func text(of line: TimeLine, at revision: Int) -> [String] {
    do throws(FoldedState.Missing) {
      return try FoldedState(of: line.records, stream: line.stream, at: revision).lines(
        width: LineWidth(100, isStrict: false))
    } catch {
      switch error {
      case .revision(let last): return ["There is no revision \(revision), the last is \(last)."]
      case .kind(let kind): return ["This version cannot fold flows of kind '\(kind)'."]
      }
    }
  }

  /// Only the state, for the slider.
  func state(_ address: WebAddress) throws -> Answer {
    guard let id = address["id"], let text = address["at"], let line = try TimeLine(try log.records(of: id)) else {
      return missing("There is no such state.")
    }
    guard let at = Int(text), Self.lack(of: text, in: line) == nil else {
      return missing(Self.lack(of: text, in: line) ?? "There is no such state.")
    }
    return .text(Self.text(of: line, at: at).joined(separator: "\n"))
  }

  /// Why text is not a revision of a flow; `nil` if it is one.
  private static func lack(of text: String, in line: TimeLine) -> String? {
    let last = line.records.last?.revision ?? -1
    if let revision = Int(text), 0 <= revision, revision <= last { return nil }
    return "\(line.stream) has no revision \(text.cut(to: 40)): give one from 0 to \(last)."
  }

  // MARK: Proof

  private func proof(of last: StoredRecord) throws -> String {
    let heading = "<h2>Proof</h2>\n"
    guard let note = try log.statistics().lastCheckpoint, last.position < note.size else {
      return heading + "<p>The last record, at position \(last.position), is not covered by a checkpoint yet. "
        + "<code>auditctl checkpoint</code> signs one.</p>\n"
    }
    let proof = try log.inclusionProof(of: last.position, size: note.size)
    let holds = proof.isValid && proof.root == note.root && proof.leafHash == last.leafHash
    let steps = proof.hashes.map { "<li><code>\($0)</code></li>" }.joined(separator: "\n")
    return heading
      + "<p>\(holds ? "The last record of this flow leads to the root of the latest checkpoint." : "The proof does not hold: run auditctl verify.")"
      + " To give it to someone else: <code>auditctl evidence</code>.</p>\n"
      + WebPage.list([
        ("position", String(last.position)), ("leaf hash", "<code>\(proof.leafHash)</code>"),
        ("checkpoint", "\(note.size) records of \(HTML.escape(note.origin))"), ("root", "<code>\(note.root)</code>"),
      ])
      + "<details><summary>\(Quantity.count(proof.hashes.count, "hash", "hashes")) on the way to the root</summary>\n<ol>\n\(steps)\n</ol>\n</details>\n"
  }
}

extension HTML {
  /// Escapes lines for a `pre` element.
  static func escape(lines: [String]) -> String { lines.map { escape($0) }.joined(separator: "\n") }
}
