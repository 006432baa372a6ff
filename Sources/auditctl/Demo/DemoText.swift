// The demo's facts as a page to read.

import AuditReports
import EventStore
import FlowRecording
import Replay

/// Writes what a demo found.
struct DemoText {
  let width: LineWidth
  let style: Style

  /// The text printed before the sign-ins.
  func opening(_ facts: DemoFacts) -> [String] {
    paragraph(
      "\(Quantity.count(DemoPlay.all.count, "sign-in")) run now, side by side, against an org inside this process: "
        + "real HTTP to \(facts.org), through the SDK's public API. Everything that happens is written to an "
        + "append-only log before it takes effect, secrets replaced. Pushes are polled once a second, so this takes "
        + "about two seconds.") + [""]
  }

  /// One sign-in, as soon as it is over.
  func finished(_ take: DemoFacts.SignIn) -> [String] {
    Paragraph.lines(
      take.heard.joined(separator: " -> "), width: width, lead: "  " + take.login.padded(to: 18), indent: 20)
      + ["    " + style.dim(take.title)]
  }

  /// Everything that follows from the log.
  func closing(_ facts: DemoFacts) -> [String] {
    flows(facts) + timeLine(facts) + bothSides(facts) + trust(facts) + again(facts) + secrets(facts) + next(facts)
  }

  private func flows(_ facts: DemoFacts) -> [String] {
    ["", style.bold("The flows, as the log has them"), ""]
      + FlowTable.lines(facts.flows, among: facts.flows, width: width)
  }

  private func timeLine(_ facts: DemoFacts) -> [String] {
    guard let line = facts.timeLine else { return [] }
    return ["", style.bold("One of them as a time line"), ""] + line.lines(width: width, style: style)
  }

  private func bothSides(_ facts: DemoFacts) -> [String] {
    guard let columns = facts.bothSides else { return [] }
    return ["", style.bold("The same push from both sides"), ""]
      + paragraph(
        "The device that approved it is the push authenticator of this SDK, and recorded into a log of its own. Neither "
          + "log knows of the other; they are joined by what both sides saw.") + [""]
      + columns.lines(width: width, style: style)
  }

  private func trust(_ facts: DemoFacts) -> [String] {
    var lines = ["", style.bold("Can this log be trusted?"), ""]
    if let note = facts.checkpoint {
      lines += paragraph("A checkpoint was signed over \(note.size) records; the note:") + [""]
      lines += note.text.split(separator: "\n").map { "  " + $0.description.cut(to: width.columns - 2) } + [""]
    }
    guard let verdict = facts.verdict else { return lines }
    return lines + VerdictText(verdict, store: facts.store).lines(width: width, style: style)
  }

  private func again(_ facts: DemoFacts) -> [String] {
    let recorded = Quantity.duration(milliseconds: facts.signInMilliseconds)
    let milliseconds = facts.replayMilliseconds
    let replayed = milliseconds == 0 ? "less than 1 ms" : Quantity.duration(milliseconds: milliseconds)
    return ["", style.bold("Does it tell the whole story?"), ""]
      + paragraph(
        "fold    \(facts.folded) of \(Quantity.count(facts.signIns.count, "flow")): folding the stored events gives "
          + "the state that the live sign-in had, to the last field")
      + paragraph(
        "replay  \(Quantity.count(facts.replay.recordings, "recording")), "
          + "\(Quantity.count(facts.replay.diverged, "divergence")): the SDK, run again on what was recorded, did the "
          + "same, event by event, in \(replayed) instead of \(recorded), without opening a socket")
      + facts.replay.divergences.flatMap { paragraph("        \($0.flow): \($0.message)") }
  }

  private func secrets(_ facts: DemoFacts) -> [String] {
    guard let search = facts.search else { return [] }
    let looked =
      "\(Quantity.count(search.secrets, "secret")) of these sign-ins (passwords, codes, tokens, cookies) "
      + "were looked for in \(Quantity.count(search.files, "file")) and in the decompressed records, plain, in base64 "
      + "and percent-encoded: "
    let result = search.found.isEmpty ? "none is there." : "FOUND: \(search.found.joined(separator: ", "))."
    return ["", style.bold("Did a secret get into it?"), ""] + paragraph(looked + result)
  }

  private func next(_ facts: DemoFacts) -> [String] {
    let id = facts.timeLine.map { $0.facts.identifier } ?? "FLOW"
    var about = facts.isTemporary ? "It was made for this demo; delete it when done." : "It stays there."
    if let statistics = facts.statistics {
      about =
        "\(Quantity.size(statistics.bytesRaw)) of JSON Lines in \(Quantity.size(statistics.bytesOnDisk)) on disk. "
        + about
    }
    var lines = ["", style.bold("The log lies here; what to type next"), ""] + paragraph(about) + [""]
    lines += Invocation.alias
    lines += assignment("DIR", facts.store) + assignment("DEVICE", facts.deviceStore)
    lines += assignment("KEY", facts.publicKeyFile)
    return lines + [
      "  cat $DIR/segments/*.ndjson.lz4 | lz4 -dc | jq .     # no code of ours",
      "  auditctl flows --store $DIR",
      "  auditctl show \(id) --store $DIR",
      "  auditctl verify --store $DIR --public-key $KEY",
      "  auditctl replay --store $DIR",
      "  auditctl correlate --store $DIR --store $DEVICE",
      "  auditctl report summary --store $DIR",
    ]
  }

  /// A shell variable; a path too long for a line is set in two steps.
  private func assignment(_ name: String, _ path: String) -> [String] {
    let line = "  \(name)=\(Invocation.quoted(path))"
    guard line.columns > width.columns, let slash = path.lastIndex(of: "/"), slash > path.startIndex else {
      return [line]
    }
    let file = Invocation.quoted(String(path[path.index(after: slash)...]))
    return ["  \(name)=\(Invocation.quoted(String(path[..<slash])))", "  \(name)=$\(name)/\(file)"]
  }

  private func paragraph(_ text: String) -> [String] {
    let isLabelled = text.hasPrefix("fold  ") || text.hasPrefix("replay  ")
    guard isLabelled else { return Paragraph.lines(text, width: width) }
    return Paragraph.lines(String(text.dropFirst(8)), width: width, lead: String(text.prefix(8)))
  }
}
