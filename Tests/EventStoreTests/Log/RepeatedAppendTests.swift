import Testing

@testable import EventStore

/// Appending again what has an id.
@Suite struct RepeatedAppendTests {
  private let disk = MemoryDisk(seed: 3)

  private func open(_ disk: MemoryDisk? = nil, durability: Durability = .os) throws -> EventLog {
    var options = LogOptions(durability: durability, origin: "play", clock: { noon }, idleClose: .seconds(3600))
    options.disk = disk ?? self.disk
    return try EventLog.open(at: Play.store, options: options)
  }

  private func count(_ id: String, on disk: MemoryDisk? = nil) throws -> Int {
    try records(on: disk ?? self.disk).count { $0.id == id }
  }

  @Test func `the same id gives the earlier position and adds nothing`() throws {
    let log = try open()
    let first = try log.append([named("a"), named("b", stream: "t")])
    #expect(!first.isRepeat)
    let queued = try log.append([named("a"), named("b", stream: "t")])
    #expect(queued.positions == first.positions && queued.isRepeat)
    pass(log, queued)
    // An expectation was fulfilled by the first append, so it is not asked again.
    let written = try log.append([named("a"), named("b", stream: "t")], expecting: .empty)
    #expect(written.positions == first.positions && written.isRepeat)
    #expect(log.size == 3)
    var later = named("a")
    later.at = Timestamp(microseconds: noon.microseconds + 1)
    let other = try log.append([later, named("b", stream: "t")])
    #expect(other.positions == first.positions)
    try log.close()
    #expect(try count("a") == 1)
  }

  @Test func `a batch that is known in part, or says something else, is a conflict`() throws {
    let log = try open()
    _ = try log.append([named("a"), named("b")])
    _ = try log.append([record("s")])
    _ = try log.append([named("c")])
    let wrong: [[NewRecord]] = [
      [named("a"), named("new")], [named("b"), named("a")], [named("b"), named("c")], [named("a"), record("s")],
      [named("a", "other")], [named("a", stream: "other")],
    ]
    for batch in wrong { #expect(throws: StoreError(.conflict, "")) { try log.append(batch) } }
    #expect(throws: StoreError(.invalid, "")) { try log.append([named("x"), named("x")]) }
    #expect(try log.append([named("b")]).positions == 2..<3)
    #expect(try log.append([named("x")]).positions == 5..<6)
    try log.close()
  }

  @Test func `ids are known after a restart, and after a torn tail what is gone is free`() throws {
    let log = try open()
    _ = try log.append([named("a")])
    try log.sync()
    _ = try log.append([named("b")])
    try log.flush()
    // The power goes before b is synced; a survives.
    let survivor = disk.afterCut()
    try? log.close()
    let had = try count("b", on: survivor)
    let again = try open(survivor)
    #expect(try again.append([named("a")]).positions == 1..<2)
    let ticket = try again.append([named("b")])
    #expect(ticket.isRepeat == (had == 1))
    try again.close()
    #expect(try count("a", on: survivor) == 1)
    #expect(try count("b", on: survivor) == 1)
  }

  @Test func `a failed commit gives its ids free again`() throws {
    let log = try open()
    pass(log, try log.append([named("a")]))
    disk.fail(.write, number: 1, with: .noSpace)
    let lost = try log.append([named("b")])
    guard case .failed = log.barrier(lost, resume: { _ in }) else {
      Issue.record("the commit did not fail")
      return
    }
    #expect(log.barrier(try log.append([named("a")])) { _ in } == .passed)
    let again = try log.append([named("b")])
    #expect(!again.isRepeat && again.positions == lost.positions)
    pass(log, again)
    try log.close()
    #expect(try count("b") == 1)
  }

  @Test func `an id is known for as many records as the window has, before and after a restart`() throws {
    var ids = RecentIds(size: 0)
    let window = RecentIds.window
    ids.note("first", .init(position: 0, content: 1))
    for position in 1...3 * window {
      ids.note("\(position)", .init(position: position, content: 0))
      let next = position + 1
      #expect((ids.entry(of: "first", before: next) != nil) == (next <= window))
      if position > window { #expect(ids.entry(of: "\(next - window)", before: next) != nil) }
    }
    #expect(ids.entry(of: "\(2 * window)", before: 3 * window + 1) == nil)
    ids.drop(from: 3 * window)
    #expect(ids.entry(of: "\(3 * window)", before: 3 * window) == nil)
    #expect(ids.entry(of: "\(3 * window - 1)", before: 3 * window) != nil)
    var reopened = RecentIds(size: 100)
    reopened.complete(with: [ByteName("old"): .init(position: 40, content: 7)])
    #expect(reopened.entry(of: "old", before: 100)?.content == 7)
  }

  @Test(arguments: 0..<40 as Range<UInt64>)
  func `after a power cut every id is appended again, and none is there twice`(_ seed: UInt64) throws {
    var disk = MemoryDisk(seed: seed)
    var random = SeededRandom(seed)
    let durability = [Durability.each, .group(milliseconds: 1), .os][Int(seed % 3)]
    var done = 0
    for _ in 0..<4 {
      disk.cutPower(afterCalls: 40 + Int(random.next() % 60))
      if let log = try? open(disk, durability: durability) {
        while done < 200 {
          let batch = (done..<done + 3).map { named("id \($0)") }
          guard let ticket = try? log.append(batch, expecting: .any),
            case .passed = log.barrier(ticket, resume: { _ in })
          else { break }
          done += 3
        }
        try? log.close()
      }
      disk = disk.afterCut()
    }
    // Whoever had no answer, or lost its answer in the cut, appends all of it again.
    let log = try open(disk)
    for first in stride(from: 0, to: done + 3, by: 3) {
      _ = try log.append((first..<first + 3).map { named("id \($0)") })
    }
    try log.close()
    let ids = try records(on: disk).compactMap(\.id)
    #expect(ids.count == Set(ids).count, "seed \(seed)")
    #expect(Set(ids).isSuperset(of: (0..<done + 3).map { "id \($0)" }), "seed \(seed)")
  }
}
