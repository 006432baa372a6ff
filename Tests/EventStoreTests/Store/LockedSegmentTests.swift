import Foundation
import Testing

@testable import EventStore

/// The segment that is written to is locked too: a LOCK can be removed.
@Suite struct LockedSegmentTests {
  private func expectRefused(
    _ path: String, _ what: String, on disk: any Disk = SystemDisk(), sourceLocation: SourceLocation = #_sourceLocation
  ) {
    var options = LogOptions()
    options.disk = disk
    let error = #expect(throws: StoreError.self, "\(what)", sourceLocation: sourceLocation) {
      try EventLog.open(at: path, options: options)
    }
    #expect(error?.code == .locked, "\(what): \(String(describing: error))", sourceLocation: sourceLocation)
  }

  @Test func `a second writer is refused although LOCK is gone, in each segment`() throws {
    let store = try TemporaryStore()
    let log = try EventLog.open(at: store.path, options: smallSegments(2 << 10))
    for round in 0..<6 {
      try fill(log, records: 40, from: 40 * round)
      try? FileManager.default.removeItem(atPath: store.path + "/LOCK")
      expectRefused(store.path, "round \(round)")
      expectRefused(store.path, "round \(round), with the LOCK of the first attempt")
    }
    #expect(try store.segments().count > 3)
    _ = try log.seal()
    expectRefused(store.path, "after sealing")
    #expect(StoreLock.isHeld(in: StoreLayout(store.path), on: SystemDisk()))
    try log.close()
    #expect(!StoreLock.isHeld(in: StoreLayout(store.path), on: SystemDisk()))
    try EventLog.open(at: store.path).close()
    #expect(try Verifier(directory: store.path).run().verdict == .unanchored)
    #expect(try records(in: store.path).count == 241)
  }

  @Test func `the lock goes along where a sync failed and another segment takes over`() throws {
    let disk = MemoryDisk(seed: 7)
    var options = LogOptions(origin: "moved", clock: { noon })
    options.disk = disk
    let log = try EventLog.open(at: "/audit", options: options)
    for round in 0..<3 {
      _ = try log.append([record("a", "\(round)")])
      disk.fail(.sync, number: 1, with: .io)
      try log.sync()
      try disk.remove("/audit/LOCK")
      expectRefused("/audit", "round \(round)", on: disk)
    }
    try log.close()
    try EventLog.open(at: "/audit", options: options).close()
  }

  @Test func `a segment that cannot be begun leaves the one before locked`() throws {
    for call in [MemoryDisk.Call.rename, .syncDirectory, .write] {
      let disk = MemoryDisk(seed: 8)
      var options = LogOptions(segmentBytes: 1 << 10, frameBytes: 300, origin: "stay", clock: { noon })
      options.disk = disk
      let log = try EventLog.open(at: "/audit", options: options)
      for number in 0..<40 {
        disk.fail(call, number: 2, with: .noSpace)
        if let ticket = try? log.append([record("a", "\(number * 7_919)")]) { _ = log.barrier(ticket) { _ in } }
        if number % 5 == 0 {
          try? disk.remove("/audit/LOCK")
          expectRefused("/audit", "\(call) \(number)", on: disk)
        }
      }
      try? log.close()
    }
  }

  @Test func `where the last segment goes to quarantine, the one before is locked`() throws {
    let store = try TemporaryStore()
    try makeSegments(in: store, records: 60)
    // As a crash leaves it: the segment's name without its content.
    try write([], to: StoreLayout(store.path).segment(61))
    let log = try EventLog.open(at: store.path, options: smallSegments())
    #expect(log.size == 63)
    try FileManager.default.removeItem(atPath: store.path + "/LOCK")
    expectRefused(store.path, "after quarantine")
    try log.close()
  }
}
