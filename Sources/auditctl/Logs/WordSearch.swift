import ArgumentParser
import AuditReports
import EventStore
import FlowRecording

/// Words that flows are searched for, and how those that have them are listed.
struct WordSearch: ParsableArguments {
  @Argument(help: ArgumentHelp("The words.", valueName: "WORDS")) var words: [String]
  @OptionGroup var filters: FilterOptions
  @OptionGroup var times: TimeOptions
  @OptionGroup var part: ListOptions
  @OptionGroup var index: IndexOption
  @OptionGroup var json: JSONFlag

  mutating func validate() throws {
    if SearchQuery(words.joined(separator: " ")) == nil {
      throw ValidationError("'\(words.joined(separator: " "))' has no letter and no digit; give words to search for")
    }
  }

  /// Prints the flows of some logs that have the words. Exits 1 if none has.
  ///
  /// - Parameter namesStore: whether flows name their store if there is one alone, too.
  func print(_ sources: [LogSource], namesStore: Bool = false) throws {
    guard let query = SearchQuery(words.joined(separator: " ")) else { return }
    let found = try FlowFinder(sources, index).flows(filters.filter(times), query)
      .naming(namesStore ? sources.first?.directory : nil)
    let flows = part.apply(to: found.flows)
    let output = Output()
    if json.isOn {
      for flow in flows { try output.json(flow.json) }
    } else if !flows.isEmpty {
      try output.lines(
        FlowTable.lines(
          flows, shortLength: found.shortLength, hasStores: found.hasStores, width: Terminal.tableWidth,
          order: part.sort, zone: times.zone))
    }
    try output.end()
    if flows.isEmpty {
      let isAlone = filters.filter(times).isEmpty
      Messages.say(isAlone ? "No flow has these words." : "No flow that passes these filters has these words.")
      throw ExitCode(ExitStatus.finding.rawValue)
    }
  }
}
