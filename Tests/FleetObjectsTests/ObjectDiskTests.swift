import EventStore
import FlowRecording
import Testing

@testable import FleetObjects

/// A bucket as a disk, over a storage in memory.
@Suite struct ObjectDiskTests {
  private let bucket = MemoryBucket()
  private let pauses = Pauses()
  private let disk: ObjectDisk

  init() throws { disk = try objectDisk(in: bucket, pauses: pauses) }

  private func write(_ bytes: [UInt8], to name: String) throws {
    try disk.replace("s3://audit-archive/eu/" + name, with: bytes, in: "s3://audit-archive/eu")
  }

  private func content(_ name: String) throws -> [UInt8] {
    try disk.contents(of: "s3://audit-archive/eu/" + name, limit: 64 << 20)
  }

  @Test func `a draft becomes an object when it gets its name, in one request`() throws {
    let draft = try disk.open("s3://audit-archive/eu/a.tmp", .createNew)
    try draft.write([1, 2, 3, 4].span, at: 0)
    try draft.write([9, 9].span, at: 3)
    try draft.write([7].span, at: 6)
    try draft.truncate(to: 6)
    try draft.truncate(to: 8)
    try draft.sync()
    #expect(try draft.size() == 8 && draft.read(at: 2, count: 9) == [3, 9, 9, 0, 0, 0])
    #expect(throws: StoreError(.cannotCreate, "")) { try disk.open("s3://audit-archive/eu/a.tmp", .createNew) }
    #expect(bucket.requests.isEmpty)
    try disk.rename("s3://audit-archive/eu/a.tmp", to: "s3://audit-archive/eu/a")
    #expect(bucket.objects == ["eu/a": [1, 2, 3, 9, 9, 0, 0, 0]] && bucket.requests.count == 1)
    #expect(throws: StoreError(.notFound, "")) { try disk.open("s3://audit-archive/eu/a.tmp", .read) }
    // One that was abandoned leaves nothing.
    _ = try disk.open("s3://audit-archive/eu/b.tmp", .createNew)
    try disk.remove("s3://audit-archive/eu/b.tmp")
    #expect(bucket.count("DELETE") == 0 && bucket.objects.count == 1)
  }

