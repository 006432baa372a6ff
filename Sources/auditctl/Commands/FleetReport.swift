import ArgumentParser
import AuditReports
import EventStore
import Fleet

extension FleetCommand {
  /// `auditctl fleet report`
  struct Reporting: ParsableCommand, PagedCommand {
    static let configuration = CommandConfiguration(
      commandName: "report", abstract: "Answer a question from all copies, as auditctl report does from stores.",
      discussion: """
        The copies of all hosts are read as one, those of retired hosts too; auditctl report --list names the reports. \
        With an index, which auditctl fleet index makes, what was asked before is not read again. A copy that cannot \
        be read is left out, and said: exit 65.

        EXAMPLES
          auditctl fleet report sign-ins --fleet fleet --since -24h
          auditctl fleet report user --user ann@acme.example --fleet fleet
          auditctl fleet report theft --fleet fleet --format csv > theft.csv
        """)

    @Argument(help: ArgumentHelp("The report.", valueName: "NAME")) var name: ReportName
    @OptionGroup var fleet: FleetOption
    @OptionGroup var options: ReportOptions

    mutating func validate() throws {
      try options.check(name)
      if name == .user, options.filters.users.isEmpty { throw ValidationError("report user needs the login: --user U") }
    }

    func run() throws {
      try fleet.ask(options.index, write)
    }

    private func write(_ sources: [LogSource]) throws {
      let output = Output()
      try options.write(name, of: sources, to: output)
      try output.flush()
    }
  }
}
