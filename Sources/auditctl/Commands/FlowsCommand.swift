import ArgumentParser
import AuditReports
import EventStore
import FlowRecording

/// `auditctl flows`
struct FlowsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "flows", abstract: "List the flows of a store, a line each.",
    discussion: """
      The columns are flow, kind, user, started, durationMs, status, events and outcome; --json has each by that \
      name, a document a line. The shortened ids of the table are enough for show, export and replay. Outcomes are \
      success, failed, lockedOut, cancelled, terminal, abandoned, and open for a flow that goes on. Streams that an \
      application appends to are listed too.

      Of several stores the flows are merged by the time when they began, and each names its store. Where stdout is \
      no terminal nothing is cut. Exits 1 if flows were asked for by a filter and none passed it.

      EXAMPLES
        auditctl flows --store audit
        auditctl flows --store audit --status lockedOut --since -24h
        auditctl flows --store audit --user ann@acme.example --json | jq .outcome
        auditctl flows --store audit --kind idx --since 'yesterday 14:00' --tz local
        auditctl flows --store audit --sort -duration --limit 10
        auditctl flows --store paris --store oslo --last 20
        auditctl flows --store push.ndjson.lz4
      """)

  @OptionGroup var stores: StoresOption
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

  func run() throws {
    let (since, until) = times.bounds()
    let filter = FlowFilter(user: user, status: status, kind: kind, since: since, until: until)
    let facts = try LogFacts.reading(stores.sources())
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
