import ArgumentParser
import AuditReports
import EventStore

/// `auditctl checkpoint`
struct CheckpointCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "checkpoint", abstract: "Sign the log as it is and print the note.",
    discussion: """
      The note says "this log has N records and this Merkle root" (C2SP tlog-checkpoint). Keep it, and the public key \
      that is beside the signing key, where the log's writer cannot change them: that is what verify pins. A store \
      that is being written is checkpointed by its writer; here it is locked (exit 75).

      --also keeps the note in a second place too, as <origin>.checkpoint, after comparing what is there: if that has \
      more records, or another root, nothing is signed (exit 65).

      The signing key remembers what it signed, in a file beside it. A log that has fewer records than that is \
      truncated, one with another root is forked, whatever the store says: neither is signed (exit 65). A store of \
      another id, or one that names no key although the key has signed it, is not signed either (exit 77). Keep the \
      file with the key; a copy of the key alone signs what it is given.

      EXAMPLES
        auditctl checkpoint --store audit > noted.txt
        auditctl checkpoint --store audit --signing-key /secure/audit.key
        auditctl checkpoint --store audit --also /other-volume/checkpoints
      """)

  @OptionGroup var store: StoreOption
  @OptionGroup var signingKey: SigningKeyOption
  @Option(help: ArgumentHelp("A directory that keeps a copy of the latest note.", valueName: "DIR")) var also: String?

  func run() throws {
    // A missing store must not be created by reading it.
    let identity = try LogReader(directory: store.directory).identity
    if let also { try StorePlace.refuse(also + "/note") }
    let key = try StoreKey(at: signingKey.file, for: identity, store: store.directory, state: signingKey.state)
    let problem = SecondPlaceProblem()
    let log = try EventLog.open(at: store.directory, options: problem.options(also: also, signedBy: key.key))
    let note = try log.checkpoint(with: key.key)
    try log.close()
    let output = Output()
    try output.text(note.text)
    try output.flush()
    let pinned = key.publish()
    try problem.raise()
    if Terminal.canAsk, pinned { Messages.say("The public key to pin lies in \(key.publicFile.printable).") }
  }
}
