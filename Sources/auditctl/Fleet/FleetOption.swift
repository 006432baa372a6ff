import ArgumentParser
import AuditReports
import EventStore
import Fleet
import Foundation

/// The directory of a fleet.
struct FleetOption: ParsableArguments {
  @Option(help: ArgumentHelp("The fleet's directory.", valueName: "DIR")) var fleet: String

  /// Its layout.
  var folder: FleetFolder { FleetFolder(fleet, disk: SystemDisk()) }

  /// The active hosts' copies that are there, with the names of their hosts.
  ///
  /// - Throws: exit 66 if it is no fleet's directory, or nothing was collected.
  func copies() throws -> [(host: Roster.Host, directory: String)] {
    let folder = folder
    let known = Set((try? folder.disk.names(in: folder.hosts)) ?? [])
    let found = try folder.roster().hosts.values.sorted { ($0.name, $0.store) < ($1.name, $1.store) }
      .filter { known.contains($0.store) }.map { ($0, folder.host($0.store)) }
      .filter { (try? folder.disk.exists($0.1 + "/store.json", in: $0.1)) == true }
    guard !found.isEmpty else {
      throw CommandFailure(.notFound, "nothing was collected in \(fleet.printable); run auditctl collect")
    }
    return found
  }

  /// All copies, if there is an index of them: it was made by reading each, and only what is new is read now.
  func indexed(_ index: IndexOption) throws -> [LogSource]? {
    guard !index.isIgnored else { return nil }
    let logs = try copies().compactMap { try? LogReader(directory: $0.directory) }
    guard FileManager.default.fileExists(atPath: index.place(of: logs)) else { return nil }
    return logs.map { .store($0) }
  }
}
