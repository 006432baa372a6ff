import ArgumentParser
import AuditReports
import EventStore
import FlowRecording

/// Which flows a list has, and how it is printed.
struct FlowListing: ParsableArguments {
  @OptionGroup var filters: FilterOptions
  @Option(
    help: ArgumentHelp("Flows that have these words: a request id, an error code, a text.", valueName: "WORDS"))
  var search: String?
  @OptionGroup var times: TimeOptions
  @OptionGroup var part: ListOptions
  @OptionGroup var json: JSONFlag

  mutating func validate() throws {
    if let search, SearchQuery(search) == nil {
      throw ValidationError("--search '\(search)' has no letter and no digit")
    }
  }

  /// Which flows pass.
  func filter() -> FlowFilter { filters.filter(times) }

  /// Prints the list of the flows of some logs. Exits 1 if a filter lets none pass.
  ///
  /// - Parameter namesStore: whether flows name their store if there is one alone, too.
  func print(_ sources: [LogSource], _ index: IndexOption? = nil, namesStore: Bool = false) throws {
    let all = try FlowFinder(sources, index).flows(filter(), search.flatMap(SearchQuery.init))
    let found = all.naming(namesStore ? sources.first?.directory : nil)
    if found.flows.isEmpty {
      try FilterWords.check(filter()) { () throws -> any FactsSource in
        if let known = try index?.existing(for: sources) { return known }
        return try LogFacts.reading(sources)
      }
    }
    try print(found)
  }

  /// Prints what was found.
  func print(_ found: FlowFinder.Found) throws {
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
    if found.prunedRecords > 0 {
      let count = Quantity.count(Int(clamping: found.prunedRecords), "record was", "records were")
      Messages.say("\(count) pruned; flows that had no others are gone, and not listed.")
    }
    if flows.isEmpty, !filter().isEmpty || search != nil {
      Messages.say(
        found.count.map { "No flow passes these filters; there are \($0) without them." }
          ?? "No flow passes these filters.")
      throw ExitCode(ExitStatus.finding.rawValue)
    }
  }
}
