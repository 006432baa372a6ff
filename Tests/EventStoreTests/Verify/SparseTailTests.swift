import Foundation
import Testing

@testable import EventStore

/// A last segment that someone made longer without writing a byte.
@Suite struct SparseTailTests {
  private let store: TemporaryStore
  private let archive: StoreArchive
  private let size: UInt64 = 8 << 30

  init() throws {
    store = try TemporaryStore()
    archive = StoreArchive(store.folder, disk: SystemDisk())
    let log = try EventLog.open(at: archive.store)
    pass(log, try log.append([record("a")]))
    try log.close()
    let segment = try #require(try store.segments(in: archive.store).last)
    try SystemDisk().open(segment, .update).truncate(to: size)
  }

  @Test func `a hole has no data, and what is before it has`() throws {
    let segment = try #require(try store.segments(in: archive.store).last)
    let file = try SystemDisk().open(segment, .read)
    #expect(try file.data(from: 0) == 0)
    #expect(try file.data(from: 1 << 30) == size)
    #expect(try file.data(from: size) == size)
    #expect(try file.data(from: size + 5) == size + 5)
  }

  @Test func `a tail that is a hole is torn, and is not read`() throws {
    let disk = WatchedDisk(SystemDisk())
    #expect(try Verifier(directory: archive.store, disk: disk).run(threads: 1).verdict == .torn)
    #expect(disk.bytesRead < 64 << 20)
    #expect(try records(in: archive.store).count == 2)
  }

  @Test func `a store with such a tail is not restored from an archive, and does not fill the disk`() throws {
    let key = try SigningKey(name: "any").verifier
    let target = store.folder + "/again"
    #expect(throws: StoreError(.altered, "")) { try archive.restore(to: target, pinned: key) }
    #expect(!FileManager.default.fileExists(atPath: target))
  }
}
