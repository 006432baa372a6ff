import Foundation
import Testing

@testable import EventStore

@Suite struct AppendTests {
  @Test func `a stream is appended to only where it stands as expected`() throws {
    let store = try TemporaryStore()
    let log = try EventLog.open(at: store.path)
    _ = try log.append([record("a"), record("a")], expecting: .empty)
    _ = try log.append([record("a")], expecting: .revision(1))
    #expect(throws: StoreError(.conflict, "")) { try log.append([record("a")], expecting: .revision(1)) }
    #expect(throws: StoreError(.conflict, "")) { try log.append([record("a")], expecting: .empty) }
    _ = try log.append([record("b")], expecting: .fresh)
    try log.close()

    let again = try EventLog.open(at: store.path)
    #expect(throws: StoreError(.conflict, "")) { try again.append([record("b")], expecting: .empty) }
    _ = try again.append([record("b")], expecting: .revision(0))
    _ = try again.append([record("a")])
    try again.close()
    #expect(try records(in: store.path).filter { $0.stream == "a" }.map(\.revision) == [0, 1, 2, 3])
    #expect(try records(in: store.path).filter { $0.stream == "b" }.map(\.revision) == [0, 1])
    #expect(try records(in: store.path).map(\.position) == Array(0..<7))
  }

  @Test func `a revision is found in an older segment, and in the frame that is open`() throws {
    let store = try TemporaryStore()
    let options = EventLog.Options(segmentBytes: 2 << 10, frameBytes: 1 << 10)
    let log = try EventLog.open(at: store.path, options: options)
    _ = try log.append([record("early"), record("early")])
    for index in 0..<400 { pass(log, try log.append([record("other/\(index)", "\(index * 7919)")], expecting: .fresh)) }
    try log.close()
    #expect(try store.segments().count > 3)
    let again = try EventLog.open(at: store.path, options: options)
    _ = try again.append([record("early")], expecting: .revision(1))
    _ = try again.append([record("other/17")], expecting: .revision(0))
    try again.close()
    #expect(try LogReader(directory: store.path).records(of: "early").map(\.revision) == [0, 1, 2])
    #expect(try LogReader(directory: store.path).records(of: "other/17").map(\.revision) == [0, 1])
    #expect(try Verifier(directory: store.path).run().verdict == .unanchored)
  }

  static let refused: [(name: String, record: NewRecord)] = [
    ("an empty stream", record("")), ("a quote in a stream", record("a\"b")),
    ("a backslash in a type", record("a", type: "a\\b")), ("a line end in data", record("a", "x\ny")),
    ("data that is no object", NewRecord(at: noon, stream: "a", type: "t", data: Array("[1]".utf8))),
    ("no data", NewRecord(at: noon, stream: "a", type: "t", data: [])),
    ("a cause that is not before it", record("a", cause: .position(99))),
    ("a cause after it in the batch", record("a", cause: .inBatch(2))),
    ("what the store says of itself", record("log", type: "log.pruned")),
    ("a version under 0", NewRecord(at: noon, stream: "a", type: "t", version: -1, data: Array("{}".utf8))),
  ]

  @Test(arguments: refused.map(\.name)) func `a record that breaks the rules is refused whole`(_ name: String) throws {
    let store = try TemporaryStore()
    let log = try EventLog.open(at: store.path)
    let bad = try #require(Self.refused.first { $0.name == name }?.record)
    #expect(throws: StoreError(.invalid, "")) { try log.append([bad]) }
    #expect(throws: StoreError(.invalid, "")) { try log.append([record("good"), record("good"), bad]) }
    pass(log, try log.append([record("good")]))
    try log.close()
    #expect(try records(in: store.path).map(\.stream) == ["log", "good"])
    #expect(try records(in: store.path).last?.revision == 0)
  }

  @Test func `a line of 65535 bytes is the longest, a batch of 4 MiB the largest`() throws {
    let store = try TemporaryStore()
    let log = try EventLog.open(at: store.path)
    func sized(_ count: Int) -> NewRecord { record("a", String(repeating: "x", count: count)) }
    pass(log, try log.append([sized(10)]))
    let overhead = try records(in: store.path)[1].line.count - 10
    pass(log, try log.append([sized(65_535 - overhead)]))
    #expect(throws: StoreError(.tooLarge, "")) { try log.append([sized(65_536 - overhead)]) }
    // Positions and revisions get longer, so leave some bytes in each line.
    let large = sized(65_535 - overhead - 20)
    pass(log, try log.append(Array(repeating: large, count: 64)))
    #expect(throws: StoreError(.tooLarge, "")) { try log.append(Array(repeating: large, count: 65)) }
    pass(log, try log.append([sized(1)]))
    try log.close()
    let all = try records(in: store.path)
    #expect(all.count == 68 && all[2].line.count == 65_535)
    #expect(all.dropFirst().map(\.revision) == Array(0..<67))
    #expect(try Verifier(directory: store.path).run().verdict == .unanchored)
  }

