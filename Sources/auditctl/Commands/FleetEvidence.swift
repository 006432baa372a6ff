import ArgumentParser
import AuditReports
import EventStore
import Fleet

extension FleetCommand {
  /// `auditctl fleet evidence`
  struct Evidence: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "evidence", abstract: "Make bundles of flows of any host that a third party can check.",
      discussion: """
        A bundle is of one host, whose key it is checked with: the records, the proof of each, the checkpoint with its \
        cosignatures, a time line, and a program that checks all of it. Chosen by --user, --since and --until, flows of \
        several hosts make a bundle each, HOST.zip in a folder.

        EXAMPLES
          auditctl fleet evidence 01KAJ4 --fleet fleet -o bundle.zip
          auditctl fleet evidence --user ann@acme.example --fleet fleet -o ann
          auditctl evidence verify ann/web-1.zip --public-key web-1.pub
        """)

    @OptionGroup var choice: EvidenceChoice
    @OptionGroup var fleet: FleetOption
    @Option(
      name: .shortAndLong,
      help: ArgumentHelp("The bundle of named flows; else the folder for one of each host.", valueName: "PATH"))
    var output: String

    func run() throws {
      try choice.check()
      var (copies, damage) = try fleet.readers()
      let output = Output()
      if choice.flows.isEmpty {
        damage = try writeEach(of: copies, to: output, orDamaged: damage)
      } else {
        do {
          try output.line(writeNamed(in: copies, orDamaged: damage))
        } catch let error as StoreError {
          guard error.code != .pruned else { throw error }
          // One of them is damaged further inside.
          (copies, damage) = try fleet.readers { log throws(StoreError) in try log.forEach { _ in } }
          try output.line(writeNamed(in: copies, orDamaged: damage))
        }
      }
      try output.flush()
      if let damage { throw damage }
    }

    /// Writes the bundle of flows that were named, of whichever host.
    private func writeNamed(
      in copies: [(host: Roster.Host, log: LogReader)], orDamaged damage: StoreError?
    ) throws -> String {
      var found: [FoundFlow<LogReader>] = []
      for flow in choice.flows {
        do {
          found.append(
            try FlowLookup.find(flow, in: copies.map(\.log), listing: "auditctl fleet flows --fleet DIR"))
        } catch let error as CommandFailure {
          // It may be a flow of the host whose copy cannot be read, or among records that are gone.
          for copy in copies { try copy.log.refuseShortfall() }
          throw (damage as (any Error)?) ?? error
        }
      }
      guard let log = found.first?.log, found.allSatisfy({ $0.log.directory == log.directory }) else {
        throw CommandFailure(
          .usage, "these flows are of several hosts, and a bundle is of one; make a bundle for the flows of each")
      }
      try log.refuseShortfall()
      var streams: [String] = []
      for flow in found where !streams.contains(where: { ByteName.isSame($0, flow.stream) }) {
        streams.append(flow.stream)
      }
      return try choice.write(streams, of: log, to: self.output)
    }

    /// Writes a bundle for each host that has flows that were chosen. An unreadable copy is reported and does not
    /// affect the others.
    ///
    /// - Returns: why the last of those cannot be read.
    private func writeEach(
      of copies: [(host: Roster.Host, log: LogReader)], to output: Output, orDamaged damage: StoreError?
    ) throws -> StoreError? {
      var (isEmpty, damage) = (true, damage)
      for (host, log) in copies {
        do {
          let streams = try choice.streams(of: log)
          guard !streams.isEmpty else { continue }
          if isEmpty { try BundleFolder.make(self.output) }
          isEmpty = false
          let file = BundleFolder.file(of: host, in: self.output)
          try output.line(choice.write(streams, of: log, to: file))
        } catch let error as StoreError {
          Messages.say("\(host.name) is left out: \(error.description)".printable)
          damage = error
        }
      }
      if isEmpty, damage == nil {
        throw CommandFailure(
          .finding, "no flow passes these filters; list them with: auditctl fleet flows --fleet DIR")
      }
      return damage
    }
  }
}
