import ArgumentParser
import Glibc

/// `auditctl`: reads, checks, replays and reports what the flight recorder wrote.
@main
struct Auditctl: ParsableCommand {
  private static let exitCodes = """
    0 done; 1 a finding; 64 usage; 65 malformed data; 66 not there; 73 cannot create; 74 I/O error; 75 the store is \
    locked; 77 permission or key missing; 130 interrupted. verify has its own.
    """

  static let configuration = CommandConfiguration(
    commandName: "auditctl", abstract: "A flight recorder for sign-ins: record, verify, fold, replay, report.",
    discussion: """
      EXAMPLES
        auditctl demo
        auditctl flows --store audit
        auditctl verify --store audit --public-key audit.pub

      EXIT CODES
      \(HelpTable.indented(exitCodes))
      """,
    version: "0.1.0",
    subcommands: [
      DemoCommand.self, SimulateCommand.self, SignInCommand.self, DeviceCommand.self, TokenCommand.self,
      AppendCommand.self, CatCommand.self, FlowsCommand.self, SearchCommand.self, ShowCommand.self,
      IndexCommand.self, CorrelateCommand.self,
      VerifyCommand.self, CheckpointCommand.self, ExportCommand.self, ProveCommand.self, EvidenceCommand.self,
      StatementCommand.self, SealCommand.self, PruneCommand.self, BackupCommand.self, RestoreCommand.self,
      KeysCommand.self,
      WitnessCommand.self, CosignCommand.self, ShipCommand.self, CollectCommand.self, FleetCommand.self,
      ReplayCommand.self, DebugCommand.self, MinimiseCommand.self, PromoteCommand.self, CoverageCommand.self,
      BisectCommand.self, ImportCommand.self, ReportCommand.self, InfoCommand.self, DoctorCommand.self,
      ServeCommand.self, ExplainCommand.self, BenchCommand.self,
    ])

  static func main() async {
    Descriptors.reserve()
    Interruption.prepare()
    var pager: Pager?
    do {
      try CommandNames.check(CommandLine.arguments.dropFirst(), of: Auditctl.self)
      let arguments = RecordingNames.shortened(
        Array(CommandLine.arguments.dropFirst()), of: ReplayCommand.self)
      var command = try parseAsRoot(RelativeTimes.joined(arguments))
      try RepeatedOptions.check(CommandLine.arguments.dropFirst(), of: type(of: command))
      if type(of: command) is any PagedCommand.Type { pager = Pager.begin() }
      if var asynchronous = command as? any AsyncParsableCommand {
        try await asynchronous.run()
      } else {
        try command.run()
      }
      pager?.finish()
      try Salvages.finish()
    } catch {
      pager?.finish()
      Glibc.exit(end(report(of: error)))
    }
  }

  /// How a command ended. A read failure takes precedence over nothing being found in the rest.
  private static func report(of error: any Error) -> ErrorReport {
    let own = ErrorReport(error, of: Auditctl.self)
    guard !(error is OutputClosed) else { return own }
    do throws(CommandFailure) {
      try Salvages.finish()
      return own
    } catch {
      if let message = own.message { Messages.say("auditctl: \(message)") }
      return ErrorReport(error, of: Auditctl.self)
    }
  }

  /// Prints how a command ended.
  private static func end(_ report: ErrorReport) -> Int32 {
    if let help = report.help {
      let output = Output()
      do {
        try output.line(help)
        try output.flush()
      } catch is OutputClosed {
        return report.exitCode
      } catch {
        let failure = ErrorReport(error, of: Auditctl.self)
        Messages.say("auditctl: \(failure.message ?? "")")
        return failure.exitCode
      }
    }
    if let message = report.message { Messages.say("auditctl: \(message)") }
    return report.exitCode
  }
}
