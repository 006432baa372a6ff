import ArgumentParser
import AuditReports

/// `auditctl report`
struct ReportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "report", abstract: "Count what happened.",
    discussion: """
      Several stores are counted together, with the flows of each.

      EXAMPLES
        auditctl report --list
        auditctl report summary --store audit --since today
        auditctl report summary --store audit --format html > summary.html
        auditctl report summary --store audit --since 'last week' \\
          --until 'last week' --tz local
      """)

  @Argument(help: ArgumentHelp("The report: summary.", valueName: "NAME")) var name: ReportName?
  @Flag(help: "List the reports and end.") var list = false
  @Option(
    name: .customLong("store"), parsing: .singleValue,
    help: ArgumentHelp("A store's directory. May be repeated.", valueName: "DIR"))
  var directories: [String] = []
  @Option(help: ArgumentHelp("How to write it.", valueName: "text|json|csv|html")) var format: ReportFormat = .text
  @OptionGroup var times: TimeOptions

  mutating func validate() throws {
    guard !list else { return }
    guard name != nil else { throw ValidationError("Missing expected argument '<NAME>'; report --list names them") }
    guard !directories.isEmpty else { throw ValidationError("Missing expected argument '--store <DIR>'") }
  }

  func run() throws {
    let output = Output()
    if list {
      for report in ReportName.allCases { try output.line("\(report.rawValue)  \(report.about)") }
    } else {
      let logs = try StoresOption.open(directories)
      let (since, until) = times.bounds()
      switch name {
      case .summary:
        let summary = SignInSummary(try LogFacts.reading(logs), filter: FlowFilter(since: since, until: until))
        if format == .json {
          try output.json(summary.json)
        } else {
          try output.text(summary.rendered(as: format, width: Terminal.width, zone: times.zone))
        }
      case nil: break
      }
    }
    try output.flush()
  }
}

extension ReportName: ExpressibleByArgument {}
extension ReportFormat: ExpressibleByArgument {}
