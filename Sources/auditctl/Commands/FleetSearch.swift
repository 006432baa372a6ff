import ArgumentParser
import EventStore
import Fleet

extension FleetCommand {
  /// `auditctl fleet search`
  struct Search: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "search", abstract: "Find flows of all hosts by words, as auditctl search does of one.",
      discussion: """
        Each flow names its store: the copy of its host. With an index, which auditctl fleet index makes, the copies \
        are not read again. A copy that cannot be read is left out, and said: exit 65.

        EXAMPLES
          auditctl fleet search reqxsccVmC8y4mE8SA3A76XMxZf --fleet fleet
          auditctl fleet search ann E0000004 --fleet fleet --since -24h
        """)

    @OptionGroup var search: WordSearch
    @OptionGroup var fleet: FleetOption

    func run() throws { try fleet.ask(search.index) { try search.print($0, namesStore: true) } }
  }
}
