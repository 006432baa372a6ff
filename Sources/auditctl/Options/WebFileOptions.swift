import ArgumentParser
import AuditReports
import EventStore
import Glibc
import ReadModel

/// One HTML file with the views of `auditctl serve`, instead of a report.
struct WebFileOptions: ParsableArguments {
  @Flag(name: .customLong("html"), help: "Instead of a report: the views of serve in one HTML file.")
  var isAsked = false
  @Option(name: .shortAndLong, help: ArgumentHelp("With --html: the file (default: stdout).", valueName: "FILE"))
  var output: String?
  @Option(help: ArgumentHelp("With --html: how many flows are drawn (default: 50).", valueName: "N")) var flows: Int?
  @Flag(name: .customLong("check"), help: "With --html: check every byte of the store.") var isChecked = false

  /// The maximum number of flows that are drawn: each takes some 50 KB.
  private static let mostFlows = 5_000

  mutating func validate() throws {
    guard isAsked || (output == nil && flows == nil && !isChecked) else {
      throw ValidationError("-o, --flows and --check go with --html; a report goes to stdout")
    }
    if let flows, !(0...Self.mostFlows).contains(flows) {
      throw ValidationError("--flows \(flows) is not within 0 and \(Self.mostFlows)")
    }
    if let output, output.isEmpty { throw ValidationError("-o is empty; give the file's name") }
  }

  /// Writes the file of one store. Exits 1 if no flow at any time passes the filter.
  func write(_ sources: [LogSource], _ options: ReportOptions) throws {
    guard sources.count == 1, let log = sources.first?.log else {
      throw CommandFailure(
        .usage, "--html is about one store as it stands: give one --store, no recording, and no --keep-going")
    }
    guard output != nil || isatty(STDOUT_FILENO) == 0 else {
      throw CommandFailure(.usage, "--html writes a file: add -o FILE")
    }
    try log.refuseShortfall()
    let filter = options.filter
    let facts: any FactsSource & Sendable = try options.index.existing(for: sources) ?? LogFacts.reading(sources)
    try FilterWords.check(filter) { facts }
    let choice = WebFile.Choice(
      filter: filter, flows: flows ?? 50, thresholds: options.limits.thresholds, isChecked: isChecked)
    let file = try WebFile(ReadBook(log: log, facts: facts), choice)
    let printed = Output()
    if let output {
      try OutputFile(path: output).write { output in try file.write { try output.text($0) } }
    } else {
      try file.write { try printed.text($0) }
      try printed.flush()
    }
    try options.sayIfNothingPasses(filter, PassingFacts(facts, asked: filter), withTokens: true, printed)
  }
}

/// Facts that were read once, so that all views of a file say the same.
private struct ReadBook: FactsBook {
  let log: LogReader
  let facts: any FactsSource & Sendable

  func read<Value>(_ body: (any FactsSource) throws -> Value) throws -> Value { try body(facts) }
}
