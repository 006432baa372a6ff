import ArgumentParser
import AuditReports
import EventStore
import FlowKinds
import FlowRecording
import Replay

/// How a flow is shown.
struct FlowShowing: ParsableArguments {
  @Option(
    parsing: .unconditional, help: ArgumentHelp("Show the state after the event with this revision.", valueName: "N"))
  var at: Int?
  @OptionGroup var place: ZoneOption
  @OptionGroup var json: JSONFlag

  /// Prints a flow.
  func print(_ found: FoundFlow<LogSource>) throws {
    try found.sayDisorder()
    let output = Output()
    if let at {
      let state = try state(of: found, at: at)
      if json.isOn {
        try output.json(state.json)
      } else {
        try output.lines(state.lines(width: Terminal.width, style: Terminal.style))
      }
    } else if let line = try TimeLine(found.records, allowingGaps: found.mayBeEdited) {
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
    let records = try KindRegistry.standard.decode(found.records, allowingGaps: found.mayBeEdited)
    let state: FoldedState
    do throws(FoldedState.Missing) {
      state = try FoldedState(of: records, stream: found.stream, at: revision)
    } catch {
      switch error {
      case .revision(let last):
        throw CommandFailure(.notFound, "\(found.stream) has no revision \(revision): give one from 0 to \(last)")
      case .kind(let kind):
        let reason = ReplayError.noKind(of: RecordedFlow(stream: found.stream, records: records))
        if case .noBeginning = reason { throw reason }
        throw CommandFailure(
          .malformed, "\(found.stream) is of kind '\(kind)', which this version cannot fold; leave out --at")
      }
    }
    guard found.records.contains(where: { $0.revision == revision }) else {
      throw CommandFailure(
        .notFound, "revision \(revision) of \(found.stream) is missing in \(found.log.directory); give another")
    }
    return state
  }
}
