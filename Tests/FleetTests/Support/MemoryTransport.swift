// An engine in memory that misbehaves as a test wants it, from a seed.
@testable import EventStore
@testable import Fleet

/// The engine of a simulation. One thread uses it.
final class MemoryTransport: FleetTransport, @unchecked Sendable {
  /// Of 1,000 calls, how many go wrong in each way.
  struct Faults {
    var drop = 0
    var duplicate = 0
    var reorder = 0
    var staleRead = 0
    var falseAck = 0
    var lostAck = 0
    var twoWinners = 0
    var unreachable = 0
    var flip = 0
  }

  var faults = Faults()
  var isFull = false
  private(set) var happened: [String: Int] = [:]
  private var random: SeededRandom
  private var entries: [FleetDelivery] = []
  private var next: UInt64 = 1
  private var answers: [String: FleetAnswer] = [:]
  private var asked: [FleetQuestion] = []
  private var heard: [String: Int] = [:]

  init(seed: UInt64) { random = SeededRandom(seed) }

  /// True for so many of 1,000.
  private func comes(_ name: String, _ chance: Int) -> Bool {
    guard chance > 0, Int(random.next() % 1_000) < chance else { return false }
    happened[name, default: 0] += 1
    return true
  }

  func put(_ message: FleetMessage, expecting: UInt64) throws(FleetError) -> UInt64 {
    if comes("unreachable", faults.unreachable) { throw .unreachable("the simulation says so") }
    if isFull { throw .full }
    let last = entries.last { $0.message.store == message.store }?.sequence ?? 0
    guard last == expecting || comes("two winners", faults.twoWinners) else { throw .wrongSequence }
    if comes("false ack", faults.falseAck) { return next }
    store(message)
    if comes("duplicate", faults.duplicate) { store(message) }
    if comes("lost ack", faults.lostAck) { throw .unreachable("the acknowledgement was lost") }
    return next - 1
  }

  /// Puts a message there whatever anyone expects: someone else's.
  func store(_ message: FleetMessage) {
    entries.append(FleetDelivery(sequence: next, message: message))
    next += 1
  }

  func last(of store: String) throws(FleetError) -> FleetDelivery? {
    if comes("unreachable", faults.unreachable) { throw .unreachable("the simulation says so") }
    let own = entries.filter { $0.message.store == store }
    if own.count > 1, comes("stale read", faults.staleRead) { return own[own.count - 2] }
    return own.last
  }

  func read(from cursor: FleetCursor, of stores: Set<String>, limit: Int) throws(FleetError) -> FleetBatch {
    var batch = FleetBatch(deliveries: [], cursor: cursor)
    var known = cursor.positions["all"] ?? 0
    // A number that is not there yet is of an engine that began again: it is read from its beginning.
    if known >= next {
      known = 0
      batch.cursor.positions["all"] = 0
    }
    for entry in entries where entry.sequence > known && batch.deliveries.count < limit {
      batch.cursor.positions["all"] = entry.sequence
      guard stores.contains(entry.message.store), !comes("drop", faults.drop) else { continue }
      var entry = entry
      if comes("flip", faults.flip), !entry.message.bytes.isEmpty {
        let place = Int(random.next() % UInt64(entry.message.bytes.count))
        entry.message.bytes[place] ^= 1 << UInt8(random.next() % 8)
      }
      batch.deliveries.append(entry)
      if comes("repeated", faults.duplicate) { batch.deliveries.append(entry) }
      let count = batch.deliveries.count
      if count > 1, comes("reorder", faults.reorder) { batch.deliveries.swapAt(count - 1, count - 2) }
    }
    return batch
  }

  func ask(_ question: FleetQuestion) throws(FleetError) -> [FleetAnswer] {
    asked.append(question)
    return answers.sorted { $0.key < $1.key }.map(\.value).filter { $0.store == question.store }
  }

  func answer(_ answers: [FleetAnswer]) throws(FleetError) {
    for answer in answers { self.answers[answer.collector + " " + answer.store] = answer }
  }

  func questions(for collector: String) throws(FleetError) -> [FleetQuestion] {
    defer { heard[collector] = asked.count }
    return Array(asked[(heard[collector] ?? 0)...])
  }

  func read(of store: String, by cursor: FleetCursor) -> UInt64 { cursor.positions["all"] ?? 0 }

  /// How many messages it has stored since it began.
  var count: UInt64 { next - 1 }

  /// Loses all messages.
  func wipe() { entries = [] }

  /// Forgets the sequences too, as an engine that was made again.
  func reset() {
    entries = []
    next = 1
  }
}
