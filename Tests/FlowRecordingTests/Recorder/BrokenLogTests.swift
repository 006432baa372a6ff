import Foundation
import Testing

@testable import EventStore
@testable import FlowRecording

/// What a recorder does when the log breaks, and when its disk comes back.
@Suite struct BrokenLogTests {
  private let disk = ReturningDisk()
  private let time = VirtualTime(start: Timestamp(microseconds: 1_795_255_200_000_000))
  private let store = "/volume/audit"

  private func recorder(_ auditing: Auditing, durability: Durability = .os) -> LogRecorder {
    var options = LogOptions(durability: durability, origin: "play", clock: { Timestamp(microseconds: 0) })
    options.disk = disk
    return LogRecorder(
      directory: store, auditing: auditing, options: options, clock: time, reopenInterval: .seconds(5))
  }

  /// Appends a remark, and waits for it as a flow does. Throws what the flow's caller would get.
  private func write(_ text: String, to journal: any FlowJournal, revision: Int = 0) throws {
    let event = FlowEvent.noteAdded(NoteAdded(text: text))
    let record = FlowRecord(revision: revision, at: time.now(), cause: nil, event: event)
    try journal.append([JournalEntry(record: record, encoded: EventCoding.encode(event))])
    if case .failed(let error) = journal.barrier(resume: { _ in }) { throw error }
  }

  private func stored() throws -> [StoredRecord] {
    var cursor = try LogReader(directory: store, disk: disk).cursor()
    var all: [StoredRecord] = []
    while let record = try cursor.next() { all.append(record) }
    return all
  }

  /// Breaks the log for good: its disk goes, and a sync finds out.
  private func breakLog(of recorder: LogRecorder, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let log = try recorder.open()
    try log.sync()
    disk.goAway()
    _ = try? log.append([NewRecord(at: time.now(), stream: "x", type: "t", data: Array("{}".utf8))])
    #expect(throws: StoreError.self, sourceLocation: sourceLocation) { try log.sync() }
    #expect(log.failure != nil, sourceLocation: sourceLocation)
  }

  @Test("required: nothing is recorded until the log is open again, and that is tried once in the interval")
  func required() throws {
    let recorder = recorder(.required)
    let early = recorder.journal(for: "authn/early")
    try write("0", to: early)
    try breakLog(of: recorder)
    #expect(throws: AuditError.self) { try write("1", to: early, revision: 1) }
    #expect(throws: AuditError.self) { try write("0", to: recorder.journal(for: "authn/refused")) }
    disk.comeBack()
    let calls = disk.callCount
    #expect(throws: AuditError.self) { try write("0", to: recorder.journal(for: "authn/soon")) }
    #expect(disk.callCount == calls)  // not tried
    time.advance(milliseconds: 5_000)
    try write("0", to: recorder.journal(for: "authn/later"))
    // What the early flow wrote is in the log, so it goes on where it stopped.
    try write("1", to: early, revision: 1)
    try recorder.close()
    let all = try stored()
    #expect(all.filter { $0.stream == "authn/early" }.map(\.revision) == [0, 1])
    #expect(Set(all.map(\.stream)) == ["log", "authn/early", "authn/later"])
    #expect(recorder.lost == 0)
    #expect(try Verifier(directory: store, disk: disk).run().verdict == .unanchored)
  }

  @Test("required: a flow whose records went with the log stays refused")
  func requiredLost() throws {
    let recorder = recorder(.required)
    let early = recorder.journal(for: "authn/early")
    try write("0", to: early)
    try recorder.open().sync()
    let log = try recorder.open()
    let event = FlowEvent.noteAdded(NoteAdded(text: "1"))
    let record = FlowRecord(revision: 1, at: time.now(), cause: nil, event: event)
    disk.goAway()
    // Queued, and never written.
    try early.append([JournalEntry(record: record, encoded: EventCoding.encode(event))])
    #expect(throws: StoreError.self) { try log.sync() }
    #expect(log.failure != nil)
    disk.comeBack()
    for revision in 2..<4 {
      time.advance(milliseconds: 5_000)
      #expect(throws: AuditError.self) { try write("x", to: early, revision: revision) }
    }
    try write("0", to: recorder.journal(for: "authn/later"))
    try recorder.close()
    #expect(try stored().filter { $0.stream == "authn/early" }.count == 1)
  }

