import ArgumentParser
import AuditReports
import EventStore
import FlowRecording

/// `auditctl evidence`
struct EvidenceCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "evidence", abstract: "Make a bundle of flows that a third party can check, or check one.",
    discussion: """
      The bundle is a ZIP file: the records byte for byte, the proof of each (RFC 6962), the signed checkpoint, a time \
      line to read, and a program in Python that checks all of it and needs nothing of this package.

      The options that choose flows and name the bundle (--store, --user, --since, --until, -o) are those of make: \
      auditctl help evidence make

      EXAMPLES
        auditctl evidence 01KAJ4 --store audit -o bundle.zip
        auditctl evidence --user ann@acme.example --store audit -o ann.zip
        auditctl evidence verify bundle.zip --public-key audit.pub
      """,
    subcommands: [Make.self, Verify.self], defaultSubcommand: Make.self)

  /// `auditctl evidence make`; the word `make` may be omitted.
  struct Make: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "make", abstract: "Make a bundle (the default).",
      discussion: """
        The records must be covered by a checkpoint: auditctl checkpoint signs one. A bundle is about one log: make \
        one for each store. Of the same log, flows and checkpoints the bundle has the same bytes. --checkpoint proves \
        the records in an earlier one that was kept elsewhere; the bundle then has the proof that the log has only \
        grown since.

        EXAMPLES
          auditctl evidence 01KAJ4 --store audit -o bundle.zip
          auditctl evidence 01KAJ4 --store audit --checkpoint noted.txt -o b.zip
          auditctl evidence --user ann@acme.example --since -7d --store audit \\
            -o ann.zip
        """)

    @OptionGroup var choice: EvidenceChoice
    @OptionGroup var store: StoreOption
    @Option(help: ArgumentHelp("An earlier checkpoint to prove the records in.", valueName: "FILE"))
    var checkpoint: String?
    @Option(name: .shortAndLong, help: ArgumentHelp("The bundle. Overwrites an existing file.", valueName: "FILE"))
    var output: String

    func run() throws {
      try choice.check()
      let note = try checkpoint.map { try PinnedFile.checkpoint($0) }
      let log = try LogReader(directory: store.directory)
      let streams = try choice.streams(of: log, checkpoint: note)
      guard !streams.isEmpty else {
        throw CommandFailure(.finding, "no flow passes these filters; list them with: auditctl flows --store DIR")
      }
      let output = Output()
      try output.line(choice.write(streams, of: log, to: self.output, checkpoint: note))
      try output.flush()
    }
  }

  /// `auditctl evidence verify`
  struct Verify: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "verify", abstract: "Check a bundle, without a store.",
      discussion: """
        Exits as verify does: ok 0, unanchored 10 (all holds, but no key is pinned, or the later checkpoint is of \
        another), altered 20, forked 22 (the two checkpoints are not of one log), badSignature 23. \
        What is no bundle, or one whose own check sums do not hold, exits with 65.

        EXAMPLES
          auditctl evidence verify bundle.zip --public-key audit.pub
          auditctl evidence verify bundle.zip --json | jq .verdict
        """)

    @Argument(help: ArgumentHelp("The bundle.", valueName: "FILE")) var file: String
    @Option(help: ArgumentHelp("The public key to trust.", valueName: "FILE")) var publicKey: String?
    @OptionGroup var json: JSONFlag

    func run() throws {
      let key = try publicKey.map { try PinnedFile.publicKey($0) }
      let bytes = try InputFile(path: file, content: "a bundle").bytes(limit: 1 << 30)
      let check: EvidenceCheck
      do throws(StoreError) {
        check = try EvidenceCheck(bytes, pinned: key)
      } catch {
        var error = error
        error.file = error.file ?? file
        throw error
      }
      let output = Output()
      if json.isOn {
        try output.json(check.json)
      } else {
        try output.line("\(check.verdict.shown(Terminal.style))  \(file.printable)")
        try output.lines(Paragraph.lines(check.reason.printable + ".", width: Terminal.width, lead: "  ", indent: 2))
        for flow in check.flows {
          let isOpen = check.open.contains { ByteName.isSame($0, flow) }
          try output.line("  flow     \(flow.printable)\(isOpen ? ", without its end" : "")")
        }
      }
      try output.end()
      throw ExitCode(check.verdict.exitCode)
    }
  }
}
