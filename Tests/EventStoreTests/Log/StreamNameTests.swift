import Testing

@testable import EventStore

/// Streams differ by the bytes of their names, however long ago they were written to.
@Suite struct StreamNameTests {
  @Test func `a stream that others have driven out of the cache goes on where it was`() throws {
    let store = try TemporaryStore()
    let log = try EventLog.open(at: store.path, options: .init(durability: .os))
    _ = try log.append([record("old")])
    // Both halves of the cache of revisions are filled with others.
    for first in stride(from: 0, to: 33_000, by: 500) {
      _ = try log.append((first..<first + 500).map { record("other/\($0)") }, expecting: .fresh)
    }
    #expect(throws: StoreError(.conflict, "")) { try log.append([record("old")], expecting: .empty) }
    _ = try log.append([record("old")], expecting: .revision(0))
    // The log's own stream too.
    let key = try SigningKey(name: log.identity.origin)
    _ = try log.checkpoint(with: key)
    _ = try log.append([record(EventLog.ownStream, type: "log.noted")])
    try log.close()
    let reader = try LogReader(directory: store.path)
    #expect(try reader.records(of: "old").map(\.revision) == [0, 1])
    #expect(try reader.records(of: EventLog.ownStream).map(\.revision) == [0, 1])
    #expect(try Verifier(directory: store.path, pinnedKey: key.verifier).run().verdict == .ok)
  }

  @Test func `names that look the same and have other bytes are two streams, and two ids`() throws {
    let store = try TemporaryStore()
    let log = try EventLog.open(at: store.path)
    let names = ["caf\u{E9}", "cafe\u{301}", "a\u{323}\u{307}", "a\u{307}\u{323}"]
    for (index, name) in names.enumerated() {
      var one = record(name, "x")
      one.id = "id/" + name
      let ticket = try log.append([one])
      #expect(!ticket.isRepeat && ticket.positions == UInt64(index + 1)..<UInt64(index + 2))
      #expect(try log.append([one]).isRepeat)
    }
    // In one batch, neighbours or not.
    _ = try log.append(names.map { record($0) } + names.reversed().map { record($0) })
    try log.close()
    let reader = try LogReader(directory: store.path)
    for name in names {
      let found = try reader.records(of: name)
      #expect(found.map(\.revision) == [0, 1, 2])
      #expect(found.allSatisfy { $0.isOf(stream: Array(name.utf8)) })
    }
    #expect(try Verifier(directory: store.path).run().verdict == .unanchored)
    let again = try EventLog.open(at: store.path)
    for name in names { _ = try again.append([record(name)], expecting: .revision(2)) }
    try again.close()
  }
}
