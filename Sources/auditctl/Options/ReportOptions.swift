import ArgumentParser
import AuditReports
import EventStore
import ReadModel

/// The scope and output of a report.
struct ReportOptions: ParsableArguments {
  @Option(
    name: .customLong("format"),
    help: ArgumentHelp("How to write it (default: text).", valueName: "text|json|csv|html"))
  var givenFormat: ReportFormat?
  @OptionGroup var filters: FilterOptions
  @OptionGroup var times: TimeOptions
  @Option(parsing: .unconditional, help: ArgumentHelp("The first N rows of each table.", valueName: "N"))
  var limit: Int?
  @Option(
    name: .customLong("as-of"), parsing: .unconditional,
    help: ArgumentHelp("sessions, tokens: as they stood then (default: now, by all of the log).", valueName: "T"))
  var asOf: String?
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "compare: the beginning of the other time, which is as long (default: right before).", valueName: "T"))
  var against: String?
  @OptionGroup var limits: ThresholdOptions
  @OptionGroup var index: IndexOption
  @OptionGroup var json: JSONFlag

  /// How to write it, by either option.
  var format: ReportFormat { json.isOn ? .json : givenFormat ?? .text }

  /// Refuses incompatible options.
  func check(_ name: ReportName?) throws {
    if json.isOn, let givenFormat, givenFormat != .json {
      throw ValidationError("--json and --format \(givenFormat.rawValue) are two ways to write it; give one")
    }
    if let limit, limit < 1 { throw ValidationError("--limit \(limit) is under 1") }
    // Without a name all views are written to one file, which has all reports.
    if let name { try limits.check(name) }
    for (option, text) in [("--as-of", asOf), ("--against", against)] {
      guard let text else { continue }
      guard let name, option == "--as-of" ? [.sessions, .tokens].contains(name) : name == .compare else {
        throw ValidationError("\(option) is for report \(option == "--as-of" ? "sessions and tokens" : "compare")")
      }
      try TimeExpression.check(text, times.zone)
    }
  }

  /// The selected flows.
  var filter: FlowFilter { filters.filter(times) }

  private func request(_ name: ReportName, of sources: [LogSource]) throws -> ReportRequest {
    let now = Timestamp.now()
    var request = ReportRequest(name, filter: name.isOfFlows ? filter : filter.ofAllFlows, now: now)
    request.thresholds = limits.thresholds
    request.zone = times.zone
    request.stores = try sources.compactMap { try $0.log.map { try StoreState($0) } }
    // A day is meant to its end by the one, and from its beginning by the other.
    request.asOf = asOf.flatMap { TimeExpression($0, now: now, zone: times.zone)?.last }
    request.against = against.flatMap { TimeExpression($0, now: now, zone: times.zone)?.first }
    if let problem = request.problemOfAgainst { throw CommandFailure(.usage, problem) }
    return request
  }

  /// Writes a report on some sources.
  func write(_ name: ReportName, of sources: [LogSource], to output: Output) throws {
    let filter = name.isOfFlows ? filter : filter.ofAllFlows
    let facts = PassingFacts(
      try index.existing(for: sources)
        ?? LogFacts.reading(
          sources, mentioning: name.extent == .everyone ? nil : filter.user,
          withTokens: name.extent == .personWithTokens),
      asked: filter)
    var asked = filter
    var hasFindings = false
    if name == .summary {
      var summary = try SignInSummary(facts, filter: filter)
      try refuseUnknownWords(filter, facts, sources)
      summary.directories = sources.map(\.directory)
      let rules = summary.notes.count
      summary.notes += try Self.notes(of: sources) + facts.notes
      if let limit { summary = summary.limited(to: limit) }
      // A table for programs has no place for them.
      if format == .csv { Self.say(summary.notes.dropFirst(rules)) }
      try format == .json
        ? output.json(summary.json)
        : output.text(summary.rendered(as: format, width: Terminal.width, zone: times.zone))
    } else {
      var report = try request(name, of: sources).report(on: facts)
      try refuseUnknownWords(filter, facts, sources)
      report.stores = sources.map(\.directory)
      asked = report.filter
      hasFindings = name == .detections && report.tables.contains { !$0.rows.isEmpty }
      let rules = report.notes.count
      // Of these two, integrity says the one by itself and has a column for the other.
      if name != .integrity { report.notes += try Self.notes(of: sources) }
      if name.isOfFlows {
        report.notes += try facts.notes
      } else if let option = filters.given.first {
        report.notes.append("\(option) selects flows; this report is about the log itself, and leaves nothing out.")
      }
      if let limit { report = report.limited(to: limit) }
      // A table for programs has no place for them.
      if format == .csv { Self.say(report.notes.dropFirst(rules)) }
      switch format {
      case .json: try output.json(report)
      // Not as one text: a long table would be in memory once more.
      case .text:
        try report.forEachPieceOfText(width: Terminal.tableWidth, zone: times.zone) { try output.text($0) }
      case .csv, .html:
        try output.text(report.rendered(as: format, width: Terminal.tableWidth, zone: times.zone))
      }
      Freed.beside(report)
    }
    // What was found about a person may be in flows of others.
    guard name.isOfFlows, !hasFindings else { return }
    // A report may have chosen its time by itself.
    try sayIfNothingPasses(
      asked, asked == filter ? facts : PassingFacts(facts, asked: asked),
      withTokens: name.extent == .personWithTokens || name == .detections, output)
  }

  private func refuseUnknownWords(_ filter: FlowFilter, _ facts: PassingFacts, _ sources: [LogSource]) throws {
    guard !facts.haveOneThatPasses else { return }
    try FilterWords.check(filter) { () throws -> any FactsSource in
      if let known = try index.existing(for: sources) { return known }
      return try LogFacts.reading(sources)
    }
  }

  /// What a reader of any report has to know of the stores: that records are gone, or cannot be read. Asked for when
  /// they have been read.
  private static func notes(of sources: [LogSource]) throws -> [String] {
    try sources.flatMap { source -> [String] in
      switch source {
      case .store(let log): return try StoreState(log).notes
      case .damaged(let log):
        let known = (try? StoreState(log.log))?.notes ?? []
        return known + (log.damage?.sentences ?? []).map { "\(log.directory): \($0)." }
      case .recording: return []
      }
    }
  }

  private static func say(_ notes: some Sequence<String>) {
    for note in notes { Messages.say(note.printable) }
  }

  /// Reports if no flow matches. Exits 1 if none matches at any time.
  ///
  /// - Parameter withTokens: whether flows that name no one, but used tokens of the person's flows, match too.
  func sayIfNothingPasses(
    _ filter: FlowFilter, _ facts: PassingFacts, withTokens: Bool, _ output: Output
  ) throws {
    guard !filter.isEmpty, !facts.haveOneThatPasses else { return }
    func forEachFlow(_ filter: FlowFilter, _ body: (FlowFacts) -> Void) throws {
      try withTokens
        ? facts.forEachFlowOfPerson(filter, parts: filter.parts, body)
        : facts.forEachFlow(filter, parts: filter.parts, body)
    }
    // What the report read may be less: tokens alone.
    var hasOne = false
    try forEachFlow(filter) { _ in hasOne = true }
    if hasOne { return }
    var (first, last): (Timestamp?, Timestamp?)
    try forEachFlow(filter.ofAnyTime) { flow in
      first = min(first ?? flow.started, flow.started)
      last = max(last ?? flow.started, flow.started)
    }
    guard let first, let last else {
      guard !filter.members.isEmpty else { return Messages.say("There are no flows.") }
      try output.end()
      Messages.say("No flow passes these filters; see what there is with auditctl flows.")
      throw ExitCode(ExitStatus.finding.rawValue)
    }
    Messages.say(
      "No flow began in that time; \(filter.members.isEmpty ? "those of the log" : "those that pass the other filters") "
        + "began from \(times.zone.moment(first)) to \(times.zone.moment(last)) (\(times.zone.name)).")
  }
}
