import ArgumentParser
import AuditReports
import EventStore
import ReadModel

extension FleetCommand {
  /// `auditctl fleet index`
  struct Indexing: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "index", abstract: "Build one index of all copies, or bring it up to date.",
      discussion: """
        auditctl fleet flows then answers from it, and brings it up to date first. As with auditctl index, it is a \
        cache, holds personal data, and may be deleted. It is of the copies that there are: with a host more, or less, \
        it has to be built again, by this command.

        EXAMPLES
          auditctl fleet index --fleet fleet
          auditctl fleet index --fleet fleet --rebuild
        """)

    @OptionGroup var fleet: FleetOption
    @OptionGroup var index: IndexOptions
    @OptionGroup var json: JSONFlag

    func run() throws {
      let (copies, damage) = try fleet.readers()
      let logs = copies.map(\.log)
      if logs.isEmpty, let damage { throw damage }
      let place = index.file ?? IndexPlace.file(for: logs)
      try StorePlace.refuse(place)
      try IndexCommand.build(logs, at: place, isAnew: index.rebuild, asJSON: json.isOn)
      if let damage { throw damage }
    }
  }
}
