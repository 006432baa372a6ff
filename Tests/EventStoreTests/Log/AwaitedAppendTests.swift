import Foundation
import Testing

@testable import EventStore

/// Appending from asynchronous code.
@Suite struct AwaitedAppendTests {
  private let disk = MemoryDisk(seed: 5)

  private func open(_ durability: Durability) throws -> EventLog {
    var options = LogOptions(durability: durability, origin: "play", clock: { noon }, idleClose: .seconds(3600))
    options.disk = disk
    return try EventLog.open(at: Play.store, options: options)
  }

  @Test func `an awaited append says where its records stand and whether they are durable`() async throws {
    let log = try open(.each)
    let first = try await log.appendAndWait([named("a"), record("s")])
    #expect(first.positions == 1..<3 && first.isDurable && !first.isRepeat)
    #expect(try await log.appendAndWait([named("b")]).isDurable)
    #expect(try await log.appendAndWait([named("b")]).isRepeat)
    #expect(log.size == 4)
    await #expect(throws: StoreError(.conflict, "")) { try await log.appendAndWait([record("s")], expecting: .empty) }
    try log.close()
    await #expect(throws: StoreError(.closed, "")) { try await log.appendAndWait([record("s")]) }
  }

  @Test func `in mode os it is written, and durable once it was synced`() async throws {
    let log = try open(.os)
    let ticket = try log.append([record("s")])
    #expect(try await log.wait(for: ticket) == Acknowledgement(positions: 1..<2, isDurable: false, isRepeat: false))
    try log.sync()
    #expect(try await log.wait(for: ticket).isDurable)
    try log.close()
  }

  @Test func `a failed commit and a foreign ticket throw where they are awaited`() async throws {
    let log = try open(.os)
    disk.fail(.write, number: 1, with: .noSpace)
    let ticket = try log.append([record("s")])
    await #expect(throws: StoreError(.noSpace, "")) { try await log.wait(for: ticket) }
    await #expect(throws: StoreError(.noSuchPosition, "")) {
      try await log.wait(for: Ticket(positions: 0..<99, generation: 1))
    }
    try log.close()
  }

  @Test func `hundreds of tasks append at once, each gets its own positions`() async throws {
    let log = try open(.each)
    let ranges = try await withThrowingTaskGroup(of: Range<UInt64>.self) { group in
      for index in 0..<300 {
        group.addTask { try await log.appendAndWait([record("s/\(index % 7)", "\(index)"), record("t")]).positions }
      }
      var all: [Range<UInt64>] = []
      for try await range in group { all.append(range) }
      return all
    }
    #expect(Set(ranges.flatMap { Array($0) }).count == 600 && log.size == 601)
    let survivor = disk.afterCut()
    #expect(try records(on: survivor).count >= 601)
    try? log.close()
  }

  @Test func `a task that is cancelled while the queue is full appends nothing`() async throws {
    let gate = Gate()
    var options = LogOptions(durability: .os, origin: "play", clock: { noon }, idleClose: .seconds(3600))
    options.disk = PeculiarDisk(disk, beforeWrite: { path in if path.hasSuffix(SegmentName.suffix) { gate.pass() } })
    let log = try EventLog.open(at: Play.store, options: options)
    pass(log, try log.append([record("s")]))
    gate.close()
    // The log's own thread, or a waiting append, is held up by the first write; what comes meanwhile fills the queue.
    let large = record("s", String(repeating: "x", count: 60_000))
    while !log.engine.withMonitor({ log.engine.writing && log.engine.queue.isFull }) {
      if try log.engine.appendAtOnce([large], expecting: .any) == nil { try await Task.sleep(for: .milliseconds(1)) }
    }
    let task = Task { try await log.appendAndWait([named("never")]) }
    // Time for the task to come to its wait. What is expected holds wherever it is when it is cancelled.
    try await Task.sleep(for: .milliseconds(200))
    task.cancel()
    gate.open()
    await #expect(throws: CancellationError.self) { try await task.value }
    try log.close()
    let ids = try records(on: disk).compactMap(\.id)
    #expect(!ids.contains("never"))
  }

  @Test func `a task that is cancelled while something is looked up on disk appends nothing`() async throws {
    let before = try open(.os)
    pass(before, try before.append([named("before")]))
    try before.close()
    let gate = Gate()
    var options = LogOptions(durability: .os, origin: "play", clock: { noon }, idleClose: .seconds(3600))
    options.disk = PeculiarDisk(
      disk,
      list: { directory, names in
        if directory.hasSuffix("/segments") { gate.pass() }
        return names
      })
    let log = try EventLog.open(at: Play.store, options: options)
    gate.close()
    // The ids of the records that were on disk at opening are not known yet.
    let task = Task { try await log.appendAndWait([named("never")]) }
    let limit = ContinuousClock.now + .seconds(60)
    while !gate.isReached, ContinuousClock.now < limit { try await Task.sleep(for: .milliseconds(1)) }
    #expect(gate.isReached, "nothing was looked up on disk within a minute")
    task.cancel()
    gate.open()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try await log.appendAndWait([named("later")]).isRepeat == false)
    try log.close()
    #expect(try records(on: disk).compactMap(\.id) == ["before", "later"])
  }

  @Test func `a task that is cancelled before appends nothing, one that waits loses nothing`() async throws {
    let log = try open(.each)
    let before = Task {
      while !Task.isCancelled { await Task.yield() }
      return try await log.appendAndWait([named("never")])
    }
    before.cancel()
    await #expect(throws: CancellationError.self) { try await before.value }
    // Many are cancelled at any moment: what each says is true, and what it appended is whole.
    for round in 0..<200 {
      let task = Task { try await log.appendAndWait([named("\(round) a"), named("\(round) b")]) }
      if round % 3 > 0 { await Task.yield() }
      task.cancel()
      let said = try? await task.value
      let again = try await log.appendAndWait([named("\(round) a"), named("\(round) b")])
      #expect(said == nil || said?.positions == again.positions)
      #expect(said == nil || again.isRepeat)
    }
    try log.close()
    let ids = try records(on: disk).compactMap(\.id)
    #expect(ids.count == 400 && Set(ids).count == 400 && !ids.contains("never"))
    for round in 0..<200 {
      let first = try #require(ids.firstIndex(of: "\(round) a"))
      #expect(ids[first + 1] == "\(round) b")
    }
  }
}

/// Holds up those who pass while it is closed.
private final class Gate: @unchecked Sendable {  // guarded by `condition`
  private let condition = NSCondition()
  private var isClosed = false
  private var passing = 0

  /// True while a thread is at it.
  var isReached: Bool { condition.withLock { passing > 0 } }

  func close() { condition.withLock { isClosed = true } }

  func open() {
    condition.withLock {
      isClosed = false
      condition.broadcast()
    }
  }

  func pass() {
    condition.withLock {
      passing += 1
      while isClosed { condition.wait() }
      passing -= 1
    }
  }
}
