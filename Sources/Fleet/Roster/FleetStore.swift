// The fleet's own store: a log like any other, so that the roster and the alarms are signed and cannot be rewritten
// unnoticed.
package import EventStore
import Glibc

/// Appends to the fleet's store. It is open only while something is appended, so that commands and a collector take
/// turns.
package struct FleetStore: Sendable {
  private let folder: FleetFolder
  private let keyFile: String?

  /// The store of a fleet, signed with the key in a file; nil is the usual place.
  package init(_ folder: FleetFolder, keyFile: String?) {
    self.folder = folder
    self.keyFile = keyFile
  }

  /// Appends records and signs the store, which is made if it does not exist. Waits up to five seconds while another
  /// process appends. Throws what opening and signing throw.
  package func append(_ records: [NewRecord]) throws(StoreError) {
    guard !records.isEmpty else { return }
    var attempts = 0
    while true {
      do throws(StoreError) {
        var options = LogOptions(checkpoints: CheckpointSchedule(keyFile: keyFile, every: nil, onClose: true))
        options.disk = folder.disk
        let log = try EventLog.open(at: folder.store, options: options)
        _ = try log.append(records)
        return try log.close()
      } catch {
        attempts += 1
        guard error.code == .locked, attempts < 50 else { throw error }
        _ = usleep(100_000)
      }
    }
  }
}
