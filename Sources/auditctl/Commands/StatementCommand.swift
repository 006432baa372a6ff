import ArgumentParser
import AuditReports
import EventStore
import FlowRecording

/// `auditctl statement`
struct StatementCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "statement", abstract: "Sign what the log says about itself for a period, or check that.",
    discussion: """
      Lines of text, signed by the log's key: how many records the log had before and with the period, its roots, how \
      often it was recovered, pruned, handed over, had a gap or a step of the clock, how many events are lost, and \
      when nothing was recorded. Anyone who has the log can make the same lines again, and statement verify does.

      The options of a statement (--store, --since, --until, --signing-key, -o) are those of make: \
      auditctl help statement make

      EXAMPLES
        auditctl statement --store audit --since 2026-01-01 --until 2026-01-31 \\
          -o january.txt
        auditctl statement verify january.txt --store audit \\
          --public-key audit.pub
      """,
    subcommands: [Make.self, Verify.self], defaultSubcommand: Make.self)

  /// `auditctl statement make`; the word `make` may be omitted.
  struct Make: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "make", abstract: "Sign a statement (the default).",
      discussion: """
        The time is that of the records, and must be over. Of the same log and time the statement has the same bytes. A log that has \
        no checkpoint yet is not spoken for (exit 66), nor one that has fewer records than its key has signed, or others (exit 65 or 77).

        EXAMPLES
          auditctl statement --store audit --since 'last month' --until 'last month'
          auditctl statement --store audit --signing-key /secure/audit.key -o s.txt
        """)

    @OptionGroup var store: StoreOption
    @OptionGroup var times: TimeOptions
    @OptionGroup var signingKey: SigningKeyOption
    @Option(
      name: .shortAndLong, help: ArgumentHelp("Write it here. Overwrites an existing file.", valueName: "FILE"))
    var output: String?

    func run() throws {
      let log = try LogReader(directory: store.directory)
      try log.refuseShortfall()
      guard log.identity.publicKey != nil else {
        throw CommandFailure(
          .notFound, "\(store.directory.printable) has no checkpoint yet; sign one: auditctl checkpoint --store DIR")
      }
      let (since, until) = times.bounds()
      if let until, try !isOver(until, in: log) {
        throw CommandFailure(.usage, "--until \(until) has not come yet: what is not over cannot be stated")
      }
      let statement = try ProgressBar.during("Reading", .records) { progress in
        try PeriodStatement(of: log, since: since, until: until, progress: progress)
      }
      let key = try StoreKey(at: signingKey.file, for: log.identity, store: store.directory, state: signingKey.state)
      let text = try log.signedText(statement.body, by: key.key).text
      if let output { return try OutputFile(path: output).write(Array(text.utf8)) }
      let output = Output()
      try output.text(text)
      try output.flush()
    }

    /// Whether a time has passed, by this machine's clock or by the last record of the log.
    private func isOver(_ time: Timestamp, in log: LogReader) throws -> Bool {
      if time <= Timestamp.now() { return true }
      let records = try log.statistics().records
      guard records > 0 else { return false }
      var cursor = try log.cursor(from: records - 1)
      return try cursor.next().map { $0.at >= time } ?? false
    }
  }

  /// `auditctl statement verify`
  struct Verify: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "verify", abstract: "Check a statement against the log.",
      discussion: """
        Exits as verify does: ok 0, unanchored 10 (all holds, no key is pinned), altered 20 (it says what the log \
        does not), truncated 21, forked 22 (a root differs, or it is about another log), badSignature 23, pruned 30 (records \
        went since: size and roots alone were compared). What is no \
        statement exits with 65. Of the log it takes the roots that the log says: auditctl verify checks those.

        EXAMPLES
          auditctl statement verify s.txt --store audit --public-key audit.pub
          auditctl statement verify s.txt --store audit --json | jq .verdict
        """)

    @Argument(help: ArgumentHelp("The statement.", valueName: "FILE")) var file: String
    @OptionGroup var store: StoreOption
    @Option(help: ArgumentHelp("The public key to trust.", valueName: "FILE")) var publicKey: String?
    @OptionGroup var json: JSONFlag

    func run() throws {
      let key = try publicKey.map { try PinnedFile.publicKey($0) }
      let text = try PinnedFile.note(file)
      let log = try LogReader(directory: store.directory)
      let check: StatementCheck
      do {
        check = try StatementCheck(text, of: log, pinned: key)
      } catch var error as StoreError {
        if error.code == .malformed { error.file = error.file ?? file }
        throw error
      }
      let output = Output()
      if json.isOn {
        try output.json(check.json)
      } else {
        try output.line("\(check.verdict.shown(Terminal.style))  \(file.printable)")
        try output.lines(Paragraph.lines(check.reason.printable + ".", width: Terminal.width, lead: "  ", indent: 2))
        if let difference = check.difference {
          try output.line("  said     \((difference.said ?? "nothing").printable)")
          try output.line("  the log  \((difference.found ?? "nothing").printable)")
        }
      }
      try output.end()
      throw ExitCode(check.verdict.exitCode)
    }
  }
}
