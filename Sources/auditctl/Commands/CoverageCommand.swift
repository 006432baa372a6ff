import ArgumentParser
import AuditReports
import EventStore
import FlowKinds
import FlowRecording
import Replay

/// `auditctl coverage`
struct CoverageCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "coverage", abstract: "Show what recordings reach of the SDK's vocabulary, and what they do not.",
    discussion: """
      For each kind of flow: statuses, remediations, factor types and other words, calls, events, draws, links, fields \
      of answers, answers and errors. What can be there is what the kinds themselves declare. DIR is a folder of \
      recordings or a store. One recording is in memory at a time. One that cannot be read is named and left out, and \
      the exit is 65.

      EXAMPLES
        auditctl coverage Recordings
        auditctl coverage Recordings --kind authn --missing
        auditctl coverage push-approved.ndjson.lz4 idx-password.ndjson.lz4
        auditctl coverage Recordings --json | jq '.kinds[].parts.calls.missing'
      """)

  @Argument(help: ArgumentHelp("Folders of recordings, recordings, or stores.", valueName: "DIR")) var names: [String]
  @Option(help: ArgumentHelp("Only this kind of flow.", valueName: "KIND")) var kind: String?
  @Flag(help: "List all that is missing.") var missing = false
  @OptionGroup var json: JSONFlag

  mutating func validate() throws {
    guard !names.isEmpty else { throw ValidationError("Missing expected argument '<DIR>'") }
    let kinds = KindRegistry.standard.all.map { $0.name }
    if let kind, !kinds.contains(kind) {
      throw ValidationError("there is no kind '\(kind)': give one of \(kinds.joined(separator: ", "))")
    }
  }

  func run() throws {
    var coverage = RecordingCoverage()
    var unknown = 0
    var unread: [any Error] = []
    let progress = Progress("reading")
    for name in names {
      try forEachRecording(of: name, unread: &unread) { recording in
        coverage.add(recording)
        unknown += recording.flows.count(where: { KindRegistry.standard.kind(of: $0.records) == nil })
        progress.show(coverage.recordings)
      }
    }
    progress.end()
    // Of nothing that could be read there is nothing to say.
    if coverage.recordings == 0 { try ErrorReport.finish(unread, of: Self.self) }
    if unknown > 0 {
      Messages.say(
        "not counted: \(Quantity.count(unknown, "flow")) of a kind or a version that this program does not know; "
          + "use the version that recorded \(unknown == 1 ? "it" : "them")")
    }
    let output = Output()
    if json.isOn { try output.json(document(coverage)) } else { try output.lines(lines(coverage)) }
    try output.flush()
    try ErrorReport.finish(unread, of: Self.self)
  }

  /// Calls `body` with each recording of a folder, a file or a store.
  ///
  /// - Parameter unread: receives why a recording cannot be read.
  /// - Throws: exit 66 if there is none of that name.
  private func forEachRecording(
    of name: String, unread: inout [any Error], _ body: (Recording) -> Void
  ) throws {
    func take(_ read: () throws -> Recording?) {
      do {
        if let recording = try read() { body(recording) }
      } catch {
        unread.append(error)
      }
    }
    guard !InputFile.isFile(name) else {
      return take { try Recording(name: name, bytes: InputFile.recording(name)) }
    }
    let folder = try RecordingFolder(path: name)
    let files = try folder.files()
    guard files.isEmpty else { return files.forEach { file in take { try folder.recording(file) } } }
    guard FileMode(of: name + "/store.json") != nil else {
      throw CommandFailure(
        .notFound, "\(name.printable) has no recordings (*.ndjson.lz4) and is no store; give a folder that has some")
    }
    let source = try LogSource(path: name)
    for place in try FlowLookup.streams(of: [source]) {
      take {
        let recording = try Recording(name: place.stream, records: place.log.records(of: place.stream))
        return recording.flows.isEmpty ? nil : recording
      }
    }
  }

  /// The document, of the one kind if one was asked for.
  private func document(_ coverage: RecordingCoverage) -> JSON {
    guard let kind, case .object(var object) = coverage.json else { return coverage.json }
    object["kinds"] = .array((object["kinds"]?.array ?? []).filter { $0["kind"]?.string == kind })
    return .object(object)
  }

  private func lines(_ coverage: RecordingCoverage) -> [String] {
    let width = LineWidth(Terminal.width.columns)
    var lines = [
      "\(Quantity.count(coverage.recordings, "recording")), "
        + "\(Quantity.count(coverage.flows.values.reduce(0, +), "flow"))"
    ]
    for name in KindRegistry.standard.all.map({ $0.name }) where kind == nil || kind == name {
      lines += ["", "\(name): \(Quantity.count(coverage.flows[name] ?? 0, "flow"))"]
      for part in coverage.parts(of: name) {
        let (reached, all) = (part.reached.count, part.reached.count + part.missing.count)
        var lead = "  \(part.name.padded(to: 22)) \(part.missing.isEmpty ? "\(reached)" : "\(reached) of \(all)")"
        guard !part.missing.isEmpty else {
          lines.append(lead.printable)
          continue
        }
        // A name that is too long for the column gets its own line.
        if lead.columns > 38 {
          lines.append(lead.printable)
          lead = ""
        }
        let shown = missing ? part.missing[...] : part.missing.prefix(6)
        let rest = part.missing.count - shown.count
        lines += Paragraph.lines(
          "missing: \(shown.joined(separator: ", "))\(rest > 0 ? " and \(rest) more" : "")".printable, width: width,
          lead: lead.padded(to: 38) + " ", indent: 39)
      }
    }
    return lines
  }
}
