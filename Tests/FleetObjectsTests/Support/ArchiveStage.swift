// A host, a collector that has its log, and what archives it.
import Foundation
import Testing

@testable import EventStore
@testable import Fleet
@testable import FleetObjects

struct ArchiveStage {
  let engine = MemoryTransport(seed: 1)
  let host: StageHost
  let collector: StageCollector

  init() throws {
    host = try StageHost(seed: 31)
    collector = try StageCollector(from: engine, seed: 32)
    try collector.start([host])
    try host.ship(to: engine)
    try grow()
  }

  /// More records, a checkpoint, and some that it does not cover, all collected.
  func grow() throws {
    try host.append(150)
    try host.sign()
    try host.append(5)
    try #require(try settle([host], [collector]))
  }

  func archive(on disk: ObjectDisk) -> FleetArchive { FleetArchive(disk.place.path, disk: disk) }

  /// Brings the archive up to date, as `auditctl fleet archive` does.
  func update(on disk: ObjectDisk) throws -> StoreArchive.Report {
    let archive = archive(on: disk)
    let lock = try archive.begin()
    defer { withExtendedLifetime(lock) {} }
    let state = try #require(collector.collector?.state.hosts[host.id]?.state)
    return try archive.update(
      try #require(collector.roster.hosts[host.id]), from: collector.folder, upTo: state)
  }

  /// The segments of a store that is made of the archive, by a disk that has files of this machine beside the bucket.
  func restored(on disk: ObjectDisk) throws -> [String: [UInt8]] {
    let archive = archive(on: disk)
    let target = NSTemporaryDirectory() + "restored-" + UUID().uuidString
    defer { try? FileManager.default.removeItem(atPath: target) }
    let entry = try #require(try archive.entries().first { $0.store == host.id })
    let report = try archive.archive(of: host.id).restore(to: target, pinned: entry.key)
    #expect(report.verdict == .ok && report.records == entry.records)
    var files: [String: [UInt8]] = [:]
    for name in try disk.names(in: target + "/segments") {
      files[name] = try disk.contents(of: target + "/segments/" + name, limit: 1 << 30)
    }
    return files
  }
}
