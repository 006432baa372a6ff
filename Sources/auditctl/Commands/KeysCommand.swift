import ArgumentParser
import AuditReports
import EventStore

/// `auditctl keys`
struct KeysCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "keys", abstract: "List the keys of a store, or hand it over to a new one.",
    discussion: """
      EXAMPLES
        auditctl keys --store audit
        auditctl keys --store audit --json | jq .current
        auditctl keys rotate --store audit --new-key /secure/audit-2027.key
      """,
    subcommands: [List.self, Rotate.self], defaultSubcommand: List.self)

  /// `auditctl keys list`
  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "List the key that signs and those that did.",
      discussion: """
        EXAMPLES
          auditctl keys list --store audit
        """)

    @OptionGroup var stores: DirectoriesOption
    @OptionGroup var json: JSONFlag

    func run() throws {
      let output = Output()
      let logs = try stores.open()
      for log in logs {
        let text = KeysText(log.identity)
        if json.isOn {
          try output.json(text.json, of: stores.label(log.directory))
        } else {
          if let label = stores.label(log.directory) { try output.line(label.printable) }
          try output.lines(text.lines(width: Terminal.tableWidth))
        }
      }
      try output.flush()
    }
  }

  /// `auditctl keys rotate`
  struct Rotate: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "rotate", abstract: "Hand the store over to a new key.",
      discussion: """
        Signs a checkpoint that names the new key with both keys and prints it. Who pinned the old public key verifies \
        the log on through that note; pin the new one nevertheless, and keep the note. Give the new key as \
        --signing-key from then on, or put it, with the .state file beside it, in the place of the old one. Keep the old key away, or destroy it.

        EXAMPLES
          auditctl keys rotate --store audit --new-key /secure/audit-2027.key
          auditctl keys rotate --store audit --signing-key old.key --new-key new.key
          auditctl keys rotate --store audit --new-key new.key \\
            --also /other-volume/checkpoints
        """)

    @OptionGroup var store: StoreOption
    @OptionGroup var signingKey: SigningKeyOption
    @Option(help: ArgumentHelp("The new key's file; made if it is missing.", valueName: "FILE")) var newKey: String
    @Option(help: ArgumentHelp("A directory that keeps a copy of the latest note.", valueName: "DIR")) var also: String?

    func run() throws {
      if let also { try StorePlace.refuse(also + "/note") }
      let identity = try LogReader(directory: store.directory).identity
      guard identity.publicKey != nil else {
        throw CommandFailure(
          .permission,
          "\(store.directory) has no key yet that could be rotated; sign with the one it is to have by auditctl checkpoint"
        )
      }
      let old = try StoreKey(
        at: signingKey.file, for: identity, store: store.directory, state: signingKey.state)
      let new = try StoreKey(at: newKey, for: identity, store: store.directory, isNext: true)
      let problem = SecondPlaceProblem()
      let log = try EventLog.open(at: store.directory, options: problem.options(also: also, signedBy: old.key))
      let note = try log.handOver(from: old.key, to: new.key)
      try log.close()
      let output = Output()
      try output.text(note.text)
      try output.flush()
      let pinned = new.publish()
      try problem.raise()
      if pinned, Terminal.canAsk { Messages.say("The public key to pin lies in \(new.publicFile.printable).") }
    }
  }
}
