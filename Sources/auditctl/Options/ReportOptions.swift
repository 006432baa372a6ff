import ArgumentParser
import AuditReports
import EventStore
import ReadModel

/// Of what a report is, and how it is written.
struct ReportOptions: ParsableArguments {
  @Option(help: ArgumentHelp("How to write it.", valueName: "text|json|csv|html")) var format: ReportFormat = .text
  @Option(
    name: .customLong("user"), parsing: .singleValue,
    help: ArgumentHelp("Flows of this login only.", valueName: "U"))
  var users: [String] = []
  @OptionGroup var times: TimeOptions
  @OptionGroup var limits: ThresholdOptions
  @OptionGroup var index: IndexOption
  @OptionGroup var json: JSONFlag

  /// Refuses what does not go together.
  func check() throws { try OnceOption.check("--user", users) }

  /// The flows that are asked for.
  var filter: FlowFilter {
    let (since, until) = times.bounds()
    return FlowFilter(user: users.first, since: since, until: until)
  }

  /// Writes a report on some sources.
  func write(_ name: ReportName, of sources: [LogSource], to output: Output) throws {
    let filter = filter
    let facts: any FactsSource =
      try index.existing(for: sources)
      ?? LogFacts.reading(
        sources, mentioning: name.extent == .everyone ? nil : filter.user, withTokens: name.extent == .personWithTokens)
    let format = json.isOn ? .json : format
    if name == .summary {
      let summary = try SignInSummary(facts, filter: filter)
      return format == .json
        ? try output.json(summary.json)
        : try output.text(summary.rendered(as: format, width: Terminal.width, zone: times.zone))
    }
    var request = ReportRequest(name, filter: filter, now: .now())
    request.thresholds = limits.thresholds
    request.zone = times.zone
    request.stores = try sources.compactMap { try $0.log.map { try StoreState($0) } }
    let report = try request.report(on: facts)
    switch format {
    case .json: try output.json(report)
    // Not as one text: a long table would be in memory once more.
    case .text:
      try report.forEachPieceOfText(width: Terminal.tableWidth, zone: times.zone) { try output.text($0) }
    case .csv, .html:
      try output.text(report.rendered(as: format, width: Terminal.tableWidth, zone: times.zone))
    }
  }
}
