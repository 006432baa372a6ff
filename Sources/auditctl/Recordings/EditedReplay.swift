// `auditctl replay --edit`: what would have happened if.

import AuditReports
import EventStore
import FlowRecording
import Replay

enum EditedReplay {
  /// Runs the first flow of a recording with the edits of a file, and writes what came of it.
  ///
  /// - Throws: exit 65 if the edits say nothing, 1 if the flow hangs, loops or ends unnamed.
  static func run(_ name: String, stores: [String], edits path: String, output: String?, isJSON: Bool) throws {
    let bytes = try InputFile(path: path, content: "edits").bytes(limit: 16 << 20)
    let edits: FlowEdits
    do throws(EditError) {
      edits = try FlowEdits(parsing: bytes)
    } catch {
      throw CommandFailure(.malformed, "\(path.printable): \(error.description)")
    }
    let found = try RecordingLookup.find(name, in: stores)
    var recording = found.recording
    guard let flow = recording.flows.first else { throw ReplayError.empty(name: name) }
    let origin = name.split(separator: "/").last.map(String.init) ?? name
    let result: WhatIf.Result
    do {
      result = try WhatIf.run(flow, edits, of: origin)
    } catch let error as EditError {
      throw CommandFailure(.malformed, "\(path.printable): \(error.description)")
    }
    recording.flows[0] = result.flow
    let difference = result.firstDifference.map { EventPlace($0, in: result.flow) }
    let end = EventPlace(result.endingRevision, in: result.flow)
    // The note that says what it was made of is none of the SDK's.
    let count = result.flow.records.count - (result.isNoted ? 1 : 0)
    if let output {
      let records = try recording.records()
      let source = StoreIdentity(id: Recording.source.id, origin: "what-if of \(found.source.origin)")
      try Creation.recording(records, of: source, at: output)
    }
    let out = Output()
    if isJSON {
      let unused = result.unusedAnswers.map { answer -> JSON in
        ["request": .string(answer.request), "status": .int(answer.status)]
      }
      try out.json(
        .members([
          ("recording", .string(name)), ("flow", .string(result.flow.stream)),
          ("ending", .string(result.ending.description)), ("finding", .bool(result.ending.isFinding)),
          ("firstDifference", difference?.json), ("end", end.json),
          ("events", .int(count)), ("unused", .array(result.unused.map(JSON.int))),
          ("unusedAnswers", .array(unused)),
          ("output", output.map(JSON.string)),
        ]))
    } else {
      let width = LineWidth(Terminal.width.columns)
      try out.line("\(origin): \(result.ending)".printable)
      let begins = difference.map { "it differs from revision \($0.text) on" }
      let same = count < flow.records.count ? "it is the beginning of what was recorded" : "it is as it was recorded"
      try out.lines(
        Paragraph.lines(
          "\(begins ?? same), and ends at revision \(end.text) of the new recording", width: width,
          lead: "  "))
      try out.lines(
        Paragraph.lines(
          "\(Quantity.count(count, "event")) instead of the \(flow.records.count) that were recorded"
            + (recording.flows.count > 1 ? ", of its first flow, \(flow.stream.printable)" : ""), width: width,
          lead: "  "))
      if !result.unused.isEmpty {
        let places = result.unused.map(String.init).joined(separator: ", ")
        try out.lines(
          Paragraph.lines("without a place in it: what was recorded at \(places)", width: width, lead: "  "))
      }
      if !result.unusedAnswers.isEmpty {
        let answers = result.unusedAnswers.map { "\($0.request) \($0.status)".printable }.joined(separator: ", ")
        try out.lines(
          Paragraph.lines(
            "never asked for, of the answers in \(path.printable): \(answers)", width: width, lead: "  "))
      }
      if let output { try out.line("  \(output.printable) is the new recording") }
    }
    try out.end()
    if result.ending.isFinding { throw ExitCodes.finding }
  }
}

/// An event of the new flow.
private struct EventPlace {
  private let revision: Int
  private let type: String

  init(_ revision: Int, in flow: RecordedFlow) {
    self.revision = revision
    type = flow.records.first { $0.revision == revision }?.event.type ?? ""
  }

  var json: JSON { ["revision": .int(revision), "type": .string(type)] }

  /// `8 (response.received)`
  var text: String { "\(revision) (\(type))".printable }
}