  @Test("best effort: flows go on, the log is opened again, and log.gap says what was lost")
  func bestEffort() throws {
    let recorder = recorder(.bestEffort)
    let early = recorder.journal(for: "authn/early")
    try write("0", to: early)
    try breakLog(of: recorder)
    try write("1", to: early, revision: 1)
    try write("0", to: recorder.journal(for: "authn/lost"))
    #expect(recorder.lost == 2)
    disk.comeBack()
    try write("2", to: early, revision: 2)  // too soon
    #expect(recorder.lost == 3)
    time.advance(milliseconds: 5_000)
    try write("3", to: early, revision: 3)  // opens the log again; this flow has a hole and is not recorded further
    #expect(recorder.lost == 0)
    try write("0", to: recorder.journal(for: "authn/later"))
    try recorder.close()
    let all = try stored()
    #expect(all.filter { $0.stream == "authn/early" }.count == 1)
    #expect(all.contains { $0.stream == "authn/later" })
    let gaps = all.filter { $0.type == "log.gap" }
    #expect(gaps.count == 1)
    let data = try JSON(parsing: try #require(gaps.first).data)
    #expect(data["lost"]?.int == 4)
    #expect(data["flows"]?.array == ["authn/early", "authn/lost", "authn/early"])
    #expect(try Verifier(directory: store, disk: disk).run().verdict == .unanchored)
  }

  @Test("best effort: closing a broken log calls back the flows that wait, on the same thread, and no lock is held")
  func waitersOfBrokenLog() throws {
    let recorder = recorder(.bestEffort, durability: .each)
    let log = try recorder.open()
    try log.sync()
    // The log's own thread is held up in a call back, so that it calls back no one else.
    let entered = DispatchSemaphore(value: 0)
    let released = DispatchSemaphore(value: 0)
    let event = FlowEvent.noteAdded(NoteAdded(text: "0"))
    func append(to journal: any FlowJournal) throws {
      let record = FlowRecord(revision: 0, at: time.now(), cause: nil, event: event)
      try journal.append([JournalEntry(record: record, encoded: EventCoding.encode(event))])
    }
    // Passed at once if the log was quicker than this thread: then the next one.
    var holding: JournalBarrier = .passed
    for attempt in 0..<100 {
      let journal = recorder.journal(for: "authn/holding\(attempt)")
      try append(to: journal)
      holding = journal.barrier(resume: { _ in
        entered.signal()
        released.wait()
      })
      guard case .passed = holding else { break }
    }
    guard case .pending = holding else {
      Issue.record("the log was always written before anyone waited for it")
      return
    }
    entered.wait()
    defer { released.signal() }
    let waiting = recorder.journal(for: "authn/waiting")
    try append(to: waiting)
    let heard = Locked<[Bool]>([])
    guard
      case .pending = waiting.barrier(resume: { error in
        _ = recorder.lost
        heard.withLock { $0.append(error == nil) }
      })
    else {
      Issue.record("the log was written before anyone waited for it")
      return
    }
    disk.goAway()
    #expect(throws: StoreError.self) { try log.sync() }
    #expect(log.failure != nil)
    try write("0", to: recorder.journal(for: "authn/next"))
    #expect(heard.withLock { $0 } == [true])
    #expect(recorder.lost == 2)
  }

  @Test("a recorder signs on the schedule of its options")
  func schedule() throws {
    let key = try SigningKey(name: "play")
    var options = LogOptions(durability: .os, origin: "play", checkpoints: CheckpointSchedule(key: key, every: nil))
    options.disk = disk
    let recorder = LogRecorder(directory: store, options: options, clock: time)
    try write("0", to: recorder.journal(for: "authn/one"))
    try recorder.close()
    #expect(try Verifier(directory: store, pinnedKey: key.verifier, disk: disk).run().verdict == .ok)
  }
}

/// A disk that goes away, like a volume that is unplugged, and comes back with what was synced.
private final class ReturningDisk: Disk, @unchecked Sendable {  // guarded by `guardian`
  private let guardian = NSLock()
  private var disk = MemoryDisk(seed: 4)

  private var current: MemoryDisk {
    guardian.lock()
    defer { guardian.unlock() }
    return disk
  }

  var callCount: Int { current.callCount }

  /// Fails each call from now on.
  func goAway() { _ = current.afterCut() }

  /// Answers again; files that were open stay dead.
  func comeBack() {
    let survivor = current.afterCut()
    guardian.lock()
    disk = survivor
    guardian.unlock()
  }

  func open(_ path: String, _ mode: OpenMode) throws(StoreError) -> any DiskFile { try current.open(path, mode) }
  func makeDirectory(_ path: String) throws(StoreError) -> Bool { try current.makeDirectory(path) }
  func names(in directory: String) throws(StoreError) -> [String] { try current.names(in: directory) }
  func rename(_ from: String, to: String) throws(StoreError) { try current.rename(from, to: to) }
  func remove(_ path: String) throws(StoreError) { try current.remove(path) }
  func syncDirectory(_ path: String) throws(StoreError) { try current.syncDirectory(path) }
}
