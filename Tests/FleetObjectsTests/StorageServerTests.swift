import Testing

@testable import EventStore
@testable import Fleet
@testable import FleetObjects

/// Archives in a bucket of a real server, which checks each signature and what its user may do.
@Suite(.serialized, .enabled(if: StorageServer.python != nil, "needs a server of S3: make test-objects"))
struct StorageServerTests {
  private let stage: ArchiveStage
  private let server: StorageServer

  init() throws {
    stage = try ArchiveStage()
    server = try StorageServer()
  }

  private func disk(of user: String = "archiver") throws -> ObjectDisk {
    try server.disk(of: user, local: stage.collector.disk)
  }

  private func restored(from server: StorageServer, by user: String = "archiver") throws -> [String: [UInt8]] {
    try stage.restored(on: server.disk(of: user, local: SystemDisk()))
  }

  private func writes() throws -> Int { try #require(try server.ask("writes")["writes"]?.int) }

  @Test func `archive, grow, archive again, restore byte for byte`() throws {
    try disk().check()
    let first = try stage.update(on: disk())
    #expect(first.check.verdict == .ok && first.written > first.segments && first.tiles ?? 0 > 150)
    let before = try writes()
    #expect(try stage.update(on: disk()).written == 0)
    #expect(try writes() == before)
    _ = try stage.host.log?.seal()
    try stage.grow()
    #expect(try stage.update(on: disk()).check.verdict == .ok)
    try stage.host.append(1)
    try #require(try settle([stage.host], [stage.collector]))
    let grown = try writes()
    #expect(try stage.update(on: disk()).written == 1)
    // The last segment and hosts.json.
    #expect(try writes() == grown + 2)
    // Whoever restores needs to read, and no more.
    #expect(try restored(from: server, by: "reader") == stage.host.files())
    let keys = try server.ask("keys")
    let segments = try stage.host.files()
    for (name, bytes) in segments {
      #expect(keys["eu/\(stage.host.id)/store/segments/\(name)"]?.int == bytes.count)
    }
  }

  @Test func `credentials, rights and buckets that are not right are said at once`() throws {
    let wrong = #expect(throws: StoreError.self) {
      try server.disk(secret: "not/the/secret", local: stage.collector.disk).check()
    }
    #expect(wrong?.code == .permission && wrong?.message.contains("SignatureDoesNotMatch") == true)
    let missing = #expect(throws: StoreError.self) {
      try server.disk(bucket: "no-such-bucket", local: stage.collector.disk).check()
    }
    #expect(missing?.code == .notFound && missing?.message.contains("no such bucket") == true)
    try disk(of: "reader").check()
    let denied = #expect(throws: StoreError.self) { try stage.update(on: disk(of: "reader")) }
    #expect(denied?.code == .permission && denied?.message.contains("AccessDenied") == true)
    #expect(try server.ask("keys") == .members([]))
  }

  @Test func `the connection is cut after any number of bytes, and the next run makes the archive whole`() throws {
    var limit = 2_000
    var cuts = 0
    while true {
      try server.ask("limit \(limit)")
      do {
        _ = try stage.update(on: disk())
        break
      } catch let error as StoreError {
        #expect(error.code == .io && error.message.contains("no answer"), "\(error)")
      }
      cuts += 1
      limit += 9_000
    }
    #expect(cuts > 2)
    try server.ask("open")
    #expect(try stage.update(on: disk()).written == 0)
    #expect(try restored(from: server) == stage.host.files())
  }

  @Test func `a server that is killed ends the run, and another one gets all`() throws {
    _ = try stage.update(on: disk())
    let disk = try disk()
    let lock = try stage.archive(on: disk).begin()
    server.kill()
    let error = #expect(throws: StoreError.self) { try disk.names(in: disk.place.path) }
    #expect(error?.code == .io && error?.message.contains("no answer") == true)
    withExtendedLifetime(lock) {}
    let other = try StorageServer()
    let whole = try other.disk(local: stage.collector.disk)
    #expect(try stage.update(on: whole).check.verdict == .ok)
    #expect(try restored(from: other) == stage.host.files())
  }

  @Test func `an object that someone changed is found, and mended from the copy`() throws {
    _ = try stage.update(on: disk())
    let name = try #require(try stage.host.files().keys.min())
    try server.ask("flip eu/\(stage.host.id)/store/segments/\(name)")
    let error = #expect(throws: StoreError.self) { try restored(from: server) }
    #expect(error?.code == .altered || error?.code == .malformed)
    #expect(try stage.update(on: disk()).written == 1)
    #expect(try restored(from: server) == stage.host.files())
  }
}
