// A seeded session on a disk that may fail, and a ledger of what the log promised meanwhile.
import Foundation
import Testing

@testable import EventStore

/// What a log said that it has.
final class Ledger: @unchecked Sendable {  // guarded by `guardian`
  private let guardian = NSLock()
  private var offered: [UInt64: Set<String>] = [:]
  private var latest: [UInt64: String] = [:]
  private var written: [UInt64: String] = [:]
  private var durable: [UInt64: String] = [:]

  private func locked<Result>(_ body: () -> Result) -> Result {
    guardian.lock()
    defer { guardian.unlock() }
    return body()
  }

  /// Notes what was appended under a ticket.
  func offer(_ texts: [String], at ticket: Ticket) {
    locked {
      for (position, text) in zip(ticket.positions, texts) {
        offered[position, default: []].insert(text)
        latest[position] = text
      }
    }
  }

  /// Notes that a ticket's records will never be written: their positions are given again, be it to a record of the log's own.
  func giveUp(_ ticket: Ticket, _ texts: [String]) {
    locked {
      for (position, text) in zip(ticket.positions, texts) where latest[position] == text { latest[position] = nil }
    }
  }

  /// Notes that a ticket's records were acknowledged.
  func acknowledge(_ ticket: Ticket, _ texts: [String], isDurable: Bool) {
    locked {
      for (position, text) in zip(ticket.positions, texts) {
        written[position] = text
        if isDurable { durable[position] = text }
      }
    }
  }

  /// Notes that all before `size` was acknowledged.
  func acknowledgeAll(before size: UInt64, isDurable: Bool) {
    locked {
      for (position, text) in latest where position < size {
        written[position] = text
        if isDurable { durable[position] = text }
      }
    }
  }

  /// What is wrong with the records that a log has, or nil. `isAfterCut`: only what was durable has to be there.
  func fault(in records: [StoredRecord], isAfterCut: Bool) -> String? {
    locked {
      // What stands before the first record was pruned.
      let kept = records.first?.position ?? 0
      for (index, record) in records.enumerated() {
        let position = kept + UInt64(index)
        guard record.position == position else { return "record \(record.position) stands at \(position)" }
        guard record.stream != EventLog.ownStream else { continue }
        let text = String(decoding: record.data, as: UTF8.self)
        guard offered[position]?.contains(text) == true else { return "record \(position) was invented: \(text)" }
      }
      for (position, text) in isAfterCut ? durable : written where position >= kept {
        guard position - kept < UInt64(records.count) else { return "record \(position) of \(records.count) was lost" }
        let found = String(decoding: records[Int(position - kept)].data, as: UTF8.self)
        guard found == text else { return "record \(position) is \(found), not \(text)" }
      }
      return nil
    }
  }

  /// Begins again with what a disk has: all of it must stay.
  func restart(with records: [StoredRecord]) {
    locked {
      offered = [:]
      latest = [:]
      written = [:]
      durable = [:]
      for record in records {
        let text = String(decoding: record.data, as: UTF8.self)
        offered[record.position] = [text]
        latest[record.position] = text
        written[record.position] = text
        durable[record.position] = text
      }
    }
  }
}

/// One seeded session after another on one disk.
struct Play {
  static let store = "/volume/audit"
  let ledger = Ledger()
  let durability: Durability
  let key: SigningKey
  /// Whether it seals and prunes, too.
  private let seals: Bool
  private var random: SeededRandom
  private var count = 0
  /// What was appended and not waited for.
  private var pending: [(ticket: Ticket, texts: [String])] = []

  /// What is done with a log.
  enum Step: String, CaseIterable, Hashable {
    case open, append, sync, flush, checkpoint, close, seal, prune

    /// What is drawn for it.
    fileprivate var turn: UInt64 {
      switch self {
      case .checkpoint: 0
      case .sync: 2
      case .flush: 4
      case .close: 5
      case .seal: 6
      case .prune: 7
      case .open, .append: 8
      }
    }
  }
  /// What was done when the power went, or last.
  private(set) var step = Step.open

  init(seed: UInt64, seals: Bool = false) throws {
    self.seals = seals
    random = SeededRandom(seed ^ 0xF10E)
    durability = [.each, .group(milliseconds: 1), .os][Int(seed % 3)]
    key = try SigningKey(name: "play")
  }

  private mutating func roll(_ sides: UInt64) -> UInt64 { random.next() % sides }

  private mutating func options(on disk: MemoryDisk) -> LogOptions {
    var options = LogOptions(
      durability: durability, segmentBytes: 1_024 << Int(roll(4)), frameBytes: 200 << Int(roll(4)), origin: "play",
      clock: { noon }, idleClose: .seconds(3600))
    options.disk = disk
    return options
  }

