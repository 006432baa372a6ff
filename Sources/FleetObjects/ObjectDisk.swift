// A bucket as the store's disk, so that the same code writes an archive there as into a directory. An object appears
// complete and durable with its PUT, or not at all: that is what the archive's draft and rename need from a disk.
import Crypto
package import EventStore
package import FlowRecording
import Glibc
import Synchronization

/// A place in a bucket, with the disk of this machine beside it: paths under `s3://` lead to the bucket, all others to
/// files.
///
/// For the bucket it supports what archives need. A draft stays in memory until it is renamed. Directories are the
/// parts of keys between slashes, and exist once one is made here or an object is in it. A lock excludes other
/// processes of this machine, but no other machine.
package final class ObjectDisk: Disk {
  /// The place at the beginning of all paths of the bucket.
  package let place: ObjectPlace
  private let client: ObjectClient
  private let local: any Disk
  private let locks: String
  private let state = Mutex(State())

  private struct State {
    var drafts: [String: ObjectDraft] = [:]
    var made: Set<String> = []
    var cache = BlockCache()
  }

  /// The disk of a place.
  ///
  /// - Parameters:
  ///   - local: the disk of all other paths.
  ///   - locks: the directory for files of locks on `local`; made when the first is taken.
  ///   - transport: nil connects with libcurl.
  package init(
    _ place: ObjectPlace, access: ObjectAccess, local: any Disk, locks: String, transport: (any Transport)? = nil,
    clock: @escaping @Sendable () -> Timestamp = { Timestamp.now() },
    pause: @escaping @Sendable (Double) -> Void = { ObjectDisk.wait($0) }
  ) {
    self.place = place
    self.local = local
    self.locks = locks
    client = ObjectClient(
      access: access, bucket: place.bucket, transport: transport ?? Self.transport(access), clock: clock, pause: pause)
  }

  /// Waits that many seconds.
  package static func wait(_ seconds: Double) { usleep(UInt32(max(0, min(seconds, 60)) * 1_000_000)) }

  private static func transport(_ access: ObjectAccess) -> any Transport {
    var configuration = CurlTransport.Configuration()
    // A segment has 64 MiB, and may be sent over a line of some Mbit/s.
    configuration.timeout = .seconds(600)
    if let file = access.authorities { configuration.certificateAuthorities = .file(file) }
    return CurlTransport(configuration)
  }

  /// Throws what is wrong with bucket, credentials, endpoint or region, before anything is read or written: `notFound`
  /// without the bucket, `permission`, `io`.
  package func check() throws(StoreError) {
    do throws(ObjectError) {
      let key = place.key(of: place.path) ?? ""
      _ = try client.names(under: key.isEmpty ? "" : key + "/")
    } catch {
      var problem = error.problem(with: place.path, at: client.access)
      if error == .noBucket { problem.code = .notFound }
      throw problem
    }
  }

  // MARK: Requests

  /// The key of a path, or nil if it is one of the local disk.
  private func key(_ path: String) throws(StoreError) -> String? {
    guard ObjectPlace.isOne(path) else { return nil }
    guard let key = place.key(of: path) else {
      throw StoreError(.invalid, "this is in another bucket", file: path, advice: "give a place in \(place.path)")
    }
    return key
  }

  private func asking<Answer>(
    _ path: String, _ ask: () throws(ObjectError) -> Answer
  ) throws(StoreError) -> Answer {
    do throws(ObjectError) { return try ask() } catch { throw error.problem(with: path, at: client.access) }
  }

  /// A block of an object that was opened before.
  func block(_ index: UInt64, of file: ObjectFile) throws(StoreError) -> [UInt8] {
    if let known = state.withLock({ $0.cache.block(index, of: file.key, file.tag) }) { return known }
    let size = BlockCache.blockBytes
    let part = try asking(file.path) { () throws(ObjectError) in
      try client.read(file.key, from: index * UInt64(size), count: size, only: file.tag)
    }
    guard let part, part.tag == file.tag else { throw ObjectError.changed.problem(with: file.path, at: client.access) }
    state.withLock { $0.cache.keep(part.bytes, index, of: file.key, part.tag, size: part.size) }
    return part.bytes
  }

  /// True if a key has another object than when the file was opened, or none.
  func isReplaced(_ file: ObjectFile) throws(StoreError) -> Bool {
    do throws(ObjectError) {
      let known = file.tag.isEmpty ? nil : file.tag
      guard let part = try client.read(file.key, from: 0, count: 1, unless: known) else { return false }
      return part.tag != file.tag || part.size != file.length
    } catch {
      if error == .noObject { return true }
      throw error.problem(with: file.path, at: client.access)
    }
  }

  // MARK: Files

  package func open(_ path: String, _ mode: OpenMode) throws(StoreError) -> any DiskFile {
    guard let key = try key(path) else { return try local.open(path, mode) }
    switch mode {
    case .read:
      if let draft = state.withLock({ $0.drafts[path] }) { return draft }
      return try opened(key, path)
    case .createNew:
      let draft = ObjectDraft(path)
      let isFirst = state.withLock { state in
        guard state.drafts[path] == nil else { return false }
        state.drafts[path] = draft
        return true
      }
      guard isFirst else { throw StoreError(.cannotCreate, "it is being written", file: path, advice: "try again") }
      return draft
    case .updateOrCreate: return try lockFile(path)
    case .update:
      throw StoreError(
        .unsupported, "an object cannot be changed in its place", file: path, advice: "use a directory for a store")
    }
  }

  /// The object of a key with its first block, unless that is still cached.
  private func opened(_ key: String, _ path: String) throws(StoreError) -> ObjectFile {
    let known = state.withLock { $0.cache.object(key) }
    let part = try asking(path) { () throws(ObjectError) in
      guard !key.isEmpty else { throw .noObject }
      return try client.read(key, from: 0, count: BlockCache.blockBytes, unless: known?.tag)
    }
    if let part {
      guard part.size > 0 else { return ObjectFile(path, key: key, tag: part.tag, length: 0, disk: self) }
      state.withLock { $0.cache.keep(part.bytes, 0, of: key, part.tag, size: part.size) }
      return ObjectFile(path, key: key, tag: part.tag, length: part.size, disk: self)
    }
    return ObjectFile(path, key: key, tag: known?.tag ?? "", length: known?.size ?? 0, disk: self)
  }

  /// The file on this machine that stands for the lock of a path in the bucket.
  private func lockFile(_ path: String) throws(StoreError) -> any DiskFile {
    var folder = ""
    for part in locks.split(separator: "/") {
      folder += (folder.isEmpty && !locks.hasPrefix("/") ? "" : "/") + part
      _ = try local.makeDirectory(folder)
    }
    let digest = SHA256.hash(data: Array((client.access.endpoint + " " + path).utf8))
    let name = digest.prefix(8).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    return try local.open(folder + "/archive-" + name + ".lock", .updateOrCreate)
  }

  // MARK: Directories

  package func entry(_ path: String, followingLinks: Bool) throws(StoreError) -> DiskEntry? {
    try key(path) == nil ? local.entry(path, followingLinks: followingLinks) : nil
  }

  /// Always false for a directory of the bucket, whose parent needs no sync.
  package func makeDirectory(_ path: String) throws(StoreError) -> Bool {
    guard try key(path) != nil else { return try local.makeDirectory(path) }
    state.withLock { _ = $0.made.insert(path) }
    return false
  }

  package func names(in directory: String) throws(StoreError) -> [String] {
    guard let key = try key(directory) else { return try local.names(in: directory) }
    let names = try asking(directory) { () throws(ObjectError) in
      try client.names(under: key.isEmpty ? "" : key + "/")
    }
    guard !names.isEmpty || key.isEmpty || state.withLock({ $0.made.contains(directory) }) else {
      throw StoreError(.notFound, "there is nothing", file: directory, advice: "check the path")
    }
    return names
  }

  package func rename(_ from: String, to: String) throws(StoreError) {
    guard let target = try key(to), let draft = state.withLock({ $0.drafts[from] }) else {
      guard try key(from) == nil, try key(to) == nil else {
        throw StoreError(
          .unsupported, "objects keep their names", file: from, advice: "use a directory for a store")
      }
      return try local.rename(from, to: to)
    }
    try asking(to) { () throws(ObjectError) in try client.put(draft.content, as: target) }
    state.withLock { state in
      state.drafts[from] = nil
      state.cache.forget(target)
    }
  }

  package func remove(_ path: String) throws(StoreError) {
    guard let key = try key(path) else { return try local.remove(path) }
    if state.withLock({ $0.drafts.removeValue(forKey: path) }) != nil { return }
    try asking(path) { () throws(ObjectError) in try client.remove(key) }
    state.withLock { $0.cache.forget(key) }
  }

  package func syncDirectory(_ path: String) throws(StoreError) {
    if try key(path) == nil { try local.syncDirectory(path) }
  }

  package func syncDirectories(_ paths: [String], and file: (any DiskFile)?) throws(StoreError) {
    let own = paths.filter { !ObjectPlace.isOne($0) }
    if own.isEmpty { try file?.sync() } else { try local.syncDirectories(own, and: file) }
  }
}
