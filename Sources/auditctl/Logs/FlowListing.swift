import ArgumentParser
import AuditReports
import EventStore
import FlowRecording

/// Which flows a list has, and how it is printed.
struct FlowListing: ParsableArguments {
  @Option(name: .customLong("user"), parsing: .singleValue, help: ArgumentHelp("Flows of this login.", valueName: "U"))
  var users: [String] = []
  @Option(
    help: ArgumentHelp(
      "Flows with this status or outcome, whatever the case: SUCCESS, MFA_CHALLENGE, identify, failed.", valueName: "S")
  )
  var status: String?
  @Option(help: ArgumentHelp("Flows of this kind: authn, idx, device, oidc, or one of your own.", valueName: "K"))
  var kind: String?
  @Option(
    help: ArgumentHelp("Flows that have these words: a request id, an error code, a text.", valueName: "WORDS"))
  var search: String?
  @Option(
    help: ArgumentHelp(
      "Flows that did not succeed for this reason: \(FailureReason.allCases.map(\.rawValue).joined(separator: ", ")).",
      valueName: "R"), transform: FlowListing.reason)
  var reason: FailureReason?
  @OptionGroup var times: TimeOptions
  @OptionGroup var part: ListOptions
  @OptionGroup var json: JSONFlag

  private static func reason(_ text: String) throws -> FailureReason {
    guard let reason = FailureReason(rawValue: text) else {
      throw ValidationError("'\(text)' is no reason; --help names them")
    }
    return reason
  }

  mutating func validate() throws {
    try OnceOption.check("--user", users)
    if let search, SearchQuery(search) == nil {
      throw ValidationError("--search '\(search)' has no letter and no digit")
    }
  }

  /// Prints the list of the flows of some logs. Exits 1 if a filter lets none pass.
  func print(_ sources: [LogSource], _ index: IndexOption? = nil) throws {
    let (since, until) = times.bounds()
    let filter = FlowFilter(user: users.first, status: status, kind: kind, since: since, until: until, reason: reason)
    let found = try FlowFinder(sources, index).flows(filter, search.flatMap(SearchQuery.init))
    let flows = part.apply(to: found.flows)
    let output = Output()
    if json.isOn {
      for flow in flows { try output.json(flow.json) }
    } else {
      try output.lines(
        FlowTable.lines(
          flows, shortLength: found.shortLength, hasStores: found.hasStores, width: Terminal.tableWidth,
          order: part.sort, zone: times.zone))
    }
    try output.end()
    if found.pruned > 0 {
      Messages.say("\(Quantity.count(found.pruned, "flow")) left out, whose beginning was pruned.")
    }
    if flows.isEmpty, !filter.isEmpty || search != nil {
      Messages.say("No flow passes these filters; there are \(found.count) without them.")
      throw ExitCode(ExitStatus.finding.rawValue)
    }
  }
}
