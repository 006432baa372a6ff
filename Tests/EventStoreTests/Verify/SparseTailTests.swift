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
    let writes = Count()
    let disk = PeculiarDisk(SystemDisk(), beforeWrite: { _ in writes.add() })
    let archive = StoreArchive(store.folder, disk: disk)
    #expect(throws: StoreError(.altered, "")) { try archive.restore(to: target, pinned: key) }
    // By pieces of a megabyte, the hole alone is eight thousand.
    #expect(writes.now > 0 && writes.now < 1_000)
    #expect(!FileManager.default.fileExists(atPath: target))
  }

  /// Counts from several threads.
  private final class Count: @unchecked Sendable {  // `value` is guarded by `lock`
    private let lock = NSLock()
    private var value = 0

    var now: Int { lock.withLock { value } }
    func add() { lock.withLock { value += 1 } }
  }

  @Test func `a backup leaves such a tail out, and does not copy it first`() throws {
    let steps = Count()
    _ = try Backup(of: archive.store).write(to: store.folder + "/copy", at: noon) { _, _ in steps.add() }
    // By pieces of a megabyte, the hole alone is eight thousand.
    #expect(steps.now > 0 && steps.now < 1_000)
    #expect(try records(in: store.folder + "/copy").count == 2)
  }

  @Test func `what is put aside of such a tail is not read`() throws {
    let layout = StoreLayout(archive.store)
    let segment = try #require(try store.segments(in: archive.store).last)
    let disk = WatchedDisk(SystemDisk())
    let start: UInt64 = 1 << 20
    let kept = try Quarantine(layout: layout, disk: SystemDisk()).keep(
      disk.open(segment, .read), first: 0, from: start)
    #expect(kept.bytes == size - start && disk.bytesRead < 64 << 20)
  }
}
