import Testing

@testable import EventStore

/// Snapshots of folds, and that they cannot lie.
@Suite struct SnapshotTests {
  private let disk = MemoryDisk(seed: 51)
  private let layout = StoreLayout(Play.store)

  /// Sums the numbers in a log, and counts how many records it saw.
  private func fold(version: Int = 1, seen: Counter = Counter()) throws -> LogFold<Int> {
    try LogFold(
      name: "sum", version: version, initial: { 0 },
      apply: { (sum: inout Int, record: StoredRecord) throws(StoreError) in
        seen.add()
        if record.type == "n", let data = try? JSON(parsing: record.data), let value = data["n"]?.int { sum += value }
      }, encode: { Array("\($0)".utf8) }, decode: { Int(String(decoding: $0, as: UTF8.self)) })
  }

  private func open(_ disk: MemoryDisk? = nil) throws -> EventLog {
    var options = LogOptions(durability: .os, frameBytes: 400, origin: "play", clock: { noon })
    options.disk = disk ?? self.disk
    return try EventLog.open(at: Play.store, options: options)
  }

  private func append(_ numbers: Range<Int>, to log: EventLog) throws {
    for number in numbers {
      pass(log, try log.append([NewRecord(at: noon, stream: "s", type: "n", data: Array("{\"n\":\(number)}".utf8))]))
    }
  }

  private func folded(_ fold: LogFold<Int>, on disk: MemoryDisk? = nil) throws -> Folded<Int> {
    try LogReader(directory: Play.store, disk: disk ?? self.disk).folded(by: fold)
  }

  /// A log of 0..<100 with a snapshot after them, and 100..<110 behind.
  private func prepare() throws {
    let log = try open()
    try append(0..<100, to: log)
    try log.keep(try folded(try fold()), of: try fold())
    try append(100..<110, to: log)
    try log.close()
  }

  private let path = StoreLayout(Play.store).index + "/snapshots/sum-1"
  private let sum = (0..<110).reduce(0, +)

  @Test func `a fold goes on from its snapshot, and comes to the same`() throws {
    try prepare()
    let seen = Counter()
    let result = try folded(try fold(seen: seen))
    #expect(result.state == sum && result.fromSnapshot == 101 && result.size == 112)
    #expect(seen.value == 11)
    // Kept again, the newer one is used.
    let log = try open()
    try log.keep(result, of: try fold())
    try log.close()
    let later = try folded(try fold())
    #expect(later.state == sum && later.fromSnapshot == 112)
    #expect(try Verifier(directory: Play.store, disk: disk).run().verdict == .unanchored)
  }

  @Test func `bytes that were changed, each of them, are not used`() throws {
    try prepare()
    let good = try disk.contents(of: path, limit: 1 << 20)
    for index in good.indices {
      var bad = good
      bad[index] ^= 1
      try disk.replace(path, with: bad, in: layout.index + "/snapshots")
      let result = try folded(try fold())
      #expect(result.state == sum && result.fromSnapshot == 0, "byte \(index)")
    }
    for count in 0..<good.count {
      try disk.replace(path, with: Array(good.prefix(count)), in: layout.index + "/snapshots")
      let result = try folded(try fold())
      #expect(result.state == sum && result.fromSnapshot == 0)
    }
  }

  @Test func `another version of the fold, or another fold's file, is not used`() throws {
    try prepare()
    let good = try disk.contents(of: path, limit: 1 << 20)
    #expect(try folded(try fold(version: 2)).fromSnapshot == 0)
    try disk.replace(layout.index + "/snapshots/sum-2", with: good, in: layout.index + "/snapshots")
    let newer = try folded(try fold(version: 2))
    #expect(newer.fromSnapshot == 0 && newer.state == sum)
  }

  @Test func `a snapshot of another log, or of one that was cut, is not used`() throws {
    try prepare()
    let good = try disk.contents(of: path, limit: 1 << 20)
    for numbers in [1..<101, 0..<50, 0..<100] {
      let other = MemoryDisk(seed: 52)
      let log = try open(other)
      try append(numbers, to: log)
      try log.close()
      _ = try other.makeDirectory(layout.index + "/snapshots")
      try other.replace(path, with: good, in: layout.index + "/snapshots")
      let result = try folded(try fold(), on: other)
      #expect(result.fromSnapshot == 0 && result.state == numbers.reduce(0, +))
    }
  }

  @Test func `a vouching record that was forged by an appender of events is recognized by its stream`() throws {
    let log = try open()
    try append(0..<10, to: log)
    let file = SnapshotFile(layout: layout, disk: disk, name: "sum", version: 1)
    let root = try LogReader(directory: Play.store, disk: disk).root(at: 11)
    var forged = file.record(of: Array("999".utf8), size: 11, root: root, at: noon)
    forged.stream = "application"
    let ticket = try log.append([forged])
    try log.flush()
    try file.save(Array("999".utf8), vouchedAt: ticket.positions.lowerBound)
    #expect(try folded(try fold()).state == (0..<10).reduce(0, +))
    try log.close()
  }

  @Test func `roots at every size are those of the tree, and a state of more records than there are is refused`() throws
  {
    try prepare()
    let reader = try LogReader(directory: Play.store, disk: disk)
    var frontier = MerkleFrontier()
    for record in try records(on: disk) {
      #expect(try reader.root(at: frontier.size) == frontier.root)
      frontier.append(MerkleTree.leaf(record.line))
    }
    #expect(try reader.root(at: frontier.size) == frontier.root)
    #expect(throws: StoreError(.noSuchPosition, "")) { try reader.root(at: frontier.size + 1) }
    let log = try open()
    let more = Folded(state: 1, size: frontier.size + 1, fromSnapshot: 0)
    #expect(throws: StoreError(.noSuchPosition, "")) { try log.keep(more, of: try fold()) }
    try log.close()
    for name in ["", "a/b", "../x", ".hidden", "ü", String(repeating: "x", count: 65)] {
      #expect(throws: StoreError(.invalid, "")) {
        try LogFold<Int>(
          name: name, version: 1, initial: { 0 }, apply: { _, _ in }, encode: { _ in [] }, decode: { _ in 0 })
      }
    }
  }
}

/// Counts, from anywhere.
final class Counter: @unchecked Sendable {  // guarded by `monitor`
  private let monitor = Monitor()
  private var count = 0

  func add() {
    monitor.lock()
    count += 1
    monitor.unlock()
  }

  var value: Int {
    monitor.lock()
    defer { monitor.unlock() }
    return count
  }
}
