import Foundation
import Testing

@testable import EventStore

@Suite struct ReadingTests {
  @Test func `a cursor begins at any position`() throws {
    let store = try TemporaryStore()
    try FormatTests.manySegments(store, records: 100)
    let all = try records(in: store.path)
    for position in 0...all.count {
      var cursor = try LogReader(directory: store.path).cursor(from: UInt64(position))
      let found = try cursor.next()
      #expect(found == (position < all.count ? all[position] : nil))
    }
  }

  @Test func `a cursor at the end goes on when more is written, in new segments too`() throws {
    let store = try TemporaryStore()
    let log = try EventLog.open(at: store.path, options: .init(segmentBytes: 2 << 10, frameBytes: 1 << 10))
    var cursor = try LogReader(directory: store.path).cursor()
    #expect(try cursor.next()?.type == "log.opened")
    for index in 0..<200 {
      #expect(try cursor.next() == nil)
      pass(log, try log.append([record("a", "\(index * 7919)")]))
      #expect(try cursor.next()?.position == UInt64(index + 1))
    }
    #expect(try store.segments().count >= 3)
    try log.close()
    #expect(try cursor.next() == nil)
  }

  @Test func `readers and a verifier beside a writer see whole commits in order`() throws {
    let store = try TemporaryStore()
    let log = try EventLog.open(at: store.path, options: .init(segmentBytes: 16 << 10, frameBytes: 4 << 10))
    let last: UInt64 = 2_001
    DispatchQueue.concurrentPerform(iterations: 4) { worker in
      do {
        switch worker {
        case 0: for index in 0..<1_000 { pass(log, try log.append([record("a", "\(index)"), record("b", "x")])) }
        case 1:
          while log.size < last { #expect(try Verifier(directory: store.path).run().verdict == .unanchored) }
        default:
          var cursor = try LogReader(directory: store.path).cursor()
          var next: UInt64 = 0
          while next < last {
            guard let record = try cursor.next() else { continue }
            #expect(record.position == next)
            next += 1
          }
        }
      } catch { Issue.record(error) }
    }
    try log.close()
  }

  @Test func `the records of a stream are found among those of others`() throws {
    let store = try TemporaryStore()
    let log = try EventLog.open(
      at: store.path, options: .init(segmentBytes: 4 << 10, frameBytes: 2 << 10, idleClose: .seconds(3600)))
    for index in 0..<500 { pass(log, try log.append([record("s/\(index % 11)", "text \(index * 7919)")])) }
    let all = try records(in: store.path)
    let reader = try LogReader(directory: store.path)
    for stream in 0..<11 {
      #expect(try reader.records(of: "s/\(stream)") == all.filter { $0.stream == "s/\(stream)" })
    }
    #expect(try reader.records(of: "s/none").isEmpty)
    let counts = try reader.statistics()
    #expect(counts.records == 501 && counts.streams == 12)
    #expect(counts.segments == (try store.segments().count))
    #expect(counts.bytesRaw == UInt64(text(all).count))
    #expect(counts.lastCheckpoint == nil)
    try log.close()
    #expect(try reader.statistics().records == 501)
    #expect(try reader.statistics().bytesRaw == UInt64(text(all).count))
  }

  @Test func `a log that misses a segment is not read past the gap`() throws {
    let store = try TemporaryStore()
    try FormatTests.manySegments(store)
    let segments = try store.segments()
    try FileManager.default.removeItem(atPath: segments[1])
    let error = #expect(throws: StoreError.self) { try records(in: store.path) }
    #expect(error?.code == .missingSegment)
    try FileManager.default.removeItem(atPath: segments[0])
    #expect(throws: StoreError(.missingSegment, "")) { try LogReader(directory: store.path).cursor() }
  }
}