  @Test func `a large object is read in blocks, each once`() throws {
    let bytes = (0..<(9 << 20)).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 13) }
    try write(bytes, to: "large")
    let file = try disk.open("s3://audit-archive/eu/large", .read)
    #expect(try file.size() == 9 << 20)
    let edge = UInt64(4 << 20)
    #expect(try file.read(at: edge - 3, count: 7) == Array(bytes[(4 << 20) - 3..<(4 << 20) + 4]))
    #expect(try file.read(at: 0, count: 64 << 20) == bytes)
    #expect(try file.read(at: 9 << 20, count: 1).isEmpty && file.read(at: (9 << 20) - 1, count: 5).count == 1)
    #expect(bucket.count("GET") == 3)
    // Opened again, the storage is asked if it is still the one, and nothing travels.
    #expect(try content("large") == bytes && bucket.count("GET") == 4)
    #expect(try !file.isReplaced())
  }

  @Test func `an object that is replaced while it is read is not mixed with the other`() throws {
    try write([UInt8](repeating: 1, count: 5 << 20), to: "a")
    let file = try disk.open("s3://audit-archive/eu/a", .read)
    bucket.put([UInt8](repeating: 2, count: 5 << 20), as: "eu/a")
    let error = #expect(throws: StoreError.self) { try file.read(at: 0, count: 5 << 20) }
    #expect(error?.code == .io && error?.message.contains("replaced") == true)
    #expect(try file.isReplaced())
    #expect(try content("a") == [UInt8](repeating: 2, count: 5 << 20))
    try disk.remove("s3://audit-archive/eu/a")
    #expect(try file.isReplaced())
  }

  @Test func `an object without bytes`() throws {
    try write([], to: "empty")
    let file = try disk.open("s3://audit-archive/eu/empty", .read)
    #expect(try file.size() == 0 && file.read(at: 0, count: 1).isEmpty && !file.isReplaced())
    try write([1], to: "empty")
    #expect(try file.isReplaced() && content("empty") == [1])
  }

  @Test func `names are those between slashes, from all pages`() throws {
    for name in ["eu/a", "eu/b/1", "eu/b/2", "eu/c", "eu/d/x/y", "eu/e", "eu/f", "eux", "eu/"] {
      bucket.put([1], as: name)
    }
    #expect(try disk.names(in: "s3://audit-archive/eu").sorted() == ["a", "b", "c", "d", "e", "f"])
    #expect(try disk.names(in: "s3://audit-archive").sorted() == ["eu", "eux"])
    #expect(throws: StoreError(.notFound, "")) { try disk.names(in: "s3://audit-archive/eu/none") }
    #expect(try !disk.makeDirectory("s3://audit-archive/eu/none"))
    #expect(try disk.names(in: "s3://audit-archive/eu/none").isEmpty)
    #expect(try disk.exists("s3://audit-archive/eu/b", in: "s3://audit-archive/eu"))
  }

  @Test func `other paths are those of the disk of this machine, and locks are there`() throws {
    let local = MemoryDisk(seed: 2)
    let disk = try objectDisk(in: bucket, local: local)
    try disk.makeDurableDirectory("/x")
    try disk.replace("/x/a", with: [1], in: "/x")
    #expect(try local.contents(of: "/x/a", limit: 9) == [1] && disk.names(in: "/x") == ["a"])
    let lock = try disk.open("s3://audit-archive/eu/LOCK", .updateOrCreate)
    #expect(try lock.lock())
    let other = try objectDisk(in: bucket, local: local).open("s3://audit-archive/eu/LOCK", .updateOrCreate)
    #expect(try !other.lock())
    let elsewhere = try objectDisk("s3://audit-archive/us", in: bucket, local: local)
      .open("s3://audit-archive/us/LOCK", .updateOrCreate)
    #expect(try elsewhere.lock())
    lock.unlock()
    #expect(try other.lock())
    #expect(try local.names(in: "/state/locks").count == 2 && bucket.requests.isEmpty)
  }

  @Test func `what objects cannot do is refused`() throws {
    try write([1], to: "a")
    #expect(throws: StoreError(.unsupported, "")) { try disk.open("s3://audit-archive/eu/a", .update) }
    #expect(throws: StoreError(.unsupported, "")) {
      try disk.rename("s3://audit-archive/eu/a", to: "s3://audit-archive/eu/b")
    }
    #expect(throws: StoreError(.invalid, "")) { try disk.open("s3://other-bucket/a", .read) }
    #expect(throws: StoreError(.permission, "")) {
      try disk.open("s3://audit-archive/eu/a", .read).write([1].span, at: 0)
    }
  }

  // MARK: Failures

  @Test(arguments: [
    MemoryBucket.Fault.status(503, "SlowDown"), .status(500, ""), .status(429, ""), .status(400, "RequestTimeout"),
    .lost(isDone: false), .lost(isDone: true),
  ])
  func `what passes is tried again, and each time signed`(fault: MemoryBucket.Fault) throws {
    bucket.fail { number, _ in number < 3 ? fault : nil }
    try write([5], to: "a")
    #expect(bucket.objects == ["eu/a": [5]] && bucket.count("PUT") == 4)
    #expect(pauses.all == [0.2, 0.5, 1])
    #expect(bucket.requests.allSatisfy { $0.headers.contains { $0.name == "Authorization" } })
  }

  @Test(arguments: [
    (MemoryBucket.Fault.status(503, "SlowDown"), StoreError.Code.io, "503, SlowDown", 5),
    (.lost(isDone: false), .io, "gives no answer", 5),
    (.status(403, "SignatureDoesNotMatch"), .permission, "SignatureDoesNotMatch", 1),
    (.status(403, "AccessDenied"), .permission, "AccessDenied", 1),
    (.status(403, "RequestTimeTooSkewed"), .permission, "clocks", 1),
    (.status(403, "<b>\u{1B}[2J"), .permission, "(403)", 1),
    (.status(404, "NoSuchBucket"), .io, "no such bucket", 1),
    (.status(301, "PermanentRedirect"), .io, "another region", 1),
    (.status(400, "AuthorizationHeaderMalformed"), .io, "another region", 1),
    (.status(400, "EntityTooLarge"), .io, "400, EntityTooLarge", 1),
    (.status(418, ""), .io, "418", 1),
  ])
  func `what does not pass is said in words of ours`(
    fault: MemoryBucket.Fault, code: StoreError.Code, words: String, tries: Int
  ) throws {
    bucket.put([1], as: "eu/a")
    bucket.fail { _, _ in fault }
    for attempt in [{ _ = try content("a") }, { try write([2], to: "a") }, { _ = try disk.names(in: disk.place.path) }]
    {
      let before = bucket.requests.count
      let error = #expect(throws: StoreError.self) { try attempt() }
      #expect(error?.code == code && error?.message.contains(words) == true, "\(String(describing: error))")
      #expect(error?.file?.hasPrefix("s3://audit-archive/eu") == true)
      // What the server wrote may hold credentials.
      #expect(error?.description.contains("said") == false && error?.description.contains("AKID") == false)
      #expect(bucket.requests.count - before == tries)
    }
    #expect(bucket.objects == ["eu/a": [1]])
  }

  @Test func `before anything else, what is wrong with bucket or credentials is found`() throws {
    try disk.check()
    bucket.fail { _, _ in .status(404, "NoSuchBucket") }
    #expect(throws: StoreError(.notFound, "")) { try disk.check() }
    bucket.fail { _, _ in .status(403, "InvalidAccessKeyId") }
    #expect(throws: StoreError(.permission, "")) { try disk.check() }
  }

  @Test(arguments: [
    ("Content-Range", nil), ("Content-Range", "bytes 0-9/5"), ("Content-Range", "bytes 0-2/4"),
    ("Content-Range", "bytes 1-4/5"), ("Content-Range", "bytes 0-3/99999999999999999999"),
    ("Content-Range", "bytes 0-3/400"), ("ETag", nil), ("ETag", ""),
  ])
  func `an answer that is another part, or of no object, is none`(name: String, value: String?) throws {
    bucket.put([1, 2, 3, 4], as: "eu/a")
    #expect(try content("a") == [1, 2, 3, 4])
    bucket.put([1, 2, 3, 4], as: "eu/a")
    bucket.fail { _, _ in
      .changed { response in
        var changed = response
        changed.headers = response.headers.filter { $0.name != name } + (value.map { [HTTPField(name, $0)] } ?? [])
        return changed
      }
    }
    let error = #expect(throws: StoreError.self) { try content("a") }
    #expect(error?.code == .io && error?.message.contains("cannot be used") == true)
  }

  @Test func `a list of another form, with what was not asked for, or without end, is refused`() throws {
    let list = { (inside: String) in "<ListBucketResult>" + inside + "</ListBucketResult>" }
    for text in [
      "", "<html/>", list("<Contents><Key>us/a</Key></Contents>"), list("<Contents/>"),
      list("<IsTruncated>true</IsTruncated><NextContinuationToken>x</NextContinuationToken>"),
    ] {
      bucket.fail { _, _ in .changed { _ in HTTPResponse(status: 200, body: Array(text.utf8)) } }
      let error = #expect(throws: StoreError.self) { try disk.names(in: disk.place.path) }
      #expect(error?.code == .io && error?.message.contains("cannot be used") == true, "\(text)")
    }
  }

  @Test func `a server that sends all instead of a part is understood`() throws {
    bucket.put([1, 2, 3, 4], as: "eu/a")
    bucket.fail { _, _ in .changed { HTTPResponse(status: 200, headers: $0.headers, body: $0.body) } }
    #expect(try content("a") == [1, 2, 3, 4])
  }
}
