import ArgumentParser
import AuditReports
import EventStore

/// `auditctl verify`
struct VerifyCommand: ParsableCommand {
  private static let verdicts = [
    ("ok 0", "consistent, and anchored in a checkpoint whose key you pinned"),
    ("unanchored 10", "consistent; nothing pinned, or a demand is not met"),
    ("torn 11", "a torn tail; nothing that the log says was synced is lost"),
    ("altered 20", "synced bytes have changed"),
    ("truncated 21", "smaller than a checkpoint, or than demanded"),
    ("forked 22", "the size of a checkpoint fits, its root differs"),
    ("badSignature 23", "a checkpoint's signature does not hold"),
    ("missingSegment 24", "records between others are gone"),
    ("pruned 30", "consistent and anchored, ranges pruned"),
  ]
  private static let demands = """
    Exit 0 says that the log is anchored, not how far. --max-tail N: more than N records after the anchored ones are \
    unanchored (10). --min-size N: fewer than N records are truncated (21). --witness-key: the newest checkpoint that \
    anchors the log must have the cosignature of that witness (auditctl cosign; its public key is what auditctl \
    witness init prints), else unanchored (10), or badSignature (23) if it does not hold.
    """
  private static let memory = """
    --state FILE remembers the newest checkpoint that was verified, and is made by the first good verdict. A log that \
    does not contain it is truncated or forked, even if its own checkpoints are as old as it is. After any verdict \
    but ok and pruned the file stays as it is.
    """

  static let configuration = CommandConfiguration(
    commandName: "verify", abstract: "Check every checksum, hash, link and signature of a store.",
    discussion: """
      VERDICTS AND EXIT CODES
      \(HelpTable.text(verdicts))

      A pinned key may be the store's, one that handed the log over to it (auditctl keys rotate), or that of a log \
      which it was restored from: that anchors the records taken over.

      DEMANDS
      \(HelpTable.indented(demands))

      \(HelpTable.indented(memory))

      EXAMPLES
        auditctl verify --store audit --public-key audit.pub
        auditctl verify --store audit --public-key audit.pub --checkpoint noted.txt
        auditctl verify --store audit --public-key audit.pub --state audit.seen \\
          --max-tail 1000
        auditctl verify --store audit --public-key audit.pub \\
          --witness-key w1.pub
        auditctl verify --store audit --json | jq .verdict
      """)

  @OptionGroup var stores: DirectoriesOption
  @Option(help: ArgumentHelp("A checkpoint that was kept elsewhere: the log must contain it.", valueName: "FILE"))
  var checkpoint: String?
  @Option(
    help: ArgumentHelp("The public key to trust, as checkpoint keeps it beside the signing key.", valueName: "FILE"))
  var publicKey: String?
  @Option(parsing: .unconditional, help: ArgumentHelp("How many records may follow the anchored ones.", valueName: "N"))
  var maxTail: UInt64?
  @Option(parsing: .unconditional, help: ArgumentHelp("How many records the log must have.", valueName: "N"))
  var minSize: UInt64?
  @Option(
    name: .customLong("witness-key"), parsing: .singleValue,
    help: ArgumentHelp("The public key of a witness that must have cosigned. May be repeated.", valueName: "FILE|KEY"))
  var witnessKeys: [String] = []
  @Option(help: ArgumentHelp("A file that remembers the newest verified checkpoint.", valueName: "FILE"))
  var state: String?
  @OptionGroup var json: JSONFlag

  mutating func validate() throws {
    for (name, isGiven) in [("--checkpoint", checkpoint != nil), ("--state", state != nil)]
    where isGiven && stores.directories.count > 1 {
      throw ValidationError("\(name) is about one log: give one --store")
    }
    for (name, isGiven) in [
      ("--state", state != nil), ("--max-tail", maxTail != nil), ("--witness-key", !witnessKeys.isEmpty),
    ] where isGiven && publicKey == nil {
      throw ValidationError("\(name) is about what is anchored: give --public-key too")
    }
  }

  func run() throws {
    let key = try publicKey.map { try PinnedFile.publicKey($0) }
    let note = try checkpoint.map { try PinnedFile.checkpoint($0) }
    let demands = VerifyDemands(
      maxTail: maxTail, minSize: minSize, witnesses: try witnessKeys.map { try PinnedFile.witness($0) })
    if let state { try StorePlace.refuse(state) }
    let seen = state.map { VerifiedState(path: $0) }
    let output = Output()
    var verdicts: [VerifyReport.Verdict] = []
    for directory in try stores.required() {
      let remembered = try seen?.note()
      let verifier = Verifier(
        directory: directory, pinnedKey: key, pinnedCheckpoint: note, remembered: remembered)
      let report = demands.applied(to: try ProgressBar.during("Verifying") { try verifier.run(progress: $0) })
      let size = try seen.map { try advance($0, at: self.state ?? "", from: remembered, after: report) } ?? nil
      // The owner of the lost records is determined first.
      let isDamaged = [.altered, .missingSegment].contains(report.verdict)
      let damage = isDamaged ? try? LogDamage(reading: LogReader(directory: directory)) : nil
      let text = VerdictText(report, store: directory, remembered: size, damage: damage)
      if json.isOn {
        try output.json(text.json, of: stores.label(directory))
      } else {
        try output.lines(text.lines(width: Terminal.width, style: Terminal.style))
      }
      verdicts.append(report.verdict)
    }
    try output.end()
    throw ExitCode(VerifyReport.Verdict.gravest(of: verdicts).exitCode)
  }

  /// Remembers the newest checkpoint of a log that was found good.
  ///
  /// - Returns: how many records the one that is remembered now covers; nil for none.
  private func advance(
    _ state: VerifiedState, at place: String, from remembered: SignedNote?, after report: VerifyReport
  ) throws -> UInt64? {
    guard report.verdict == .ok || report.verdict == .pruned, let newest = report.anchors.max(by: { $0.size < $1.size })
    else { return remembered?.size }
    try Creation.of(place) { () throws(StoreError) in try state.advance(to: newest) }
    return max(newest.size, remembered?.size ?? 0)
  }
}