  @Test func `more than 4 MiB that wait together are written in several commits`() throws {
    let store = try TemporaryStore()
    let log = try EventLog.open(at: store.path, options: .init(durability: .os))
    let batch = Array(repeating: record("a", String(repeating: "x", count: 60_000)), count: 40)
    var ticket: Ticket?
    for _ in 0..<8 { ticket = try log.append(batch) }
    pass(log, try #require(ticket))
    #expect(log.size == 321)
    try log.close()
    #expect(try records(in: store.path).count == 321)
  }

  @Test func `what no caller waits for gets to the disk by itself`() throws {
    let store = try TemporaryStore()
    let metrics = RecordingMetrics()
    let log = try EventLog.open(at: store.path, options: .init(metrics: metrics))
    _ = try log.append([record("a")])
    // The first commit is that of `log.opened`.
    #expect(metrics.wait(2) { if case .committed = $0 { true } else { false } })
    #expect(try records(in: store.path).count == 2)
    try log.close()
  }

  @Test(arguments: [Durability.os, .group(milliseconds: 1), .each])
  func `many threads append at once, and every stream keeps its order`(_ durability: Durability) throws {
    let store = try TemporaryStore()
    let log = try EventLog.open(
      at: store.path, options: .init(durability: durability, segmentBytes: 16 << 10, frameBytes: 4 << 10))
    let done = DispatchSemaphore(value: 0)
    DispatchQueue.concurrentPerform(iterations: 8) { thread in
      for index in 0..<50 {
        guard let ticket = try? log.append([record("s/\(thread)", "\(index)"), record("shared", "\(thread)/\(index)")])
        else { continue }
        switch log.barrier(ticket, resume: { error in if error == nil { done.signal() } }) {
        case .passed: done.signal()
        case .failed, .pending: break
        }
      }
    }
    for _ in 0..<400 { #expect(done.wait(timeout: .now() + 60) == .success) }
    try log.close()
    let all = try records(in: store.path)
    #expect(all.count == 801 && all.map(\.position) == Array(0..<801))
    for thread in 0..<8 {
      let mine = all.filter { $0.stream == "s/\(thread)" }
      #expect(mine.map { Array($0.data) } == (0..<50).map { Array("{\"text\":\"\($0)\"}".utf8) })
    }
    #expect(all.filter { $0.stream == "shared" }.map(\.revision) == Array(0..<400))
    #expect(try Verifier(directory: store.path).run().verdict == .unanchored)
  }

  @Test func `in mode each a barrier is called once the record is synced`() throws {
    let store = try TemporaryStore()
    let log = try EventLog.open(at: store.path, options: .init(durability: .each))
    let done = DispatchSemaphore(value: 0)
    let ticket = try log.append([record("a")])
    #expect(log.barrier(ticket) { if $0 == nil { done.signal() } } == .pending)
    #expect(done.wait(timeout: .now() + 60) == .success)
    #expect(log.barrier(ticket) { _ in } == .passed)
    try log.close()
  }

  @Test func `closing resumes who waits, and later appends are refused`() throws {
    let store = try TemporaryStore()
    let log = try EventLog.open(at: store.path, options: .init(durability: .each))
    let done = DispatchSemaphore(value: 0)
    for _ in 0..<20 {
      if case .passed = log.barrier(try log.append([record("a")]), resume: { _ in done.signal() }) { done.signal() }
    }
    try log.close()
    for _ in 0..<20 { #expect(done.wait(timeout: .now() + 60) == .success) }
    #expect(throws: StoreError(.closed, "")) { try log.append([record("a")]) }
    try log.close()
  }

  @Test func `the root is that of the lines`() throws {
    let store = try TemporaryStore()
    let log = try EventLog.open(at: store.path)
    for index in 0..<37 { _ = try log.append([record("a", "\(index)")]) }
    try log.flush()
    let leaves = try records(in: store.path).map { MerkleTree.leaf($0.line) }
    #expect(log.rootHash == MerkleTree.root(of: leaves[...]).bytes)
    try log.close()
  }
}
