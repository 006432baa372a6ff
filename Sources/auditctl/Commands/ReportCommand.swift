import ArgumentParser
import AuditReports
import EventStore
import ReadModel

/// `auditctl report`
struct ReportCommand: ParsableCommand, PagedCommand {
  static let configuration = CommandConfiguration(
    commandName: "report", abstract: "Answer a question from the log.",
    discussion: """
      --list names the reports, the question that each answers and the events that it is based on. Several stores are \
      read as one. docs/REPORTS.md explains the rules of push, spray, stuffing, guessing, theft, overlaps and shared, and what reasons and factors mean. \
      compare sets the time from --since to --until (default: the last week) beside the time before it, or that from --against; user needs \
      --user.

      --html is not a report: it writes the views of auditctl serve, of one store, into one file, which needs no \
      server and no network. It draws the flows that detections name and the latest ones, says what is left out, and \
      shows times in UTC.

      EXAMPLES
        auditctl report --list
        auditctl report summary --store audit --since today
        auditctl report failures --store audit --since -24h --place '203.0.113.*'
        auditctl report factors --store audit --client 'Portal 4.1'
        auditctl report people --store audit --limit 10
        auditctl report tokens --store audit --as-of 'yesterday 18:00'
        auditctl report compare --store audit --since 2026-01-19 \\
          --until 2026-01-25 --against 2026-01-05
        auditctl report push --store audit --fatigue-pushes 5
        auditctl report spray --store audit --attack-users 30 --attack-window 2h
        auditctl report guessing --store audit --guess-tries 20 --guess-window 1d
        auditctl report overlaps --store audit --overlap-window 5m
        auditctl report hours --store audit --work-hours 8-18 --tz Europe/Berlin
        auditctl report user --user ann@acme.example --store audit \\
          --format html > ann.html
        auditctl report sign-ins --store audit --since 'last week' \\
          --until 'last week' --tz local --format csv > week.csv
        auditctl report --html --store audit -o audit.html
        auditctl report --html --store audit --since -7d --flows 200 -o week.html
      """)

  @Argument(help: ArgumentHelp("The report; --list says what each is about.", valueName: "NAME"))
  var name: ReportName?
  @Flag(help: "List the reports and end.") var list = false
  @OptionGroup var stores: StoresOption
  @OptionGroup var options: ReportOptions
  @OptionGroup var file: WebFileOptions

  mutating func validate() throws {
    guard !list else { return }
    try options.check(name)
    if file.isAsked {
      guard name == nil else {
        throw ValidationError("--html has all views: leave out the name, or give --format html")
      }
      guard options.format == .text, options.times.place.given == nil else {
        throw ValidationError("--html is a format of its own, in UTC: give it without --json, --format and --tz")
      }
      guard options.limit == nil else {
        throw ValidationError("--html bounds its tables by itself: give it without --limit")
      }
      return
    }
    guard let name else { throw ValidationError("Missing expected argument '<NAME>'; report --list names them") }
    if name == .user, options.filters.users.isEmpty { throw ValidationError("report user needs the login: --user U") }
  }

  func run() throws {
    if file.isAsked, !list {
      return try file.write(stores.once(), options)
    }
    if name == .integrity { try stores.refuseKeepGoing(for: "integrity") }
    let output = Output()
    if list { try writeList(to: output) } else if let name { try options.write(name, of: stores.once(), to: output) }
    try output.flush()
  }

  private func writeList(to output: Output) throws {
    if options.format == .json {
      return try output.json([
        "reports": .array(
          ReportName.allCases.map { report in
            [
              "name": .string(report.rawValue), "question": .string(report.question),
              "events": .array(report.events.map(JSON.string)),
            ]
          })
      ])
    }
    let names = ReportName.allCases.map { $0.rawValue.count }.max() ?? 0
    for report in ReportName.allCases {
      let lead = report.rawValue.padded(to: names + 2)
      try output.lines(Paragraph.lines(report.question, width: Terminal.width, lead: lead))
      try output.lines(
        Paragraph.lines(
          "from " + report.events.joined(separator: ", "), width: Terminal.width,
          lead: String(repeating: " ", count: names + 2)))
    }
  }
}

extension ReportName: ExpressibleByArgument {}
extension ReportFormat: ExpressibleByArgument {}
