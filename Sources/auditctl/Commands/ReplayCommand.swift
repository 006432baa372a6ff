import ArgumentParser
import AuditReports
import EventStore
import FlowRecording
import Replay

/// `auditctl replay`
struct ReplayCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "replay", abstract: "Run the SDK again on recordings and tell where it differs.",
    discussion: """
      Every request, timer, draw and status is compared with the recorded one. No socket is opened, and time does \
      not pass. Exits 1 if a replay diverged, or if a flow of a whole store cannot be read.

      EXAMPLES
        auditctl replay Recordings/*.ndjson.lz4
        ssh host cat push.ndjson.lz4 | auditctl replay /dev/stdin
        auditctl replay --store audit
        auditctl replay --store audit 01KAJ4 --json | jq '.divergences[].message'
      """)

  @Argument(help: ArgumentHelp("Recordings; with --store, flows of it (all where none is named).", valueName: "FILE"))
  var names: [String] = []
  @Option(
    name: .customLong("store"), parsing: .singleValue,
    help: ArgumentHelp("A store's directory. May be repeated.", valueName: "DIR"))
  var directories: [String] = []
  @OptionGroup var json: JSONFlag

  mutating func validate() throws {
    guard !names.isEmpty || !directories.isEmpty else {
      throw ValidationError("Missing expected argument: give recordings, or --store DIR")
    }
  }

  func run() throws {
    var unreadable: [String] = []
    let recordings = try recordings(&unreadable)
    var report = try Replay.report(on: recordings)
    report.unreadable = unreadable
    let output = Output()
    if json.isOn {
      try output.json(report.json)
    } else {
      try output.lines(DivergenceText.lines(report, width: LineWidth(Terminal.width.columns), style: Terminal.style))
    }
    try output.flush()
    if report.diverged > 0 || !unreadable.isEmpty { throw ExitCode(ExitStatus.finding.rawValue) }
  }

  private static let longestRecording = 256 << 20

  /// - Parameter unreadable: gets the flows of whole stores that cannot be read; the others are replayed all the same.
  private func recordings(_ unreadable: inout [String]) throws -> [Recording] {
    guard !directories.isEmpty else {
      return try names.map { name in
        let bytes = try InputFile(path: name, content: "a recording").bytes(limit: Self.longestRecording)
        return try Recording(name: name, bytes: bytes)
      }
    }
    let logs = try StoresOption.open(directories)
    guard names.isEmpty else {
      return try names.map { name in
        let found = try FlowLookup.find(name, in: logs)
        return try Recording(flow: found.stream, of: found.log)
      }
    }
    var recordings: [Recording] = []
    for place in try FlowLookup.streams(of: logs) {
      do throws(ReplayError) {
        let recording = try Recording(flow: place.stream, of: place.log)
        // Streams that applications append to are no flows: there is nothing to run again.
        guard case .flowStarted = recording.flows.first?.records.first?.event else { continue }
        recordings.append(recording)
      } catch {
        guard case .unreadable(let error) = error, error.code == .malformed else { throw error }
        unreadable.append(error.message)
      }
    }
    return recordings
  }
}
