// What shipping and collecting need from the engine between them, and nothing more.
package import EventStore

/// Why an engine did not carry out a request.
package enum FleetError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The last message of the store is another one than was expected.
  case wrongSequence
  /// There is no room at the moment.
  case full
  /// It does not answer, or not in time; the request may have been carried out.
  case unreachable(String)
  /// It refuses permanently: missing rights, or a path that is not a directory.
  case refused(StoreError)

  /// What happened, as a clause.
  package var description: String {
    switch self {
    case .wrongSequence: "another message came first"
    case .full: "the engine has no room"
    case .unreachable(let reason): reason
    case .refused(let problem): problem.description
    }
  }
}

/// An engine that keeps the messages of each store in order.
///
/// It is not trusted: it may lose, repeat, reorder and invent messages, and report one as stored when it is not.
package protocol FleetTransport: Sendable {
  /// Stores a message as the next one of its store, if the last one has that sequence; 0 if there must be none. Returns
  /// its sequence.
  func put(_ message: FleetMessage, expecting: UInt64) throws(FleetError) -> UInt64
  /// The last message of a store, and its sequence; nil if there is none.
  func last(of store: String) throws(FleetError) -> FleetDelivery?
  /// Messages of these stores after a cursor, about `limit` of them; none if there are no more at the moment.
  func read(from cursor: FleetCursor, of stores: Set<String>, limit: Int) throws(FleetError) -> FleetBatch
  /// Asks the collectors what they have of a store. Also signals that the host is alive.
  func ask(_ question: FleetQuestion) throws(FleetError) -> [FleetAnswer]
  /// The collector's half of `ask`: its answers to questions from now on.
  func answer(_ answers: [FleetAnswer]) throws(FleetError)
  /// The newest question of each store that was asked since this collector called last.
  func questions(for collector: String) throws(FleetError) -> [FleetQuestion]
  /// The sequence up to which a cursor has read the messages of a store.
  func read(of store: String, by cursor: FleetCursor) -> UInt64
}

/// A message that was read.
package struct FleetDelivery: Sendable, Hashable {
  /// Its number among the messages of its store: ascending, with gaps.
  package var sequence: UInt64
  /// The message.
  package var message: FleetMessage

  /// A delivery from its parts.
  package init(sequence: UInt64, message: FleetMessage) {
    self.sequence = sequence
    self.message = message
  }
}

/// How far a collector has read, by names that the transport gives to what it reads.
package struct FleetCursor: Sendable, Hashable {
  /// The last sequence that was read of each.
  package var positions: [String: UInt64] = [:]

  /// The beginning.
  package init() {}
}

/// The result of a read.
package struct FleetBatch: Sendable, Hashable {
  /// The messages, in order.
  package var deliveries: [FleetDelivery]
  /// Where to read on.
  package var cursor: FleetCursor
  /// Why messages of a store cannot be read, by the store; those of the others are read all the same.
  package var unread: [String: String] = [:]

  /// A batch from its parts.
  package init(deliveries: [FleetDelivery], cursor: FleetCursor) {
    self.deliveries = deliveries
    self.cursor = cursor
  }
}

/// The question that a host asks.
package struct FleetQuestion: Sendable, Hashable {
  /// The store.
  package var store: String
  /// The end of its last file.
  package var end: MirrorPlace
  /// The fault that its own shipper has found; nil if there is none.
  package var trouble: ShipTrouble.Kind?

  /// A question from its parts.
  package init(store: String, end: MirrorPlace, trouble: ShipTrouble.Kind? = nil) {
    self.store = store
    self.end = end
    self.trouble = trouble
  }
}

/// What a collector has of a store.
package struct FleetAnswer: Sendable, Hashable {
  /// The collector's name.
  package var collector: String
  /// The store.
  package var store: String
  /// The sequence up to which it has read.
  package var read: UInt64
  /// The place of the next byte that it wants.
  package var wanted: MirrorPlace
  /// The place of the next byte of the rewritten segment that it is receiving.
  package var staged: MirrorPlace?
  /// The part that is verified and synced.
  package var state: MirrorState
  /// The newest checkpoint that it has verified.
  package var note: String?
  /// The segments that it has in their rewritten form.
  package var rewritten: [UInt64]
  /// The `store.json` that it has, by its length and CRC-32C; empty for none.
  package var identity: String

  /// An answer from its parts.
  package init(
    collector: String, store: String, read: UInt64, wanted: MirrorPlace, staged: MirrorPlace?, state: MirrorState,
    note: String?, rewritten: [UInt64], identity: String
  ) {
    self.collector = collector
    self.store = store
    self.read = read
    self.wanted = wanted
    self.staged = staged
    self.state = state
    self.note = note
    self.rewritten = rewritten
    self.identity = identity
  }

  /// A short identifier for the bytes of a `store.json`.
  package static func mark(of identity: [UInt8]) -> String { "\(identity.count)-\(CRC32C.checksum(identity))" }
}
