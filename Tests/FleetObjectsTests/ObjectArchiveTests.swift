import FlowRecording
import Testing

@testable import EventStore
@testable import Fleet
@testable import FleetObjects

/// Archives in a bucket, over a storage in memory.
@Suite struct ObjectArchiveTests {
  private let stage: ArchiveStage
  private let bucket = MemoryBucket()

  init() throws { stage = try ArchiveStage() }

  private func disk() throws -> ObjectDisk { try objectDisk(in: bucket, local: stage.collector.disk) }

  private func restored() throws -> [String: [UInt8]] {
    try stage.restored(on: objectDisk(in: bucket, local: SystemDisk()))
  }

  /// The archived segments of the host.
  private var archived: [String: [UInt8]] {
    let prefix = "eu/\(stage.host.id)/store/segments/"
    return Dictionary(
      uniqueKeysWithValues: bucket.objects.filter { $0.key.hasPrefix(prefix) }
        .map { (String($0.key.dropFirst(prefix.count)), $0.value) })
  }

  @Test func `an archive grows with its copies, and only what changed is written`() throws {
    let first = try stage.update(on: disk())
    #expect(first.check.verdict == .ok && first.written > first.segments && first.tiles ?? 0 > 150)
    #expect(try archived == stage.host.files())
    #expect(!bucket.objects.keys.contains { $0.hasSuffix(".tmp") || $0.hasSuffix("LOCK") })
    bucket.fail { _, _ in nil }
    let again = try stage.update(on: disk())
    #expect(again.written == 0 && again.check == first.check)
    #expect(bucket.count("PUT") == 0 && bucket.count("DELETE") == 0)
    _ = try stage.host.log?.seal()
    try stage.grow()
    let more = try stage.update(on: disk())
    #expect(more.check.verdict == .ok && more.tiles ?? 0 > first.tiles ?? 0)
    #expect(try archived == stage.host.files())
    // One more record: the last segment, and how many records hosts.json says.
    try stage.host.append(1)
    try #require(try settle([stage.host], [stage.collector]))
    bucket.fail { _, _ in nil }
    #expect(try stage.update(on: disk()).written == 1)
    #expect(bucket.requests.filter { $0.method == "PUT" }.map { $0.url.split(separator: "/").last }.count == 2)
  }

  @Test func `a store is made of it again, byte for byte`() throws {
    _ = try stage.update(on: disk())
    #expect(try restored() == stage.host.files())
  }

  @Test func `the connection goes for good at any request, and the next run makes the archive whole`() throws {
    var limit = 0
    var isWhole = false
    while !isWhole {
      let bucket = MemoryBucket()
      let broken = limit
      // The request at the limit is carried out every other time, though no answer comes.
      bucket.fail { number, _ in
        number < broken ? nil : .lost(isDone: number == broken && broken % 2 == 0)
      }
      do {
        _ = try stage.update(on: objectDisk(in: bucket, local: stage.collector.disk))
        isWhole = true
      } catch let error as StoreError {
        #expect(error.code == .io && error.message.contains("no answer"), "\(error)")
      }
      bucket.fail { _, _ in nil }
      let disk = try objectDisk(in: bucket, local: stage.collector.disk)
      let report = try stage.update(on: disk)
      #expect(report.check.verdict == .ok, "after \(limit) requests")
      let prefix = "eu/\(stage.host.id)/store/segments/"
      for (name, bytes) in try stage.host.files() { #expect(bucket.objects[prefix + name] == bytes) }
      limit += 3
    }
    #expect(limit > 30)
  }

  @Test func `what someone changed in a bucket is found, and mended from the copy`() throws {
    _ = try stage.update(on: disk())
    let name = try #require(try stage.host.files().keys.min())
    let key = "eu/\(stage.host.id)/store/segments/" + name
    var bytes = try #require(bucket.objects[key])
    bytes[bytes.count / 2] ^= 4
    bucket.put(bytes, as: key)
    let error = #expect(throws: StoreError.self) { try restored() }
    #expect(error?.code == .altered || error?.code == .malformed)
    #expect(error?.file?.hasPrefix("s3://audit-archive/eu/\(stage.host.id)/store") == true)
    #expect(try stage.update(on: disk()).written == 1)
    #expect(try archived == stage.host.files())
    let tile = try #require(bucket.objects.keys.sorted().first { $0.contains("/tile/entries/") })
    var entries = try #require(bucket.objects[tile])
    entries[9] ^= 1
    bucket.put(entries, as: tile)
    let other = #expect(throws: StoreError.self) { try stage.update(on: disk()) }
    #expect(other?.code == .altered && other?.file == "s3://audit-archive/" + tile)
  }

  @Test func `two programs of one machine do not archive at once, and a bucket with other things is left alone`() throws
  {
    let archive = stage.archive(on: try disk())
    let lock = try archive.begin()
    #expect(throws: StoreError(.locked, "")) { try stage.archive(on: disk()).begin() }
    withExtendedLifetime(lock) {}
    let other = MemoryBucket()
    other.put([1], as: "eu/holiday.jpg")
    #expect(throws: StoreError(.cannotCreate, "")) {
      try stage.archive(on: objectDisk(in: other, local: stage.collector.disk)).begin()
    }
    #expect(other.objects.count == 1)
    let empty = MemoryBucket()
    #expect(throws: StoreError(.notFound, "")) {
      try stage.archive(on: objectDisk(in: empty, local: stage.collector.disk)).entries()
    }
  }
}
