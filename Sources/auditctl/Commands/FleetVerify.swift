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
        enrolled with, and must contain the newest checkpoint that the fleet's store has of it. Verdicts and exit \
        codes are those of auditctl verify; the gravest counts. A host of which nothing was collected is unanchored.

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
      let roster = try folder.roster()
      let key = try publicKey.map { try PinnedFile.publicKey($0) }
      let own = try Verifier(directory: folder.store, pinnedKey: key).run()
      var verdicts = [own.verdict]
      var documents: [JSON] = []
      var lines = ["the fleet's own store: \(own.verdict.rawValue)"]
      for finding in own.findings { lines.append("  " + finding.message.printable) }
      for host in roster.hosts.values.sorted(by: { ($0.name, $0.store) < ($1.name, $1.store) }) {
        let report = try report(on: host, in: folder)
        // A retired host that never reported has nothing to be verified.
        guard report != nil || !host.isRetired else { continue }
        let verdict = report?.verdict ?? .unanchored
        verdicts.append(verdict)
        let checked = report.map { VerdictText($0, store: folder.host(host.store)).json }
        documents.append(
          .members([
            ("store", .string(host.store)), ("name", .string(host.name)), ("verdict", .string(verdict.rawValue)),
            ("records", checked?["records"] ?? .int(0)), ("anchored", checked?["anchored"] ?? .null),
            ("findings", checked?["findings"] ?? .array([])),
          ]))
        lines.append(
          "\(host.name.printable): \(verdict.rawValue), \(report?.records ?? 0) records"
            + (report?.anchoredSize.map { ", \($0) of them anchored" } ?? ""))
        for finding in report?.findings ?? [] { lines.append("  " + finding.message.printable) }
      }
      let gravest = VerifyReport.Verdict.gravest(of: verdicts)
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
            ), ("hosts", .array(documents)),
          ]))
      } else {
        try output.lines(lines)
        if key == nil { try output.line("Pin the key of the fleet's store with --public-key.") }
      }
      try output.flush()
      throw ExitCode(gravest.exitCode)
    }

    /// What the check of a copy found; nil if there is none.
    private func report(on host: Roster.Host, in folder: FleetFolder) throws -> VerifyReport? {
      do throws(StoreError) {
        return try Verifier(
          directory: folder.host(host.store), pinnedKey: host.key, remembered: host.checkpoint
        ).run()
      } catch {
        guard error.code == .notFound || error.code == .notAStore else { throw error }
        guard host.checkpoint != nil else { return nil }
        throw CommandFailure(
          .notFound,
          "the copy of \(host.name.printable) is gone, of which the fleet's store has a checkpoint; put it back")
      }
    }
  }
}
