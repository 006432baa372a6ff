@testable import EventStore
@testable import Fleet

/// An engine whose collectors have read all and say that they have verified less, each another part, whatever comes.
final class DoubtingCollectors: FleetTransport, @unchecked Sendable {
  private let engine: MemoryTransport
  private var sequence: UInt64 = 0
  private var identity = ""
  private(set) var end = MirrorPlace.start
  /// How often the log started again.
  private(set) var beginnings = 0

  init(over engine: MemoryTransport) { self.engine = engine }

  func put(_ message: FleetMessage, expecting: UInt64) throws(FleetError) -> UInt64 {
    sequence = try engine.put(message, expecting: expecting)
    if message.content == .identity {
      identity = FleetAnswer.mark(of: message.bytes)
    } else {
      end = message.end
      if message.place == .start { beginnings += 1 }
    }
    return sequence
  }

  func ask(_ question: FleetQuestion) throws(FleetError) -> [FleetAnswer] {
    [MirrorPlace.start, MirrorPlace(segment: end.segment, offset: end.offset / 2)].enumerated().map {
      number, verified in
      FleetAnswer(
        collector: "collector-\(number)", store: question.store, read: sequence, wanted: end, staged: nil,
        state: MirrorState(end: verified, size: 0, signed: nil, signedSize: 0), note: nil, rewritten: [],
        identity: identity)
    }
  }

  func last(of store: String) throws(FleetError) -> FleetDelivery? { try engine.last(of: store) }
  func read(from cursor: FleetCursor, of stores: Set<String>, limit: Int) throws(FleetError) -> FleetBatch {
    try engine.read(from: cursor, of: stores, limit: limit)
  }
  func answer(_ answers: [FleetAnswer]) throws(FleetError) { try engine.answer(answers) }
  func questions(for collector: String) throws(FleetError) -> [FleetQuestion] { try engine.questions(for: collector) }
  func read(of store: String, by cursor: FleetCursor) -> UInt64 { engine.read(of: store, by: cursor) }
}
