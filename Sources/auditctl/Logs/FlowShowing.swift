import ArgumentParser
import AuditReports
import EventStore
import FlowKinds
import FlowRecording

/// How a flow is shown.
struct FlowShowing: ParsableArguments {
  @Option(
    parsing: .unconditional, help: ArgumentHelp("Show the state after the event with this revision.", valueName: "N"))
  var at: Int?
  @OptionGroup var place: ZoneOption
  @OptionGroup var json: JSONFlag

  /// Prints a flow.
  func print(_ found: FoundFlow<LogSource>) throws {
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
      throw CommandFailure(.notFound, "the flow '\(found.stream)' has no records; run auditctl verify")
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
