import ArgumentParser
import AuditReports
import EventStore
import Fleet

extension FleetCommand {
  /// `auditctl fleet verify`
  struct Verify: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "verify", abstract: "Verify the fleet's store, and with its roster each host's copy.",
      discussion: """
        The key that is pinned is that of the fleet's store. Each copy is checked with the key that its host was \
        enrolled with, and must contain the newest checkpoint that the fleet's store has of it. With the key, only \
        records that it has signed name hosts and their keys. Verdicts and exit codes are those of auditctl verify; \
        the gravest counts. A host of which nothing was collected is unanchored. Without the key of the fleet's store, \
        so is each copy that nothing is wrong with: anyone may have named its key.

        EXAMPLES
          auditctl fleet verify --fleet fleet --public-key fleet.pub
          auditctl fleet verify --fleet fleet --public-key fleet.pub --json |
            jq '.hosts[] | {name, verdict}'
        """)

    @OptionGroup var fleet: FleetOption
    @Option(help: ArgumentHelp("The public key of the fleet's store.", valueName: "FILE")) var publicKey: String?
    @OptionGroup var json: JSONFlag

    func run() throws {
      let folder = fleet.folder
      let said = try folder.roster(allowsShortfall: true)
      let key = try publicKey.map { try PinnedFile.publicKey($0) }
      let own = try Verifier(directory: folder.store, pinnedKey: key).run()
      // A user who can write to the fleet's directory can append to its store, but cannot sign its records.
      let signed = try key == nil ? said : folder.roster(before: own.anchoredSize ?? 0, allowsShortfall: true)
      let checks = said.hosts.values.sorted(by: { ($0.name, $0.store) < ($1.name, $1.store) }).compactMap {
        HostCheck(signed.hosts[$0.store], said: $0, in: folder, isPinned: key != nil)
      }
      var lines = ["the fleet's own store: \(own.verdict.rawValue)"]
      if let anchored = own.anchoredSize, anchored < own.records {
        lines[0] += ", \(own.records) records, \(anchored) of them anchored"
      }
      for finding in own.findings { lines.append("  " + finding.message.printable) }
      lines += checks.flatMap(\.lines)
      let gravest = VerifyReport.Verdict.gravest(of: [own.verdict] + checks.map(\.verdict))
      let output = Output()
      if json.isOn {
        let fleet = VerdictText(own, store: folder.store).json
        try output.json(
          .members([
            ("verdict", .string(gravest.rawValue)),
            (
              "fleet",
              .members([
                ("verdict", .string(own.verdict.rawValue)), ("records", fleet["records"]),
                ("anchored", fleet["anchored"]), ("findings", fleet["findings"]),
              ])
            ), ("hosts", .array(checks.map(\.json))),
          ]))
      } else {
        try output.lines(lines)
        if key == nil { try output.line("Pin the key of the fleet's store with --public-key.") }
      }
      try output.end()
      if let failure = checks.lazy.compactMap(\.failure).first, [.ok, .unanchored, .pruned].contains(gravest) {
        throw failure
      }
      throw ExitCode(gravest.exitCode)
    }
  }
}
