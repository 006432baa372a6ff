import Testing

@testable import EventStore

/// A directory that leads to itself, as libFuzzer made one: who followed it read on for ever.
@Suite struct DirectoryChainTests {
  /// A store whose only segment has three closed frames, and its bytes with the directory of the second leading to itself.
  private func makeLoop() throws -> (store: TemporaryStore, path: String, bytes: [UInt8], place: UInt64) {
    let store = try TemporaryStore()
    for _ in 0..<3 {
      let log = try EventLog.open(at: store.path)
      pass(log, try log.append([record("a")]))
      try log.close()
    }
    let path = try #require(store.segments().first)
    var bytes = try bytes(of: path)
    let file = MemoryFile(bytes, path: path)
    let places = try FrameScan.frames(of: [.directory], in: file, from: 0).map {
      $0.body - UInt64(FooterPlace.headLength)
    }
    #expect(places.count == 3)
    var directory = try DirectoryChain.directory(at: places[1], of: file)
    directory.previous = places[1]
    directory.offset = places[1] + 1
    let frame = SkippableFrame(kind: .directory, body: directory.encoded).encoded
    bytes.replaceSubrange(Int(places[1])..<Int(places[1]) + frame.count, with: frame)
    return (store, path, bytes, places[1])
  }

  @Test func `no reader follows a directory to itself`() throws {
    let (store, path, bytes, place) = try makeLoop()
    let file = ImpatientFile(MemoryFile(bytes, path: path))
    let last = try #require(DirectoryChain.last(of: file, headEnd: FileHead(of: file).end).directory)
    #expect(last.previous == place)
    let error = #expect(throws: StoreError.self) { try DirectoryChain.directory(before: last, of: file) }
    #expect(error?.code == .malformed && error?.offset == place && error?.file == path)
    #expect(throws: StoreError(.malformed, "")) { try SegmentContents(directoriesOf: file, limit: nil) }
    #expect(throws: StoreError(.malformed, "")) { try SegmentContents(directoriesOf: file, limit: 3) }

    let disk = ImpatientDisk(base: OverlaidDisk(base: SystemDisk(), path: path, bytes: bytes))
    let reader = try LogReader(directory: store.path, disk: disk)
    for position: UInt64 in [1, 2] {
      #expect(throws: StoreError(.malformed, "")) {
        var cursor = try reader.cursor(from: position)
        _ = try cursor.next()
      }
    }
    #expect(throws: StoreError(.malformed, "")) { try reader.root(at: 1) }
    #expect(throws: StoreError(.malformed, "")) { try reader.forEachCursor(from: [0, 1]) { _, _ in } }
    let report = try Verifier(directory: store.path, disk: disk).run(threads: 1)
    #expect(report.verdict == .altered)
  }

  @Test func `a directory that reaches into the frame behind it is none`() throws {
    let (store, path, _, place) = try makeLoop()
    let file = MemoryFile(try withExtendedLifetime(store) { try bytes(of: path) }, path: path)
    var behind = try DirectoryChain.directory(at: place, of: file)
    let length = UInt64(SkippableFrame(kind: .directory, body: behind.encoded).encoded.count)
    behind.previous = place
    behind.offset = place + length
    #expect(try DirectoryChain.directory(before: behind, of: file)?.first == behind.first)
    behind.offset -= 1
    #expect(throws: StoreError(.malformed, "")) { try DirectoryChain.directory(before: behind, of: file) }
  }

  @Test func `a directory names each stream once`() throws {
    var frontier = MerkleFrontier()
    for index in 0..<2 { frontier.append(MerkleTree.leaf([UInt8(index)])) }
    var directory = FrameDirectory(
      previous: 0, offset: 100, length: 99, first: 0, count: 2, rawBytes: 200, synced: 0, frontier: frontier,
      streams: [
        .init(name: [0x61], firstRevision: 0, positions: [1]), .init(name: [0x61], firstRevision: 0, positions: [0]),
      ])
    #expect(throws: StoreError(.malformed, "")) { try FrameDirectory(body: directory.encoded) }
    directory.streams[1].name = [0x62]
    #expect(try FrameDirectory(body: directory.encoded) == directory)
  }

  @Test func `a directory has no more records than its frame has room for`() throws {
    var frontier = MerkleFrontier()
    for index in 0..<10 { frontier.append(MerkleTree.leaf([UInt8(index)])) }
    var directory = FrameDirectory(
      previous: 0, offset: 100, length: 99, first: 0, count: 10, rawBytes: 910, synced: 0, frontier: frontier,
      streams: [.init(name: [0x61], firstRevision: 0, positions: Array(0..<10))])
    #expect(try FrameDirectory(body: directory.encoded) == directory)
    directory.rawBytes = 909
    #expect(throws: StoreError(.malformed, "")) { try FrameDirectory(body: directory.encoded) }
    #expect(try FrameDirectory(body: directory.encoded, wantingStreams: false).count == 10)
    let shortest = #"{"n":0,"at":"2026-11-21T08:35:00.123456Z","stream":"s","rev":0,"type":"t","v":1,"data":{}}"#
    #expect(shortest.utf8.count == 90 && Envelope.shortestLine == 90)
    #expect(try Envelope(parsing: Array(shortest.utf8).span).position == 0)
  }
}

/// A file that is read a thousand times and no more.
private final class ImpatientFile: DiskFile, @unchecked Sendable {  // one thread reads it
  private let base: any DiskFile
  private var left = 1_000

  init(_ base: any DiskFile) { self.base = base }

  var path: String { base.path }
  func size() throws(StoreError) -> UInt64 { try base.size() }

  func read(at offset: UInt64, count: Int) throws(StoreError) -> [UInt8] {
    left -= 1
    guard left > 0 else { throw StoreError(.io, "read too often", file: path) }
    return try base.read(at: offset, count: count)
  }

  func write(_ bytes: Span<UInt8>, at offset: UInt64) throws(StoreError) { try base.write(bytes, at: offset) }
  func truncate(to size: UInt64) throws(StoreError) { try base.truncate(to: size) }
  func sync() throws(StoreError) { try base.sync() }
  func lock() throws(StoreError) -> Bool { try base.lock() }
  func unlock() { base.unlock() }
  func isReplaced() throws(StoreError) -> Bool { try base.isReplaced() }
  func isLockedElsewhere() throws(StoreError) -> Bool { try base.isLockedElsewhere() }
}

/// A disk of such files.
private struct ImpatientDisk: Disk {
  let base: OverlaidDisk

  func open(_ path: String, _ mode: OpenMode) throws(StoreError) -> any DiskFile {
    ImpatientFile(try base.open(path, mode))
  }

  func names(in directory: String) throws(StoreError) -> [String] { try base.names(in: directory) }
  func makeDirectory(_ path: String) throws(StoreError) -> Bool { try base.makeDirectory(path) }
  func rename(_ from: String, to: String) throws(StoreError) { try base.rename(from, to: to) }
  func remove(_ path: String) throws(StoreError) { try base.remove(path) }
  func syncDirectory(_ path: String) throws(StoreError) { try base.syncDirectory(path) }
}
