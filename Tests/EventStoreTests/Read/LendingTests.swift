// Records that are looked at where they were decoded: the same ones that a cursor gives.
import Foundation
import Testing

@testable import EventStore

@Suite struct LendingTests {
  private let store: TemporaryStore
  private let all: [StoredRecord]

  init() throws {
    store = try TemporaryStore()
    try makeSegments(in: store, records: 400)
    all = try records(in: store.path)
  }

  private func lent(from position: UInt64? = nil, count: Int = .max, sourceLocation: SourceLocation = #_sourceLocation)
    throws -> [StoredRecord]
  {
    var found: [StoredRecord] = []
    try LogReader(directory: store.path).forEachRecord(from: position) { record, line in
      let stored = try StoredRecord(line: (0..<line.count).map { line[$0] })
      #expect(
        record.position == stored.position && record.revision == stored.revision && record.at == stored.at,
        sourceLocation: sourceLocation)
      #expect(record.version == stored.version && record.cause == stored.cause, sourceLocation: sourceLocation)
      #expect(record.stream(in: line) == stored.stream, sourceLocation: sourceLocation)
      #expect(
        record.isOf(stream: stored.stream, in: line) && record.isOf(type: stored.type, in: line),
        sourceLocation: sourceLocation)
      #expect(
        !record.isOf(stream: stored.stream + "x", in: line) && !record.isOf(type: "x", in: line),
        sourceLocation: sourceLocation)
      #expect(Array(stored.line[record.data]) == Array(stored.data), sourceLocation: sourceLocation)
      found.append(stored)
      return found.count < count
    }
    return found
  }

  @Test func `a record of a cursor is the same alone, and as one that was made of its line`() throws {
    for record in all {
      let made = try StoredRecord(line: record.line)
      #expect(record == made && record.alone == made && record.hashValue == made.hashValue)
      #expect(Array(record.bytes) == made.line && record.alone.line == made.line)
      for one in [record, record.alone] {
        #expect(one.stream == made.stream && one.type == made.type && one.id == made.id && one.data == made.data)
        #expect(one.position == made.position && one.at == made.at && one.cause == made.cause)
      }
    }
  }

  @Test func `each record is lent once, over all segments, from any position`() throws {
    #expect(try store.segments().count > 3)
    #expect(try lent() == all)
    for start in [0, 1, 77, 250, all.count - 1, all.count] {
      #expect(try lent(from: UInt64(start)) == Array(all[start...]))
    }
    #expect(try lent(from: 20, count: 5) == Array(all[20..<25]))
  }

  @Test func `what the one who looks throws ends the reading`() throws {
    struct Enough: Error {}
    var seen = 0
    #expect(throws: Enough.self) {
      try LogReader(directory: store.path).forEachRecord { _, _ in
        seen += 1
        if seen == 3 { throw Enough() }
        return true
      }
    }
    #expect(seen == 3)
  }

  @Test func `a damage is reported where it is, after the records before it`() throws {
    let path = try #require(try store.segments().dropFirst().first)
    var changed = try bytes(of: path)
    changed[changed.count / 2] ^= 1
    try write(changed, to: path)
    var lines: [UInt64] = []
    #expect(throws: StoreError(.altered, "")) {
      try LogReader(directory: store.path).forEachRecord { record, _ in
        lines.append(record.position)
        return true
      }
    }
    var given: [UInt64] = []
    var cursor = try LogReader(directory: store.path).cursor()
    #expect(throws: StoreError(.altered, "")) { while let next = try cursor.next() { given.append(next.position) } }
    #expect(lines == given && !lines.isEmpty)
  }
}
