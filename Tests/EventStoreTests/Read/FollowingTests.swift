import Foundation
import Testing

@testable import EventStore

/// Reading a log as it grows, and from its end.
@Suite struct FollowingTests {
  private func texts(_ records: [StoredRecord]) -> [String] { records.map { String(decoding: $0.data, as: UTF8.self) } }

  @Test(arguments: [true, false])
  func `who follows gets each record once, in order, while the log is written and its segments fill`(
    _ isReal: Bool
  ) async throws {
    let folder = try TemporaryStore()
    let disk: any Disk = isReal ? SystemDisk() : MemoryDisk(seed: 1)
    let path = isReal ? folder.path : Play.store
    var options = LogOptions(durability: .os, segmentBytes: 4_096, frameBytes: 1_000, clock: { noon })
    options.disk = disk
    let log = try EventLog.open(at: path, options: options)
    let reader = try LogReader(directory: path, disk: disk)
    let whole = Task {
      var found: [StoredRecord] = []
      for try await record in reader.follow() {
        found.append(record)
        if record.stream == "end" { break }
      }
      return found
    }
    let one = Task {
      var found: [StoredRecord] = []
      for try await record in reader.follow(from: 2, stream: "s/1") {
        found.append(record)
        if found.count == 99 { break }
      }
      return found
    }
    for index in 0..<300 { _ = try await log.appendAndWait([record("s/\(index % 3)", "\(index)"), record("t")]) }
    _ = try await log.appendAndWait([record("end")])
    let all = try await whole.value
    #expect(all.map(\.position) == Array(0..<602))
    #expect(try await one.value.map(\.revision) == Array(0..<99))
    try log.close()
    var bounded: [StoredRecord] = []
    for try await record in reader.records(in: 10..<40) { bounded.append(record) }
    #expect(bounded == Array(all[10..<40]))
    bounded = []
    for try await record in reader.records(in: 590..<9_000) { bounded.append(record) }
    #expect(bounded == Array(all[590...]))
    for empty in [0..<0, 5..<5, 9_000..<9_000] as [Range<UInt64>] {
      for try await _ in reader.records(in: empty) { Issue.record("an empty range has a record") }
    }
  }

  @Test func `a loop that is cancelled ends, and one that is left gives its thread back`() async throws {
    let folder = try TemporaryStore()
    let log = try EventLog.open(at: folder.path, options: .init(clock: { noon }))
    let reader = try LogReader(directory: folder.path)
    for _ in 0..<20 {
      let (seen, told) = AsyncStream<Void>.makeStream()
      let task = Task {
        var count = 0
        for try await _ in reader.follow() {
          count += 1
          told.yield()
        }
        return count
      }
      for await _ in seen { break }
      task.cancel()
      #expect(try await task.value >= 1)
    }
    try log.close()
  }

  @Test func `following throws for damage, after what came before it`() async throws {
    let folder = try TemporaryStore()
    let log = try EventLog.open(at: folder.path, options: .init(frameBytes: 1, clock: { noon }))
    for index in 0..<10 { pass(log, try log.append([record("s", "\(index) \(String(repeating: "x", count: 300))")])) }
    try log.close()
    let segment = try folder.segments()[0]
    var content = try bytes(of: segment)
    content[content.count / 2] ^= 0x40
    try write(content, to: segment)
    var found = 0
    await #expect(throws: StoreError(.altered, "")) {
      for try await _ in try LogReader(directory: folder.path).follow() { found += 1 }
    }
    #expect(found > 0 && found < 11)
  }

  @Test func `a loop whose thread the system does not start ends with that error`() async throws {
    let folder = try TemporaryStore()
    let log = try EventLog.open(at: folder.path, options: .init(clock: { noon }))
    let reader = try LogReader(directory: folder.path)
    let error = await #expect(throws: StoreError(.io, "")) {
      try await ThreadLimit.$isReached.withValue(true) { for try await _ in reader.follow() {} }
    }
    #expect(error?.message.contains("thread") == true)
    try log.close()
  }

  @Test func `the log is read from its end`() throws {
    let folder = try TemporaryStore()
    let log = try EventLog.open(
      at: folder.path, options: .init(segmentBytes: 8_192, frameBytes: 2_000, clock: { noon }))
    let reader = try LogReader(directory: folder.path)
    #expect(try reader.size() == 1 && reader.last(5).count == 1)
    for index in 0..<700 { pass(log, try log.append([record("s/\(index % 4)", "\(index)")])) }
    // The last frame is open, and its records are there.
    #expect(try reader.size() == 701)
    let all = try records(in: folder.path)
    var cursor = try reader.reversed()
    var backwards: [StoredRecord] = []
    while let record = try cursor.next() { backwards.append(record) }
    #expect(backwards.reversed() == all)
    for count in [0, 1, 63, 64, 65, 700, 701, 5_000] { #expect(try reader.last(count) == Array(all.suffix(count))) }
    var middle = try reader.reversed(from: 100)
    #expect(try middle.next() == all[99])
    #expect(try reader.last(3, of: "s/2") == Array(all.filter { $0.stream == "s/2" }.suffix(3)))
    var behind = try reader.reversed(from: 9_999)
    #expect(throws: StoreError(.noSuchPosition, "")) { try behind.next() }
    try log.close()
    #expect(try reader.size() == 701)
  }
}
