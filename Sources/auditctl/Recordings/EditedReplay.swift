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
    let result = try WhatIf.run(flow, edits, of: origin)
    recording.flows[0] = result.flow
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
          ("events", .int(result.flow.records.count)), ("unused", .array(result.unused.map(JSON.int))),
          ("unusedAnswers", .array(unused)),
          ("output", output.map(JSON.string)),
        ]))
    } else {
      try out.line("\(origin): \(result.ending)".printable)
      // The note that says what it was made of is none of the SDK's.
      let isNoted = if case .noteAdded? = result.flow.records.last?.event { true } else { false }
      let count = result.flow.records.count - (isNoted ? 1 : 0)
      try out.line(
        "  \(Quantity.count(count, "event")) instead of the \(flow.records.count) that were recorded"
          + (recording.flows.count > 1 ? ", of its first flow, \(flow.stream.printable)" : ""))
      if !result.unused.isEmpty {
        let places = result.unused.map(String.init).joined(separator: ", ")
        try out.lines(
          Paragraph.lines(
            "without a place in it: what was recorded at \(places)", width: LineWidth(Terminal.width.columns),
            lead: "  "))
      }
      if !result.unusedAnswers.isEmpty {
        let answers = result.unusedAnswers.map { "\($0.request) \($0.status)".printable }.joined(separator: ", ")
        try out.lines(
          Paragraph.lines(
            "never asked for, of the answers in \(path.printable): \(answers)",
            width: LineWidth(Terminal.width.columns), lead: "  "))
      }
      if let output { try out.line("  \(output.printable) is the new recording") }
    }
    try out.end()
    if result.ending.isFinding { throw ExitCodes.finding }
  }
}
