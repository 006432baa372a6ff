import Foundation
import Testing

@testable import EventStore

/// Checkpoints that the log signs by itself, and their second place.
@Suite struct ScheduleTests {
  private let disk = MemoryDisk(seed: 31)
  private let metrics = RecordingMetrics()
  private let key: SigningKey
  private let other = "/volume/other"
  private var place: SecondPlace { SecondPlace(directory: other, origin: "play", disk: disk) }

  init() throws {
    key = try SigningKey(name: "play")
    _ = try disk.makeDirectory("/volume")
    _ = try disk.makeDirectory(other)
  }

  private func open(
    every: Duration? = nil, records: UInt64? = nil, onClose: Bool = true, also: String? = nil,
    disk: MemoryDisk? = nil, key: SigningKey? = nil
  ) throws -> EventLog {
    var options = LogOptions(
      durability: .os, origin: "play", clock: { noon }, idleClose: .seconds(3600),
      checkpoints: CheckpointSchedule(
        key: key ?? self.key, every: every, everyRecords: records, onClose: onClose, also: also),
      metrics: metrics)
    options.disk = disk ?? self.disk
    return try EventLog.open(at: Play.store, options: options)
  }

  private func append(_ count: Int, to log: EventLog) throws {
    for index in 0..<count { pass(log, try log.append([record("s", "\(index)")])) }
  }

  private func verdict(_ disk: MemoryDisk? = nil) throws -> VerifyReport {
    try Verifier(directory: Play.store, pinnedKey: key.verifier, disk: disk ?? self.disk).run()
  }

  @Test func `after so many records the log signs by itself, and nothing where nothing was appended`() throws {
    let log = try open(records: 10, onClose: false)
    try append(9, to: log)
    #expect(metrics.wait { if case .signed(let size) = $0 { size >= 10 } else { false } })
    try append(30, to: log)
    #expect(metrics.wait { if case .signed(let size) = $0 { size >= 20 } else { false } })
    try log.close()
    let signed = metrics.all.compactMap { if case .signed(let size) = $0 { size } else { nil } }
    #expect(signed == signed.sorted() && Set(signed).count == signed.count && signed.count <= 4)
    #expect(try verdict().anchoredSize == signed.last)
  }

  @Test func `after so much time the log signs what came since`() throws {
    let log = try open(every: .milliseconds(100), onClose: false)
    try append(3, to: log)
    #expect(metrics.wait { if case .signed(let size) = $0 { size == 4 } else { false } })
    try append(1, to: log)
    #expect(metrics.wait { if case .signed(let size) = $0 { size == 5 } else { false } })
    try log.close()
  }

  @Test(arguments: [Durability.os, .group(milliseconds: 3_600_000)])
  func `what no caller waits for is written soon, however far off the next checkpoint or sync is`(
    _ durability: Durability
  ) throws {
    var options = LogOptions(
      durability: durability, frameBytes: 1, origin: "play", clock: { noon },
      checkpoints: CheckpointSchedule(key: key, every: .seconds(3_600)), metrics: metrics)
    options.disk = disk
    let log = try EventLog.open(at: Play.store, options: options)
    for index in 0..<3 {
      _ = try log.append([record("s", "\(index)")])
      // The first commit is that of `log.opened`.
      #expect(metrics.wait(index + 2) { if case .committed = $0 { true } else { false } }, "record \(index)")
    }
    try log.close()
  }

  @Test func `a log is signed when it closes, once`() throws {
    for appended in [3, 0] {
      let log = try open(also: other)
      try append(appended, to: log)
      try log.close()
    }
    #expect(metrics.all.count { if case .signed = $0 { true } else { false } } == 1)
    #expect(try verdict().verdict == .ok)
    let note = try StoreLayout("").note(at: place.file, on: disk)
    let latest = try StoreLayout(Play.store).latestCheckpoint(on: disk)
    #expect(note?.size == 4 && note?.text == latest?.text)
    try open(also: other).close()
  }

  @Test func `a second place that knows of more refuses the older copy of a log`() throws {
    let log = try open(also: other)
    try append(3, to: log)
    try log.close()
    let older = try disk.contents(of: StoreLayout(Play.store).segment(0), limit: 1 << 20)
    let olderNote = try disk.contents(of: StoreLayout(Play.store).latestCheckpoint, limit: 1 << 20)
    let again = try open(also: other)
    try append(3, to: again)
    try again.close()
    // An older copy of the store is put back, in which the later checkpoint was not.
    let layout = StoreLayout(Play.store)
    try disk.replace(layout.segment(0), with: older, in: layout.segments)
    try disk.replace(layout.latestCheckpoint, with: olderNote, in: layout.checkpoints)
    try disk.remove(layout.checkpoint(7))
    try open().close()
    #expect(throws: StoreError(.truncated, "")) { try open(also: other) }
  }

