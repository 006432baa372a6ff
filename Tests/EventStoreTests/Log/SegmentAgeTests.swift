import Foundation
import Testing

@testable import EventStore

/// Segments that end by age, and what goes with them when they are pruned.
@Suite struct SegmentAgeTests {
  private static let day: Int64 = 86_400_000_000

  /// A clock that the test sets.
  private final class Hands: @unchecked Sendable {  // guarded by `lock`
    private let lock = NSLock()
    private var moment = noon

    var now: Timestamp { lock.withLock { moment } }
    func move(by microseconds: Int64) {
      lock.withLock { moment = Timestamp(microseconds: moment.microseconds + microseconds) }
    }
  }

  private func options(_ hands: Hands, age: Duration? = .seconds(86_400)) -> LogOptions {
    var options = LogOptions(origin: "play", clock: { hands.now })
    options.segmentAge = age
    return options
  }

  private func append(_ text: String, to log: EventLog, at time: Timestamp) throws {
    let record = NewRecord(at: time, stream: "s", type: "t", data: Array("{\"text\":\"\(text)\"}".utf8))
    pass(log, try log.append([record]))
  }

  @Test func `a commit that comes when the segment is old begins the next, also after opening again`() throws {
    let store = try TemporaryStore()
    let hands = Hands()
    var log = try EventLog.open(at: store.path, options: options(hands))
    func firsts() throws -> [UInt64] { try StoreLayout(store.path).segmentList(on: SystemDisk()) }
    try append("a", to: log, at: hands.now)
    hands.move(by: Self.day - 1)
    try append("b", to: log, at: hands.now)
    #expect(try firsts() == [0])
    hands.move(by: 1)
    try append("c", to: log, at: hands.now)
    #expect(try firsts() == [0, 3])
    hands.move(by: Self.day - 1)
    try log.close()
    log = try EventLog.open(at: store.path, options: options(hands))
    try append("d", to: log, at: hands.now)
    #expect(try firsts() == [0, 3])
    try log.close()
    hands.move(by: 1)
    log = try EventLog.open(at: store.path, options: options(hands))
    // Looking at it begins nothing.
    #expect(try firsts() == [0, 3])
    try append("e", to: log, at: hands.now)
    #expect(try firsts() == [0, 3, 5])
    // A clock that was set back makes nothing old.
    hands.move(by: -10 * Self.day)
    try append("f", to: log, at: hands.now)
    #expect(try firsts() == [0, 3, 5])
    try log.close()
    #expect(try Verifier(directory: store.path).run().verdict == .unanchored)
    hands.move(by: 100 * Self.day)
    for age in [nil, Duration.seconds(Int64.max)] {
      log = try EventLog.open(at: store.path, options: options(hands, age: age))
      try append("g", to: log, at: hands.now)
      #expect(try firsts() == [0, 3, 5])
      try log.close()
    }
  }

  @Test func `what recovery cut from a segment is pruned with it, and what it cut later stays`() throws {
    let store = try TemporaryStore()
    let hands = Hands()
    let key = try SigningKey(name: "play")
    var log = try EventLog.open(at: store.path, options: options(hands))
    func tear() throws {
      try log.close()
      let last = try #require(try store.segments().last)
      try write(try bytes(of: last) + [0x04, 0x22, 0x4D, 0x18, 0x70], to: last)
      log = try EventLog.open(at: store.path, options: options(hands))
    }
    func quarantined() throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: store.path + "/quarantine").sorted()
    }
    try append("a", to: log, at: hands.now)
    try tear()
    hands.move(by: Self.day)
    try append("b", to: log, at: hands.now)
    let second = try #require(try StoreLayout(store.path).segmentList(on: SystemDisk()).last)
    try tear()
    hands.move(by: Self.day)
    try append("c", to: log, at: hands.now)
    let foreign = store.path + "/quarantine/notes.bin"
    try write([1], to: foreign)
    #expect(try quarantined().count == 3)
    let wanted = PruningLimit.position(second)
    let would = try log.prune(before: wanted, signingWith: key, dryRun: true)
    #expect(would.quarantined == 1 && would.segments == 1)
    let report = try log.prune(before: wanted, signingWith: key)
    #expect(report.quarantined == 1 && report.firstKept == second)
    let left = try quarantined()
    #expect(
      left.count == 2 && left.contains("notes.bin") && left[0].hasPrefix(SegmentName.name(first: second).prefix(20)))
    try log.close()
    #expect(try Verifier(directory: store.path, pinnedKey: key.verifier).run().verdict == .pruned)
  }
}
