import ArgumentParser
import AuditReports
import EventStore
import Fleet
import ReadModel

/// `auditctl fleet`
struct FleetCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fleet", abstract: "Name the hosts of a fleet, and show what was collected of them.",
    discussion: """
      A fleet's directory has the copies that auditctl collect makes, and a store of its own: who must report, alarms, \
      checkpoints of the hosts. An auditor pins the key of that store alone.

      EXAMPLES
        auditctl fleet enroll --fleet fleet --public-key audit.pub --name web-1
        auditctl fleet status --fleet fleet
        auditctl fleet verify --fleet fleet --public-key fleet.pub
        auditctl fleet flows --fleet fleet --user ann@acme.example
      """,
    subcommands: [
      Enroll.self, Retire.self, States.self, Verify.self, Indexing.self, Flows.self, Show.self, Search.self,
      Reporting.self,
      Evidence.self, Archive.self, Restore.self, User.self,
    ])

  /// `auditctl fleet enroll`
  struct Enroll: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "enroll", abstract: "Name a host that must report, with the public key of its store.",
      discussion: """
        The first one makes the fleet's directory and its store, signed with a key of its own; the public half lies \
        beside that key. A host that is enrolled again gets the new name and key.

        EXAMPLES
          auditctl fleet enroll --fleet fleet --public-key audit.pub --name web-1
          auditctl fleet enroll --fleet fleet --public-key audit.pub --name web-1 \\
            --id 0123456789abcdef0123456789abcdef
        """)

    @OptionGroup var fleet: FleetOption
    @Option(help: ArgumentHelp("The public key of the host's store.", valueName: "FILE")) var publicKey: String
    @Option(help: ArgumentHelp("What people call the host.", valueName: "N")) var name: String
    @Option(help: ArgumentHelp("The id of its store, if its origin does not say it.", valueName: "ID"))
    var id: String?
    @OptionGroup var signingKey: SigningKeyOption

    mutating func validate() throws {
      guard !name.isEmpty, name.utf8.count <= 200, !name.unicodeScalars.contains(where: { $0.value < 0x20 }) else {
        throw ValidationError("--name is empty, over 200 bytes, or has control characters")
      }
    }

    func run() throws {
      let key = try PinnedFile.publicKey(publicKey)
      let usual = "flowrecorder-"
      let store = id ?? (key.name.hasPrefix(usual) ? String(key.name.dropFirst(usual.count)) : "")
      guard FleetMessage.isStore(store) else {
        if let id {
          throw CommandFailure(.usage, "'\(id.printable)' is no store's id; give it as auditctl info prints it")
        }
        throw CommandFailure(
          .usage, "the origin \(key.name.printable) does not say the store's id; give --id as auditctl info prints it")
      }
      let folder = fleet.folder
      try folder.prepare()
      if let other = try? folder.roster().active.first(where: { $0.name == name && $0.store != store }) {
        throw CommandFailure(
          .usage, "there is a host \(name.printable) already, with the store \(other.store); give another name")
      }
      let data = JSON.members([("name", .string(name)), ("publicKey", .string(key.description))])
      try FleetStore(folder, keyFile: signingKey.file).append([Roster.record(.enrolled, of: store, data, at: .now())])
      let identity = try LogReader(directory: folder.store).identity
      let own = try StoreKey(at: signingKey.file, for: identity, store: folder.store, state: signingKey.state)
      if own.publish(), Terminal.canAsk { Messages.say("The fleet's public key lies in \(own.publicFile.printable).") }
    }
  }

  /// `auditctl fleet retire`
  struct Retire: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "retire", abstract: "Say that a host no longer has to report; its copy stays.",
      discussion: """
        EXAMPLES
          auditctl fleet retire web-1 --fleet fleet
        """)

    @Argument(help: ArgumentHelp("The host's name, or the id of its store.", valueName: "STORE")) var store: String
    @OptionGroup var fleet: FleetOption
    @OptionGroup var signingKey: SigningKeyOption

    func run() throws {
      guard let host = try fleet.folder.roster().host(named: store), !host.isRetired else {
        throw CommandFailure(.notFound, "no host \(store.printable) has to report; see auditctl fleet status")
      }
      try FleetStore(fleet.folder, keyFile: signingKey.file).append([
        Roster.record(.retired, of: host.store, .members([]), at: .now())
      ])
    }
  }

  /// `auditctl fleet status`
  struct States: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "status", abstract: "A line for each host: what is collected of it, and its state.",
      discussion: """
        STATES AND EXIT CODES
          ok 0         all is collected and signed
          late 1       it has had more than is here for over a minute
          silent 1     nothing has come from it for two minutes
          unsigned 1   records have had no checkpoint for 15 minutes
          gap 1        bytes have been missing for a minute
          damaged 1    the copy lacks what was collected, or cannot be read
          rolledBack 21, forked 22
        The gravest counts. Copies are not read as a whole: that is auditctl fleet verify.

        EXAMPLES
          auditctl fleet status --fleet fleet
          auditctl fleet status --fleet fleet --json | jq '.hosts[].state'
          auditctl fleet status --fleet fleet --format prometheus
        """)

    /// The output format.
    enum Format: String, ExpressibleByArgument, CaseIterable {
      case text, json, prometheus
    }

    @OptionGroup var fleet: FleetOption
    @Option(help: ArgumentHelp("text, json or prometheus.", valueName: "F")) var format = Format.text
    @OptionGroup var json: JSONFlag

    func run() throws {
      let status = try FleetStatus(of: fleet.folder, at: .now())
      let output = Output()
      switch json.isOn ? .json : format {
      case .json: try output.json(status.json)
      case .prometheus: try output.lines(status.prometheus)
      case .text:
        let rows =
          [["host", "state", "records", "signed", "cosigned", "lag", "collected"]]
          + status.lines.map { line in
            [
              line.host.name.printable, line.state.rawValue, "\(line.record.state.size)",
              "\(line.record.state.signedSize)", "\(line.record.cosigned)", "\(line.lag) s",
              line.record.collected?.description ?? "-",
            ]
          }
        let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        for row in rows {
          let cells = zip(row, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }
          try output.line(String(cells.joined(separator: "  ").reversed().drop { $0 == " " }.reversed()))
        }
        for line in status.lines {
          if let damage = line.damage { Messages.say("\(line.host.name.printable): \(damage.printable)") }
        }
      }
      try output.end()
      throw ExitCode(status.gravest.exitCode)
    }
  }

  /// `auditctl fleet flows`
  struct Flows: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "flows", abstract: "List the flows of all hosts, as auditctl flows does of one.",
      discussion: """
        Each flow names its store: the copy of its host. Hosts that were retired are asked, too. With an index, which \
        auditctl fleet index makes, what was asked before is not read again; the one by day answers --user.

        EXAMPLES
          auditctl fleet flows --fleet fleet --user ann@acme.example
          auditctl fleet flows --fleet fleet --status lockedOut --since -24h --json
        """)

    @OptionGroup var fleet: FleetOption
    @OptionGroup var index: IndexOption
    @OptionGroup var listing: FlowListing

    func run() throws {
      if index.file == nil, listing.search == nil, listing.filters.users.first != nil, let found = try byDay() {
        return try listing.print(found)
      }
      // Without an index each copy was read for what is wrong with it, so no further check is needed.
      try fleet.ask(index) { try listing.print($0, index, namesStore: true) }
    }

    /// The flows of the user, found by the index by day; nil if there is none, or if it cannot be used.
    private func byDay() throws -> FlowFinder.Found? {
      do {
        guard let index = try fleet.dayIndex(self.index) else { return nil }
        let flows = try index.flows(listing.filter())
        let found = FlowFinder.Found(
          flows: flows, count: nil, shortLength: flows.map(\.identifier.count).max() ?? 0,
          hasStores: index.hasSeveralStores, pruned: 0)
        return found.naming(index.directories.first)
      } catch let error as ReadModelError {
        Messages.say("The index is not used: \(error.description.printable).")
      } catch let error as StoreError {
        Messages.say("The index is not used: \(error.description.printable)")
      }
      return nil
    }
  }

  /// `auditctl fleet show`
  struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "show", abstract: "Show a flow of any host, as auditctl show does.",
      discussion: """
        --prove adds, of each of its records, the proof that it is in the newest checkpoint that the host has signed, \
        and that checkpoint with its cosignatures: exit 1 if the checkpoint does not cover all of it, 65 if the key that \
        the host was enrolled with, or one that it handed over to, has not signed it.

        EXAMPLES
          auditctl fleet show 01KAJ4 --fleet fleet
          auditctl fleet show 01KAJ4 --fleet fleet --prove --json
        """)

    @Argument(help: ArgumentHelp("The flow.", valueName: "FLOW")) var flow: String
    @OptionGroup var fleet: FleetOption
    @OptionGroup var showing: FlowShowing
    @Flag(help: "Add proofs of inclusion and the cosigned checkpoint.") var prove = false

    func run() throws {
      let (copies, found) = try find()
      try showing.print(found)
      guard prove else { return }
      guard let host = copies.first(where: { $0.log.directory == found.log.directory })?.host else { return }
      let proof = try FlowProof(of: found.records, host: host, in: fleet.folder)
      let output = Output()
      if showing.json.isOn { try output.json(proof.json) } else { try output.lines(proof.lines) }
      try output.end()
      if !proof.isWhole { throw ExitCode(ExitStatus.finding.rawValue) }
    }

    /// Finds the flow in the copies that can be read: a damaged one hides the flows of no other host.
    private func find() throws -> (copies: [(host: Roster.Host, log: LogReader)], flow: FoundFlow<LogSource>) {
      func look(in copies: [(host: Roster.Host, log: LogReader)]) throws -> FoundFlow<LogSource> {
        try FlowLookup.find(
          flow, in: copies.map { LogSource.store($0.log) }, listing: "auditctl fleet flows --fleet DIR")
      }
      var (copies, damage) = try fleet.readers()
      do {
        return (copies, try look(in: copies))
      } catch let error as StoreError {
        guard error.code != .pruned else { throw error }
        // One of them is damaged further inside.
        (copies, damage) = try fleet.readers { log throws(StoreError) in try log.forEach { _ in } }
      } catch let error as CommandFailure {
        // It may be a flow of the host whose copy cannot be read.
        throw (damage as (any Error)?) ?? error
      }
      do {
        return (copies, try look(in: copies))
      } catch let error as CommandFailure {
        throw (damage as (any Error)?) ?? error
      }
    }
  }
}
