import ArgumentParser
import AuditReports
import EventStore
import FlowRecording
import Fleet
import ReadModel

extension FleetCommand {
  /// `auditctl fleet index`
  struct Indexing: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "index", abstract: "Build one index of all copies, or bring it up to date.",
      discussion: """
        auditctl fleet flows, search and report then answer from it, and bring it up to date first. As with auditctl \
        index, it is a cache, holds personal data, and may be deleted. It is of the copies that there are: with a host \
        more, or less, it has to be built again, by this command.

        --by-day makes another one, for many hosts and long times: below the fleet's directory, in index/, a file for \
        each day and each 64th of the users, which says where the flows of a user stand. auditctl fleet flows --user \
        answers from it and reads the flows themselves from the copies. Hosts may come and go.

        EXAMPLES
          auditctl fleet index --fleet fleet
          auditctl fleet index --fleet fleet --by-day
          auditctl fleet index --fleet fleet --rebuild
        """)

    @OptionGroup var fleet: FleetOption
    @OptionGroup var index: IndexOptions
    @Flag(help: "Where the flows of each user stand, a file for each day and 64th of the users.") var byDay = false
    @OptionGroup var json: JSONFlag

    mutating func validate() throws {
      if byDay, index.file != nil {
        throw ValidationError("--index does not go with --by-day, whose files stand below the fleet's directory")
      }
    }

    func run() throws {
      let (copies, damage) = try fleet.readers()
      let logs = FleetOption.once(copies.map(\.log))
      FleetOption.warn(of: logs)
      if logs.isEmpty, let damage { throw damage }
      if byDay {
        try buildByDay(logs)
      } else {
        let place = index.file ?? IndexPlace.file(for: logs)
        try StorePlace.refuse(place)
        try IndexCommand.build(logs, at: place, isAnew: index.rebuild, asJSON: json.isOn)
      }
      if let damage { throw damage }
    }

    private func buildByDay(_ logs: [LogReader]) throws {
      let built = try ProgressBar.during("Indexing", .records) { progress in
        try DayIndex.open(logs, in: fleet.folder.index, mode: index.rebuild ? .rebuild : .make, progress: progress)
      }
      guard let built else { return }
      let statistics = try built.statistics()
      let output = Output()
      if json.isOn {
        try output.json([
          "index": .string(built.folder), "files": .int(statistics.files), "bytes": .int(statistics.bytes),
          "stores": .array(
            statistics.stores.map { ["store": .string($0.directory), "position": .number(String($0.position))] }),
        ])
      } else {
        try output.line(
          "\(built.folder.printable): \(Quantity.count(statistics.files, "file")), "
            + Quantity.size(UInt64(max(0, statistics.bytes))))
        for store in statistics.stores {
          try output.line("  \(store.directory.printable) up to record \(store.position)")
        }
      }
      try output.flush()
    }
  }
}