  /// Opens the store and does `steps` things with it; goes on after each error, since a log must bear that. With a `last`
  /// step, that follows, with something to write, and the power goes at once.
  mutating func run(on disk: MemoryDisk, steps: Int, last: Step? = nil) {
    var log: EventLog?
    pending = []
    func enter(_ next: Step) {
      guard disk.callAtCut == nil else { return }
      step = next
      if last == next { disk.cutPower(afterCalls: 1) }
    }
    for number in 0...steps {
      let isLast = number == steps
      if isLast, last == nil { break }
      if log == nil { enter(.open) }
      settle(in: log)
      guard let open = log ?? (try? EventLog.open(at: Self.store, options: options(on: disk))) else { continue }
      log = open
      if isLast { append(to: open, waits: false) }
      switch isLast ? last?.turn ?? 0 : roll(24) {
      case 0...1:
        enter(.checkpoint)
        if (try? open.checkpoint(with: key)) != nil { acknowledgeAll(in: open, isDurable: true) }
      case 2...3:
        enter(.sync)
        if (try? open.sync()) != nil { acknowledgeAll(in: open, isDurable: true) }
      case 4:
        enter(.flush)
        if (try? open.flush()) != nil { acknowledgeAll(in: open, isDurable: false) }
      case 6 where seals:
        enter(.seal)
        if (try? open.seal()) != nil { acknowledgeAll(in: open, isDurable: true) }
      case 7 where seals:
        enter(.prune)
        let limit = PruningLimit.position(open.size / (1 + roll(3)))
        if (try? open.prune(before: limit, signingWith: key)) != nil {
          acknowledgeAll(in: open, isDurable: true)
        }
      case 5:
        enter(.close)
        if (try? open.close()) != nil { acknowledgeAll(in: open, isDurable: true) }
        log = nil
      default:
        enter(.append)
        append(to: open)
      }
      // A log that takes nothing more is opened again, as it says.
      if log != nil, (try? open.append([], expecting: .fresh)) == nil {
        try? open.close()
        log = nil
      }
    }
    settle(in: log)
    try? log?.close()
  }

  /// Asks what became of what was not waited for: what failed is not expected to be there. Without a log it is open.
  private mutating func settle(in log: EventLog?) {
    let ledger = ledger
    pending.removeAll { ticket, texts in
      guard let log else {
        ledger.giveUp(ticket, texts)
        return true
      }
      guard log.engine.withMonitor({ log.engine.queue.error(of: ticket) }) != nil else { return false }
      ledger.giveUp(ticket, texts)
      return true
    }
  }

  /// Notes that all that the log has was acknowledged.
  private mutating func acknowledgeAll(in log: EventLog, isDurable: Bool) {
    settle(in: log)
    ledger.acknowledgeAll(before: log.size, isDurable: isDurable)
  }

  private mutating func append(to log: EventLog, waits: Bool = true) {
    let size = Int(roll(16) == 0 ? 6_000 : 40)
    let texts = (0...Int(roll(3))).map { _ in
      count += 1
      let noise = (0..<size / 16).map { _ in String(random.next(), radix: 36) }.joined()
      return "{\"text\":\"\(count) \(noise)\"}"
    }
    let stream = "s/\(roll(5))"
    let batch = texts.map { NewRecord(at: noon, stream: stream, type: "t", data: Array($0.utf8)) }
    guard let ticket = try? log.append(batch) else { return }
    ledger.offer(texts, at: ticket)
    guard waits, roll(4) > 0 else { return pending.append((ticket, texts)) }
    let done = DispatchSemaphore(value: 0)
    let (ledger, isEach) = (ledger, durability == .each)
    let outcome = log.barrier(ticket) { error in
      if error == nil { ledger.acknowledge(ticket, texts, isDurable: true) } else { ledger.giveUp(ticket, texts) }
      done.signal()
    }
    switch outcome {
    case .passed: ledger.acknowledge(ticket, texts, isDurable: isEach)
    case .pending: #expect(done.wait(timeout: .now() + 60) == .success)
    case .failed: ledger.giveUp(ticket, texts)
    }
  }

  /// Looks at the store as it is, opens it, looks again; returns what is wrong, or nil.
  func fault(on disk: MemoryDisk, isAfterCut: Bool) -> String? {
    do {
      let before = verdict(on: disk)
      if let before, ![.ok, .unanchored, .torn, .pruned].contains(before.verdict) { return "before: \(before)" }
      var options = LogOptions(origin: "play", clock: { noon })
      options.disk = disk
      let log = try EventLog.open(at: Self.store, options: options)
      if let fault = ledger.fault(in: try records(on: disk), isAfterCut: isAfterCut) { return fault }
      try log.close()
      let all = try records(on: disk)
      guard let after = verdict(on: disk) else { return "no store" }
      if ![.ok, .unanchored, .pruned].contains(after.verdict) { return "after: \(after)" }
      let pruned = try LogReader(directory: Self.store, disk: disk).firstKept()
      if !seals, pruned > 0 { return "\(pruned) were pruned, and the play did not ask for it" }
      let size = pruned + UInt64(all.count)
      if after.records != size { return "verify counts \(after.records), there are \(size)" }
      for stream in Set(all.map(\.stream)) {
        let found = try LogReader(directory: Self.store, disk: disk).keptRecords(of: stream)
        if found != all.filter({ $0.stream == stream }) { return "the stream \(stream) is read otherwise" }
      }
      let counted = try LogReader(directory: Self.store, disk: disk).statistics().records
      if counted != size { return "statistics count \(counted), there are \(size)" }
      ledger.restart(with: all)
      return nil
    } catch {
      return "does not open: \(error)"
    }
  }

  private func verdict(on disk: MemoryDisk) -> VerifyReport? {
    try? Verifier(directory: Self.store, pinnedKey: key.verifier, disk: disk).run()
  }

  private func records(on disk: MemoryDisk) throws -> [StoredRecord] {
    var cursor = try LogReader(directory: Self.store, disk: disk).cursor()
    var all: [StoredRecord] = []
    while let record = try cursor.next() { all.append(record) }
    return all
  }
}
