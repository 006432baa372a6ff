import ArgumentParser
import AuditReports
import EventStore
import FlowKinds
import FlowRecording

/// `auditctl show`
struct ShowCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Tell a flow as a time line, or show its state at a revision.",
    discussion: """
      FLOW is the stream (authn/01J…), its id, or the beginning of either. Secrets are placeholders, as in the log. \
      With --at, the events up to that revision are folded into the state that the SDK had then.

      EXAMPLES
        auditctl show 01KAJ4 --store audit
        auditctl show 01KAJ4 --store audit --at 12
        auditctl show push.ndjson.lz4
        auditctl show 01KAJ4 --store audit --tz Europe/Berlin
        auditctl show authn/01KAJ4T5Z6M7N8P9Q0R1S2T3V4 --store audit --json |
          jq '.events[].words'
      """)

  @Argument(help: ArgumentHelp("The flow, or a recording of one.", valueName: "FLOW")) var flow: String
  @OptionGroup var stores: StoresOption
  @Option(help: ArgumentHelp("Show the state after the event with this revision.", valueName: "N")) var at: Int?
  @OptionGroup var place: ZoneOption
  @OptionGroup var json: JSONFlag

  func run() throws {
    let found = try FlowLookup.find(flow, in: stores)
    let output = Output()
    if let at {
      let state = try state(of: found, at: at)
      if json.isOn {
        try output.json(state.json)
      } else {
        try output.lines(state.lines(width: Terminal.width, style: Terminal.style))
      }
    } else if let line = try TimeLine(found.records) {
      if json.isOn {
        try output.json(line.json)
      } else {
        try output.lines(line.lines(width: Terminal.width, style: Terminal.style, zone: place.zone))
      }
    } else {
      throw CommandFailure(.notFound, "the flow '\(flow)' has no records; run auditctl verify")
    }
    try output.flush()
  }

  private func state(of found: FoundFlow<LogSource>, at revision: Int) throws -> FoldedState {
    let records = try KindRegistry.standard.decode(found.records)
    do throws(FoldedState.Missing) {
      return try FoldedState(of: records, stream: found.stream, at: revision)
    } catch {
      switch error {
      case .revision(let last):
        throw CommandFailure(.notFound, "\(found.stream) has no revision \(revision): give one from 0 to \(last)")
      case .kind(let kind):
        throw CommandFailure(
          .malformed, "\(found.stream) is of kind '\(kind)', which this version cannot fold; leave out --at")
      }
    }
  }
}
