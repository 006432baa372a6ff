import Testing

@testable import EventStore

/// Many places of one log, read in one go.
@Suite struct PlacesTests {
  private func placed(_ positions: [UInt64], in reader: LogReader) throws -> [(place: UInt64, next: StoredRecord?)] {
    var found: [(place: UInt64, next: StoredRecord?)] = []
    try reader.forEachCursor(from: positions) { place, cursor throws(StoreError) in
      found.append((place, try cursor.next()))
    }
    return found
  }

  @Test(arguments: [true, false])
  func `before each record of several segments and frames there is a cursor`(_ isClosed: Bool) throws {
    let store = try TemporaryStore()
    let options = LogOptions(durability: .os, segmentBytes: 4_096, frameBytes: 700, clock: { noon })
    let log = try EventLog.open(at: store.path, options: options)
    for index in 0..<300 as Range<UInt64> {
      // Texts that hardly compress, so that segments fill.
      let text = (1...6).map { String((index &* 6 &+ $0) &* 0x9E37_79B9_7F4A_7C15, radix: 36) }.joined()
      _ = try log.append([record("s/\(index % 3)", text)])
      if index % 5 == 0 { try log.flush() }
    }
    try isClosed ? log.close() : log.flush()
    defer { if !isClosed { try? log.close() } }
    #expect(try store.segments().count > 2)
    let reader = try LogReader(directory: store.path)
    var cursor = try reader.cursor(from: 0)
    var records: [StoredRecord] = []
    while let record = try cursor.next() { records.append(record) }
    // In no order, and some of them alone, so that a place is not found by what was read before it.
    let all = records.map(\.position)
    let choices: [[UInt64]] = [all, Array(all.reversed()), all.filter { $0 % 17 == 3 }] + all.map { [$0] }
    for positions in choices {
      let found = try placed(positions, in: reader)
      #expect(found.map(\.place) == positions.sorted())
      #expect(found.allSatisfy { $0.next == records[Int($0.place)] })
    }
  }

  @Test func `no places are none`() throws {
    let store = try TemporaryStore()
    try EventLog.open(at: store.path).close()
    #expect(try placed([], in: LogReader(directory: store.path)).isEmpty)
  }
}
