import ArgumentParser
import AuditReports
import EventStore

/// `auditctl verify`
struct VerifyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify", abstract: "Check every checksum, hash, link and signature of a store.",
    discussion: """
      VERDICTS AND EXIT CODES
        ok 0             consistent, and anchored in a checkpoint whose key you pinned
        unanchored 10    consistent; nothing pinned
        torn 11          a torn tail; nothing known to be synced is lost
        altered 20       synced bytes have changed
        truncated 21     smaller than a checkpoint
        forked 22        the size of a checkpoint fits, its root differs
        badSignature 23  a checkpoint's signature does not hold
        missingSegment 24
        pruned 30        consistent and anchored, ranges pruned

      A pinned key may be the store's, one that handed the log over to it (auditctl keys rotate), or that of a log \
      which it was restored from: that anchors the records taken over.

      EXAMPLES
        auditctl verify --store audit --public-key audit.pub
        auditctl verify --store audit --public-key audit.pub --checkpoint noted.txt
        auditctl verify --store audit --json | jq .verdict
      """)

  @OptionGroup var stores: StoresOption
  @Option(help: ArgumentHelp("A checkpoint that was kept elsewhere: the log must contain it.", valueName: "FILE"))
  var checkpoint: String?
  @Option(
    help: ArgumentHelp("The public key to trust, as checkpoint keeps it beside the signing key.", valueName: "FILE"))
  var publicKey: String?
  @OptionGroup var json: JSONFlag

  mutating func validate() throws {
    guard stores.directories.count < 2 || checkpoint == nil else {
      throw ValidationError("--checkpoint is about one log: give one --store")
    }
  }

  func run() throws {
    let key = try publicKey.map { try PinnedFile.publicKey($0) }
    let note = try checkpoint.map { try PinnedFile.checkpoint($0) }
    let output = Output()
    var verdicts: [VerifyReport.Verdict] = []
    for directory in try stores.required() {
      let verifier = Verifier(directory: directory, pinnedKey: key, pinnedCheckpoint: note)
      let report = try ProgressBar.during("Verifying") { try verifier.run(progress: $0) }
      let text = VerdictText(report, store: directory)
      if json.isOn {
        try output.json(text.json, of: stores.label(directory))
      } else {
        try output.lines(text.lines(width: Terminal.width, style: Terminal.style))
      }
      verdicts.append(report.verdict)
    }
    try output.flush()
    throw ExitCode(VerdictText.gravest(of: verdicts).exitCode)
  }
}
