import Testing

@testable import EventStore
@testable import Fleet

/// Archives: plain files of what was collected, and stores that are made of them again.
@Suite struct ArchiveTests {
  private let engine = MemoryTransport(seed: 1)
  private let host: StageHost
  private let collector: StageCollector

  init() throws {
    host = try StageHost(seed: 31)
    collector = try StageCollector(from: engine, seed: 32)
    try collector.start([host])
    try host.ship(to: engine)
    try grow()
  }

  private func grow() throws {
    try host.append(150)
    try host.sign()
    try host.append(5)
    try #require(try settle([host], [collector]))
  }

  private var archive: StoreArchive { StoreArchive("/archive", disk: collector.disk) }

  private func update() throws -> StoreArchive.Report {
    let state = try #require(collector.collector?.state.hosts[host.id]?.state)
    return try archive.update(from: collector.folder.host(host.id), upTo: state, pinned: host.key.verifier)
  }

  /// Every file under a directory, with its bytes.
  private func tree(_ directory: String, _ disk: MemoryDisk) throws -> [String: [UInt8]] {
    var found: [String: [UInt8]] = [:]
    for name in try disk.names(in: directory) {
      let path = directory + "/" + name
      if let bytes = try? disk.contents(of: path, limit: 1 << 30) {
        found[path] = bytes
      } else {
        found.merge(try tree(path, disk)) { $1 }
      }
    }
    return found
  }

  @Test func `an archive is the store byte for byte, and goes on with it`() throws {
    let first = try update()
    #expect(first.check.verdict == .ok && first.written > first.segments)
    #expect(try segmentFiles(of: archive.store, on: collector.disk) == host.files())
    let again = try update()
    #expect(again.written == 0 && again.bytes == 0 && again.check == first.check)
    _ = try host.log?.seal()
    try grow()
    let more = try update()
    #expect(more.check.verdict == .ok && more.tiles ?? 0 > first.tiles ?? 0)
    #expect(try segmentFiles(of: archive.store, on: collector.disk) == host.files())
    #expect(try segmentFiles(of: archive.store, on: collector.disk).count == more.segments)
    // What was written and is closed, is not written again: a new record costs the last segment, and checkpoints.
    try host.append(1)
    try #require(try settle([host], [collector]))
    #expect(try update().written == 1)
  }

  @Test func `the tiles are those of an export, and what was published stays`() throws {
    _ = try update()
    let before = try tree(archive.tiles, collector.disk)
    try grow()
    let report = try update()
    let after = try tree(archive.tiles, collector.disk)
    for (path, bytes) in before where !path.hasSuffix("/checkpoint") { #expect(after[path] == bytes, "\(path)") }
    let checkpoint = try #require(after[archive.tiles + "/checkpoint"])
    let note = try SignedNote(bytes: checkpoint, of: "checkpoint")
    #expect(note.size == report.tiles && note.size > 256)
    // The first tile of level 0 has the hashes of the first 256 records.
    let tile = try #require(after[archive.tiles + "/tile/0/000"])
    var frontier = MerkleFrontier()
    for start in stride(from: 0, to: tile.count, by: 32) {
      frontier.append(try #require(TreeHash(bytes: Array(tile[start..<start + 32]))))
    }
    #expect(try frontier == RootLookup(layout: StoreLayout(host.directory), disk: host.disk).frontier(at: 256))
  }

  @Test func `the power goes at any call, and the next run makes the archive whole`() throws {
    var calls = 1
    var isWhole = false
    while !isWhole {
      let disk = collector.disk.leftByCut()
      let directory = collector.folder.host(host.id)
      let state = try #require(collector.collector?.state.hosts[host.id]?.state)
      let archive = StoreArchive("/archive", disk: disk)
      disk.cutPower(afterCalls: calls)
      isWhole = (try? archive.update(from: directory, upTo: state, pinned: host.key.verifier)) != nil
      let rest = disk.afterCut()
      let report = try StoreArchive("/archive", disk: rest).update(
        from: directory, upTo: state, pinned: host.key.verifier)
      #expect(report.check.verdict == .ok)
      #expect(try segmentFiles(of: archive.store, on: rest) == host.files(), "after \(calls) calls")
      calls += 17
    }
    #expect(calls > 100)
  }

  @Test func `an archive of more, or of another log, is not touched`() throws {
    _ = try update()
    let before = try tree("/archive", collector.disk)
    let other = try StageHost(seed: 35)
    try other.append(10)
    try other.sign()
    let second = try StageCollector("c2", from: engine, seed: 36)
    try second.start([other])
    try other.ship(to: engine)
    try #require(try settle([other], [second]))
    // The other copy beside the first one's archive.
    let scratch = collector.disk
    for path in ["/fleet2", "/fleet2/segments", "/fleet2/checkpoints"] { try scratch.makeDurableDirectory(path) }
    for (path, bytes) in try tree(second.folder.host(other.id), second.disk) {
      let name = path.dropFirst(second.folder.host(other.id).count)
      let folder = "/fleet2" + name.prefix(upTo: name.lastIndex(of: "/") ?? name.startIndex)
      try scratch.replace("/fleet2" + name, with: bytes, in: folder)
    }
    let state = try #require(second.collector?.state.hosts[other.id]?.state)
    let error = #expect(throws: StoreError.self) {
      try archive.update(from: "/fleet2", upTo: state, pinned: other.key.verifier)
    }
    #expect(error?.code == .truncated || error?.code == .altered)
    #expect(try tree("/archive", collector.disk) == before)
  }

  @Test func `a bit that flipped in the archive is mended from the copy, and one in the tiles is said`() throws {
    _ = try update()
    let name = try #require(try host.files().keys.min())
    let path = archive.store + "/segments/" + name
    var bytes = try collector.disk.contents(of: path, limit: 1 << 30)
    bytes[bytes.count / 2] ^= 4
    try collector.disk.replace(path, with: bytes, in: archive.store + "/segments")
    #expect(try update().written == 1)
    #expect(try segmentFiles(of: archive.store, on: collector.disk) == host.files())
    let tile = archive.tiles + "/tile/entries/000.p/"
    let folder = String(tile.dropLast())
    let partial = try #require(try collector.disk.names(in: folder).first)
    var entries = try collector.disk.contents(of: tile + partial, limit: 1 << 30)
    entries[9] ^= 1
    try collector.disk.replace(tile + partial, with: entries, in: folder)
    let error = #expect(throws: StoreError.self) { try update() }
    #expect(error?.code == .altered && error?.file == tile + partial)
  }
}
