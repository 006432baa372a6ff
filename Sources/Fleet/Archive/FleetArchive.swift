// A fleet's copies as files that any web server can serve, and from which each host's store can be restored.
package import EventStore

/// The archive of a fleet: a directory that grows, and that any web server may serve as it is.
///
///     hosts.json                whose stores are here: name, key, records
///     <store id>/store/         the copy of the host's store, byte for byte
///     <store id>/tiles/         its records and hashes: C2SP tlog-tiles
package struct FleetArchive: Sendable {
  /// A host in it.
  package struct Entry: Sendable, Hashable {
    /// The id of its store.
    package var store: String
    /// What people call it.
    package var name: String
    /// The key that it was enrolled with.
    package var key: VerifierKey
    /// How many records are archived.
    package var records: UInt64
  }

  /// Its directory.
  package let root: String
  private let disk: any Disk

  /// The archive in a directory.
  package init(_ directory: String, disk: any Disk) {
    var path = directory
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    root = path
    self.disk = disk
  }

  private var index: String { root + "/hosts.json" }

  /// The archive of one store.
  package func archive(of store: String) -> StoreArchive { StoreArchive(root + "/" + store, disk: disk) }

  /// Makes the directory if it does not exist, and takes its lock, which is held as long as the returned object lives.
  /// Its parent must exist.
  ///
  /// Throws `cannotCreate` if something else is there, `locked` if another process is archiving.
  package func begin() throws(StoreError) -> FleetArchiveLock {
    try disk.makeDurableDirectory(root)
    let names = Set(try disk.names(in: root))
    guard names.contains("hosts.json") || names.subtracting(["LOCK", "hosts.json.tmp"]).isEmpty else {
      throw StoreError(
        .cannotCreate, "the directory is not empty and holds no archive", file: root,
        advice: "give an empty or a new directory")
    }
    if !names.contains("hosts.json") { try save([]) }
    let lock = try disk.open(root + "/LOCK", .updateOrCreate)
    guard try lock.lock() else {
      throw StoreError(.locked, "another process archives here", file: root, advice: "let it end first")
    }
    return FleetArchiveLock(lock)
  }

  /// Updates the archive of a host to what has been collected from it.
  package func update(
    _ host: Roster.Host, from folder: FleetFolder, upTo state: MirrorState
  ) throws(StoreError) -> StoreArchive.Report {
    let report = try archive(of: host.store).update(
      from: folder.host(host.store), upTo: state, pinned: host.key, remembered: host.checkpoint)
    var entries = try entries().filter { $0.store != host.store }
    entries.append(Entry(store: host.store, name: host.name, key: host.key, records: report.check.records))
    try save(entries)
    return report
  }

  /// The hosts that are archived, by name. Throws `notFound` if there is no archive, `malformed`.
  package func entries() throws(StoreError) -> [Entry] {
    let bytes: [UInt8]
    do throws(StoreError) {
      bytes = try disk.contents(of: index, limit: 16 << 20)
    } catch {
      guard error.code == .notFound else { throw error }
      throw StoreError(
        .notFound, "this is no archive of a fleet", file: root, advice: "give the directory of auditctl fleet archive")
    }
    let malformed = StoreError(
      .malformed, "hosts.json is not what an archive has there", file: index,
      advice: "archive the fleet again, which writes it anew if it is gone")
    guard let json = try? JSON(parsing: bytes), json["schema"]?.int == 1, let list = json["hosts"]?.array else {
      throw malformed
    }
    var found: [Entry] = []
    for host in list {
      guard let store = host["store"]?.string, FleetMessage.isStore(store), let name = host["name"]?.string,
        let key = host["publicKey"]?.string.flatMap({ try? VerifierKey(text: $0) }),
        let records = host["records"]?.position
      else { throw malformed }
      found.append(Entry(store: store, name: name, key: key, records: records))
    }
    return found
  }

  private func save(_ entries: [Entry]) throws(StoreError) {
    let hosts = entries.sorted { ($0.name, $0.store) < ($1.name, $1.store) }.map { entry in
      JSON.members([
        ("store", .string(entry.store)), ("name", .string(entry.name)), ("publicKey", .string(entry.key.description)),
        ("records", .number(entry.records)),
      ])
    }
    let json = JSON.members([("schema", .int(1)), ("hosts", .array(hosts))])
    let bytes = json.bytes + [0x0A]
    if let there = try? disk.contents(of: index, limit: 16 << 20), there == bytes { return }
    try disk.replace(index, with: bytes, in: root)
  }
}

/// The right to write to an archive.
package final class FleetArchiveLock {
  private let file: any DiskFile

  init(_ file: any DiskFile) { self.file = file }

  deinit { file.unlock() }
}