  @Test func `a second place with another root for a size refuses, also while the log is open`() throws {
    let log = try open(onClose: false, also: other)
    try append(3, to: log)
    _ = try log.checkpoint(with: key)
    // A copy of this log that went on by itself was signed with the same key.
    let forged = try SignedNote(origin: "play", size: 4, root: MerkleTree.leaf([1]), signedBy: key)
    try disk.replace(place.file, with: Array(forged.text.utf8), in: other)
    try append(2, to: log)
    #expect(throws: StoreError(.forked, "")) { try log.checkpoint(with: key) }
    let larger = try SignedNote(origin: "play", size: 40, root: MerkleTree.leaf([1]), signedBy: key)
    try disk.replace(place.file, with: Array(larger.text.utf8), in: other)
    #expect(throws: StoreError(.truncated, "")) { try log.checkpoint(with: key) }
    let foreign = try SignedNote(
      origin: "play", size: 1, root: MerkleTree.leaf([1]), signedBy: SigningKey(name: "play"))
    try disk.replace(place.file, with: Array(foreign.text.utf8), in: other)
    #expect(throws: StoreError(.keyMismatch, "")) { try log.checkpoint(with: key) }
    try disk.replace(place.file, with: Array("garbage".utf8), in: other)
    #expect(throws: StoreError(.malformed, "")) { try log.checkpoint(with: key) }
    #expect(try StoreLayout(Play.store).latestCheckpoint(on: disk)?.size == 4)
    try log.close()
    #expect(throws: StoreError(.malformed, "")) { try open(also: other) }
  }

  @Test func `an earlier checkpoint of this log is replaced, and one by hand goes there too`() throws {
    let log = try open(also: other)
    try append(2, to: log)
    _ = try log.checkpoint(with: key)
    try log.close()
    let alone = try open()
    try append(20, to: alone)
    try alone.close()
    try open(also: other).close()
    #expect(try StoreLayout("").note(at: place.file, on: disk)?.size == 3)  // nothing to sign: closed as it was
    let last = try open(also: other)
    try append(1, to: last)
    #expect(try last.checkpoint(with: key).size == 24)
    #expect(try StoreLayout("").note(at: place.file, on: disk)?.size == 24)
    try last.close()
  }

  @Test func `a note of a key that the store has retired is replaced`() throws {
    let older = try SigningKey(name: "play")
    let log = try open(also: other, key: older)
    try append(2, to: log)
    try log.close()
    let layout = StoreLayout(Play.store)
    var identity = try StoreIdentity(of: layout, on: disk)
    identity.retiredKeys = [RetiredKey(key: older.verifier.description, until: 100)]
    identity.publicKey = key.verifier.description
    try identity.save(to: layout, on: disk)
    let rotated = try open(also: other)
    try append(1, to: rotated)
    try rotated.close()
    let note = try StoreLayout("").note(at: place.file, on: disk)
    #expect(note?.size == 4 && note?.standing(with: key.verifier) == .valid)
  }

  @Test func `a second place that cannot be reached is reported, and the log signed all the same`() throws {
    let log = try open(also: "/volume/missing")
    try append(2, to: log)
    #expect(try log.checkpoint(with: key).size == 3)
    #expect(metrics.all.contains(.checkpointFailed(StoreError(.notFound, ""))))
    _ = try disk.makeDirectory("/volume/missing")
    try append(1, to: log)
    try log.close()
    let late = SecondPlace(directory: "/volume/missing", origin: "play", disk: disk)
    #expect(try StoreLayout("").note(at: late.file, on: disk)?.size == 4)
  }

  @Test func `a checkpoint of the schedule that fails is tried again`() throws {
    let log = try open(records: 5, onClose: false)
    disk.fail(.rename, number: 1, with: .noSpace)
    try append(5, to: log)
    #expect(metrics.wait { if case .checkpointFailed = $0 { true } else { false } })
    // It was to be signed at 5 records or 6, as the threads take turns, and is every five later.
    try append(10, to: log)
    #expect(metrics.wait { if case .signed(let size) = $0 { size >= 11 } else { false } })
    try log.close()
    #expect(try verdict().anchoredSize ?? 0 >= 11)
  }

  @Test(arguments: 0..<60 as Range<UInt64>)
  func `after a power cut the second place never knows of more than the log`(_ seed: UInt64) throws {
    var disk = MemoryDisk(seed: seed)
    _ = try disk.makeDirectory("/volume")
    _ = try disk.makeDirectory(other)
    try disk.syncDirectory("/")
    try disk.syncDirectory("/volume")
    var random = SeededRandom(seed)
    for round in 0..<4 {
      disk.cutPower(afterCalls: 30 + Int(random.next() % 80))
      if let log = try? open(records: 3, also: other, disk: disk) {
        for index in 0..<20 {
          guard let ticket = try? log.append([record("s", "\(round) \(index)")]) else { break }
          _ = log.barrier(ticket) { _ in }
        }
        try? log.close()
      }
      disk = disk.afterCut()
    }
    try open(also: other, disk: disk).close()
    #expect([.ok, .unanchored].contains(try verdict(disk).verdict), "seed \(seed)")
  }

  @Test func `the file of the second place is named after the origin, and cannot leave its directory`() {
    func name(_ origin: String) -> String { SecondPlace(directory: "d", origin: origin, disk: disk).file }
    #expect(name("play") == "d/play.checkpoint")
    #expect(name("example.com/log") == "d/example.com%2Flog.checkpoint")
    #expect(name("../x") == "d/%2E.%2Fx.checkpoint")
    #expect(name("a%2Fb") == "d/a%252Fb.checkpoint")
  }
}
