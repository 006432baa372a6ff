import ArgumentParser
import AuditReports
import EventStore
import FlowRecording

/// Which flows a list has, and how it is printed.
struct FlowListing: ParsableArguments {
  @Option(help: ArgumentHelp("Flows of this login.", valueName: "U")) var user: String?
  @Option(
    help: ArgumentHelp(
      "Flows with this status or outcome, whatever the case: SUCCESS, MFA_CHALLENGE, identify, failed.", valueName: "S")
  )
  var status: String?
  @Option(help: ArgumentHelp("Flows of this kind: authn, idx.", valueName: "K")) var kind: String?
  @OptionGroup var times: TimeOptions
  @OptionGroup var part: ListOptions
  @OptionGroup var json: JSONFlag

  /// Prints the list of the flows of some logs. Exits 1 if a filter lets none pass.
  func print(_ sources: [LogSource]) throws {
    let (since, until) = times.bounds()
    let filter = FlowFilter(user: user, status: status, kind: kind, since: since, until: until)
    let facts = try LogFacts.reading(sources)
    let all = facts.flows
    let flows = part.apply(to: all.filter(filter.passes))
    let output = Output()
    if json.isOn {
      for flow in flows { try output.json(flow.json) }
    } else {
      try output.lines(
        FlowTable.lines(flows, among: all, width: Terminal.tableWidth, order: part.sort, zone: times.zone))
    }
    try output.flush()
    if facts.prunedFlows > 0 {
      Messages.say("\(Quantity.count(facts.prunedFlows, "flow")) left out, whose beginning was pruned.")
    }
    if flows.isEmpty, !filter.isEmpty {
      Messages.say("No flow passes these filters; there are \(all.count) without them.")
      throw ExitCode(ExitStatus.finding.rawValue)
    }
  }
}
