import ArgumentParser
import AuditReports
import EventStore
import Fleet

extension FleetCommand {
  /// `auditctl fleet archive`
  struct Archive: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "archive", abstract: "Bring an archive of all copies up to date: plain files for any web server.",
      discussion: """
        For each host that was collected: its store as files, byte for byte as it was collected, and its records and \
        hashes as C2SP tlog-tiles. What is there and the same stays; what is written is read back; then each \
        archived store is verified with the key that its host was enrolled with. It may run beside a collector, and \
        may be killed: run it again.

        DIR may be s3://BUCKET/PREFIX too: a bucket of Amazon S3, or of a storage that speaks its protocol. The \
        environment says who asks: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_SESSION_TOKEN with them; \
        AWS_REGION, AWS_ENDPOINT_URL and AWS_CA_BUNDLE are taken from there, too.

        An archive that has a checkpoint which a copy does not contain is not touched, and the exit code is 65.

        EXAMPLES
          auditctl fleet archive /srv/archive --fleet fleet
          auditctl fleet archive s3://audit-archive/eu --fleet fleet
          auditctl fleet archive /srv/archive --fleet fleet --json \\
            | jq '.hosts[] | {name, written}'
        """)

    @Argument(
      help: ArgumentHelp(
        "The archive's directory, made if it is not there; or its place in a bucket.", valueName: "DIR|URL"))
    var directory: String
    @OptionGroup var storage: StorageOption
    @OptionGroup var fleet: FleetOption
    @OptionGroup var json: JSONFlag

    func run() throws {
      let copies = try fleet.copies()
      let state = try CollectorState(of: fleet.folder)
      let archive = try storage.archive(at: directory)
      let lock = try archive.begin()
      var documents: [JSON] = []
      var lines: [String] = []
      var problems: [StoreError] = []
      for (host, _) in copies {
        guard let record = state?.hosts[host.store], record.state.size > 0 else { continue }
        do throws(StoreError) {
          let report = try archive.update(host, from: fleet.folder, upTo: record.state)
          documents.append(Self.document(report, of: host))
          lines.append(
            "\(host.name.printable): \(report.check.verdict.rawValue), \(report.check.records) records, "
              + "\(report.written) files written")
        } catch {
          problems.append(error)
          Messages.say("\(host.name.printable) was not archived: \(error.description.printable)")
        }
      }
      withExtendedLifetime(lock) {}
      let output = Output()
      if json.isOn {
        try output.json(.members([("archive", .string(directory)), ("hosts", .array(documents))]))
      } else {
        try output.lines(lines)
      }
      try output.end()
      if let problem = problems.first { throw ExitCode(ErrorReport(problem, of: Self.self).exitCode) }
    }

    private static func document(_ report: StoreArchive.Report, of host: Roster.Host) -> JSON {
      .members([
        ("store", .string(host.store)), ("name", .string(host.name)),
        ("verdict", .string(report.check.verdict.rawValue)), ("records", .number(String(report.check.records))),
        ("segments", .int(report.segments)), ("written", .int(report.written)),
        ("bytes", .number(String(report.bytes))), ("tiles", report.tiles.map { .number(String($0)) } ?? .null),
      ])
    }
  }

  /// `auditctl fleet restore`
  struct Restore: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "restore", abstract: "Make the store of a host again from an archive.",
      discussion: """
        The store has the same id, key and records as at the host, byte for byte; its checkpoints have the cosignatures \
        of the collector, too. It is verified before it has its name: with the public key that is given, else with the \
        one that the archive says the host was enrolled with.

        A host may go on with it if it has all that was collected: archive first. With less, auditctl ship stops and \
        says rolledBack, and auditctl restore makes a store of it that goes on under a new name.

        EXAMPLES
          auditctl fleet restore web-1 --from /srv/archive --into audit
          auditctl fleet restore web-1 --from s3://audit-archive/eu --into audit \\
            --public-key audit.pub
        """)

    @Argument(help: ArgumentHelp("The host's name, or the id of its store.", valueName: "HOST")) var host: String
    @Option(name: .customLong("from"), help: ArgumentHelp("The archive.", valueName: "DIR|URL")) var archive: String
    @OptionGroup var storage: StorageOption
    @Option(name: .customLong("into"), help: ArgumentHelp("The store's directory: new, or empty.", valueName: "STORE"))
    var target: String
    @Option(help: ArgumentHelp("The public key of the host's store.", valueName: "FILE")) var publicKey: String?
    @OptionGroup var json: JSONFlag

    func run() throws {
      let from = try storage.archive(at: archive)
      let found = try from.entries().filter { $0.store == host || $0.name == host }
      guard let entry = found.first else {
        throw CommandFailure(
          .notFound, "the archive \(archive.printable) has no host \(host.printable); its hosts.json lists them")
      }
      guard found.count == 1 else {
        let stores = found.map(\.store).joined(separator: " and ")
        throw CommandFailure(.usage, "\(host.printable) is the name of the stores \(stores); give one of these")
      }
      let key = try publicKey.map { try PinnedFile.publicKey($0) }
      let report = try from.archive(of: entry.store).restore(to: target, pinned: key ?? entry.key)
      if key == nil { Messages.say("Verified with the key that the archive names; --public-key pins one.") }
      let output = Output()
      if json.isOn {
        try output.json(
          .members([
            ("store", .string(entry.store)), ("name", .string(entry.name)), ("directory", .string(target)),
            ("verdict", .string(report.verdict.rawValue)), ("records", .number(String(report.records))),
            ("root", .string(report.root)),
          ]))
      } else {
        try output.line("\(target.printable): \(report.verdict.rawValue), \(report.records) records")
      }
      try output.flush()
    }
  }
}
