// The files in a fleet's directory, and its own store.
package import EventStore

/// The directory of a fleet.
///
///     store/               the fleet's own store: the roster, alarms, checkpoints of hosts
///     hosts/<store id>/    copies of hosts' stores
///     evidence/            bytes that contradict a copy
///     witness/             what the collector cosigned
///     state.json           how far all is good
///     index/<day>/         where the flows of each user stand; a cache
package struct FleetFolder: Sendable {
  /// The directory, without slashes at its end.
  package let root: String
  package let disk: any Disk

  /// The layout under a directory.
  package init(_ directory: String, disk: any Disk) {
    var path = directory
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    root = path
    self.disk = disk
  }

  package var store: String { root + "/store" }
  package var hosts: String { root + "/hosts" }
  package var evidence: String { root + "/evidence" }
  package var witness: String { root + "/witness" }
  package var state: String { root + "/state.json" }
  package var index: String { root + "/index" }

  /// The copy of a host's store.
  package func host(_ store: String) -> String { hosts + "/" + store }

  /// Makes the folders that are missing. The directory's parent must exist.
  package func prepare() throws(StoreError) {
    for path in [root, hosts, evidence] { try disk.makeDurableDirectory(path) }
  }

  /// What is wrong with the copy of a host's store; nil if nothing is found. It looks at the directory of each segment
  /// and at the records of the last: only verifying finds a flipped bit in other records.
  ///
  /// - Parameter state: how much of it was verified and synced; nil if the collector's state does not know the host.
  package func damage(of store: String, after state: MirrorState?) -> String? {
    do throws(StoreError) {
      guard let state else { return try StoreMirror.unknownCopy(in: host(store), on: disk)?.description }
      guard state.size > 0 else { return nil }
      let records = try LogReader(directory: host(store), disk: disk).statistics().records
      guard records < state.size else { return nil }
      return "the copy has \(records) of the \(state.size) records that were collected"
    } catch {
      // If nothing was collected, there need not be a copy.
      return state == nil && error.code == .notFound ? nil : error.description
    }
  }

  /// The roster, from the beginning of the fleet's store.
  ///
  /// - Parameters:
  ///   - size: how many records of the store count, for instance those that a signature covers; nil for all.
  ///   - allowsShortfall: true if records may be missing from the end of the store: for a caller that verifies it.
  /// - Throws: `notFound` if there is no fleet; `truncated` if the store has fewer records than its newest checkpoint
  ///   covers, since hosts would be missing from the roster.
  package func roster(before size: UInt64? = nil, allowsShortfall: Bool = false) throws(StoreError) -> Roster {
    var roster = Roster()
    let reader: LogReader
    do throws(StoreError) {
      reader = try LogReader(directory: store, disk: disk)
    } catch {
      guard error.code == .notFound || error.code == .notAStore else { throw error }
      throw StoreError(
        .notFound, "this is no fleet's directory", file: root, advice: "enroll a host with auditctl fleet enroll")
    }
    if !allowsShortfall, let lack = try? reader.shortfall() {
      throw StoreError(
        .truncated, "the fleet's own store has \(lack.records) records, and its checkpoint covers \(lack.signed)",
        file: store, advice: "put the store back from a backup; auditctl fleet verify says what is missing")
    }
    var cursor = try reader.cursor()
    while let record = try cursor.next(), record.position < size ?? .max { roster.fold(record) }
    return roster
  }
}
