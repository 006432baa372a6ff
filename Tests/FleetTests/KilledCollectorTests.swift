import Testing

@testable import EventStore
@testable import Fleet

/// A collector that is killed between what it reads and what it syncs, and then loses its power.
@Suite struct KilledCollectorTests {
  private let host: StageHost
  private let disk = MemoryDisk(seed: 32)
  private let directory = "/fleet/copy"

  init() throws {
    host = try StageHost(seed: 31)
    for path in ["/fleet", "/fleet/evidence"] { try disk.makeDurableDirectory(path) }
  }

  private func mirror(_ state: MirrorState?, on disk: MemoryDisk) throws -> StoreMirror {
    try StoreMirror(
      directory: directory, state: state, evidence: "/fleet/evidence", pinned: host.key.verifier, disk: disk)
  }

  /// The first segment of the host, as it is now.
  private func segment() throws -> [UInt8] { try #require(try host.files()[SegmentName.name(first: 0)]) }

  @Test func `a sealed segment that was swapped in and not synced is good when the copy is opened again`() throws {
    try host.append(20)
    try host.sign()
    while try host.files().count < 2 { try host.append(8) }
    var copy = try mirror(nil, on: disk)
    let identity = try host.disk.contents(of: host.directory + "/store.json", limit: 1 << 20)
    #expect(try copy.take(identity: identity, of: host.id) == .applied)
    let written = try segment()
    #expect(try copy.take(written, at: .start) == .applied)
    let before = try copy.sync()
    #expect(before.end.offset == UInt64(written.count) && before.signedSize == 21)

    try host.log?.sync()
    #expect(try host.log?.seal().sealed == 1)
    let sealed = try segment()
    #expect(sealed.count < written.count)
    #expect(try copy.take(sealed, at: MirrorPlace(segment: 0, form: .rewritten)) == .applied)

    // Killed before it synced: what the next process says of the copy, it may be held to by a power cut.
    copy = try mirror(before, on: disk)
    let said = copy.state
    #expect(said.size == before.size && said.signedSize == before.signedSize)
    let rest = disk.leftByCut()
    #expect(try segmentFiles(of: directory, on: rest) == segmentFiles(of: directory, on: disk))
    copy = try mirror(said, on: rest)
    #expect(copy.state == said)
    #expect(try segmentFiles(of: directory, on: rest) == [SegmentName.name(first: 0): sealed])
  }

  @Test(arguments: [false, true])
  func `a segment of which a power cut left the name alone is taken again, unless a checkpoint was there`(
    _ isSigned: Bool
  ) throws {
    try host.append(20)
    if isSigned { try host.sign() }
    let copy = try mirror(nil, on: disk)
    let identity = try host.disk.contents(of: host.directory + "/store.json", limit: 1 << 20)
    #expect(try copy.take(identity: identity, of: host.id) == .applied)
    #expect(try copy.take(try segment(), at: .start) == .applied)
    let before = try copy.sync()
    #expect(before.size > 0 && (before.signedSize > 0) == isSigned)
    // It was started again, and what the collector remembers is of before.
    try disk.open(directory + "/segments/" + SegmentName.name(first: 0), .update).truncate(to: 0)
    guard !isSigned else {
      #expect(throws: StoreError(.torn, "")) { try mirror(before, on: disk) }
      return
    }
    let again = try mirror(before, on: disk)
    #expect(again.state == MirrorState() && again.received == .start)
    #expect(try again.take(try segment(), at: .start) == .applied)
    #expect(try again.sync() == before)
  }

  @Test func `what took the place of a forged record and was not synced is good when the copy is opened again`() throws
  {
    try host.append(20)
    try host.sign()
    let signed = try segment()
    var copy = try mirror(nil, on: disk)
    let identity = try host.disk.contents(of: host.directory + "/store.json", limit: 1 << 20)
    #expect(try copy.take(identity: identity, of: host.id) == .applied)
    #expect(try copy.take(signed, at: .start) == .applied)
    // The next commit of someone else, and what the host has there.
    let other = try StageHost(cloneOf: host, disk: host.disk.leftByCut())
    try other.append(8, bytes: 200)
    try host.append(8)
    let forged = try #require(try other.files()[SegmentName.name(first: 0)])
    let place = MirrorPlace(segment: 0, offset: UInt64(signed.count))
    #expect(try copy.take(Array(forged[signed.count...]), at: place) == .applied)
    let before = try copy.sync()
    #expect(before.end.offset == UInt64(forged.count) && before.signedSize == 21)
    let own = Array(try segment()[signed.count...])
    guard case .conflict(_, isFork: false) = try copy.take(own, at: place) else {
      Issue.record("the forged record stays")
      return
    }
    #expect(try copy.take(own, at: place) == .applied)

    copy = try mirror(before, on: disk)
    let (said, path) = (copy.state, SegmentName.name(first: 0))
    let end = Int(said.end.offset)
    #expect(end > signed.count)
    let (there, rest) = (
      try segmentFiles(of: directory, on: disk), try segmentFiles(of: directory, on: disk.leftByCut())
    )
    #expect(rest[path]?.prefix(end) == there[path]?.prefix(end) && there[path]?.count == end)
  }
}
