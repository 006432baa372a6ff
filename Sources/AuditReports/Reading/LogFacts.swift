// One pass over some logs: the facts of every flow, and the stores' own events.

package import EventStore
import FlowKinds
package import FlowRecording

/// A record of the store itself: it was created, recovered or pruned, or its clock was set.
package struct OwnEvent: Sendable, Equatable {
  /// The store, if several are read.
  package var store: String?
  /// When.
  package var at: Timestamp
  /// The position in its log.
  package var position: UInt64
  /// What happened: `log.pruned`.
  package var type: String
  /// The event's data.
  package var data: JSON
  /// For a recorder's event: the time of the last flow record between it and the recorder's next event; nil if there is
  /// none, or if it was not determined.
  package var recorded: Timestamp?
  /// For a recorder's event: the stretches between it and these records that are longer than two heartbeats. Known if
  /// the recorder's next event is later than that.
  var pauses: [RecorderRun.Stretch] = []

  package init(store: String?, at: Timestamp, position: UInt64, type: String, data: JSON) {
    self.store = store
    self.at = at
    self.position = position
    self.type = type
    self.data = data
  }
}

/// What reports are made from: the facts of flows in the order in which they began, and the stores' own events.
package protocol FactsSource {
  /// The records of the stores' own streams, in order.
  var own: [OwnEvent] { get }
  /// The same records; the recorder's events have the times of flow records after them, as far as its runs depend on
  /// these.
  func ownWithRecords() throws -> [OwnEvent]
  /// Whether several stores are read, so that flows name their store.
  var hasSeveralStores: Bool { get }
  /// The number of flows left out because their beginning was pruned: their remaining records do not fold to a state.
  var prunedFlows: Int { get throws }
  /// Calls `body` with the facts of each flow that passes a filter, including streams of applications.
  ///
  /// - Parameter parts: what `body` needs. Other parts may be empty.
  func forEachFlow(_ filter: FlowFilter, parts: FlowParts, _ body: (FlowFacts) -> Void) throws
  /// Calls `body` with the facts of each flow that used any of the given tokens, in the same order.
  func forEachFlow(ofTokens ids: Set<String>, parts: FlowParts, _ body: (FlowFacts) -> Void) throws
}

extension FactsSource {
  /// If all records are read, the events already have these times.
  package func ownWithRecords() throws -> [OwnEvent] { own }

  /// The same with all parts.
  package func forEachFlow(_ filter: FlowFilter, _ body: (FlowFacts) -> Void) throws {
    try forEachFlow(filter, parts: .all, body)
  }

  /// The number of events lost because a log could not be written, according to `log.gap`.
  package var lostEvents: Int {
    own.reduce(0) { sum, event in
      // A forged number must not trap.
      let lost = event.type == "log.gap" ? event.data["lost"]?.int ?? 0 : 0
      return sum.addingReportingOverflow(lost).partialValue
    }
  }

  /// How many gaps there are.
  package var gaps: Int { own.reduce(0) { $0 + ($1.type == "log.gap" ? 1 : 0) } }
}

/// The contents of some logs, flow by flow: of one log in its own order, of several by the times of their first
/// records.
package struct LogFacts: FactsSource, Sendable {
  /// The flows, and the streams of applications.
  package private(set) var flows: [FlowFacts] = []
  /// The records of the stores' own streams.
  package private(set) var own: [OwnEvent] = []
  /// Whether several stores were read.
  package private(set) var hasSeveralStores = false
  /// The streams that were skipped because their flows cannot pass a filter known in advance.
  package private(set) var passedOver: [String] = []
  private var passed: Set<Place> = []
  /// The number of flows left out because their beginning was pruned.
  package var prunedFlows: Int { pruned.count }
  private var places: [Place: Int] = [:]
  private var pruned: Set<Place> = []
  /// Where the recorder's latest event of the current store is in `own`, and its signs of life.
  private var recorder: (store: Int, index: Int, pulse: RecorderPulse)?
  private let kinds: KindRegistry

  private struct Place: Hashable {
    var store: Int
    var stream: ByteName
  }

  /// The stream that belongs to the store itself.
  package static let ownStream = "log"

  /// Makes facts without any records.
  package init(kinds: KindRegistry = .standard) { self.kinds = kinds }

  /// Reads some logs or recordings from the beginning.
  package static func reading(_ logs: [some RecordReading]) throws(StoreError) -> LogFacts {
    try reading(logs) { _, _ in true }
  }

  /// Reads only some of their streams; the others are in `passedOver`.
  static func reading(
    _ logs: [some RecordReading], of isWanted: (_ store: Int, _ stream: ByteName) -> Bool
  ) throws(StoreError) -> LogFacts {
    var facts = LogFacts()
    for (store, log) in logs.enumerated() {
      let (begun, own) = (facts.flows.count, facts.own.count)
      try log.forEach { record throws(StoreError) in
        let stream = ByteName(record.stream)
        if stream.text == ownStream || isWanted(store, stream) {
          facts.add(record, of: store)
        } else {
          facts.passOver(record, Place(store: store, stream: stream))
        }
      }
      guard logs.count > 1 else { return facts }
      for index in facts.flows.indices.dropFirst(begun) { facts.flows[index].store = log.directory }
      for index in facts.own.indices.dropFirst(own) { facts.own[index].store = log.directory }
    }
    facts.flows = FlowOrder.began.sorted(facts.flows)
    facts.places = [:]  // of the order before
    facts.passed = []
    facts.hasSeveralStores = true
    return facts
  }

  /// Processes the next record of a store.
  package mutating func add(_ record: StoredRecord, of store: Int = 0) {
    let place = Place(store: store, stream: ByteName(record.stream))
    if place.stream.text == LogFacts.ownStream { return addOwn(record, of: store) }
    note(record, of: store)
    if let index = places[place] {
      flows[index].add(record, kinds)
    } else if record.revision > 0 {
      pruned.insert(place)
    } else {
      places[place] = flows.count
      flows.append(FlowFacts(startingWith: record, kinds: kinds))
    }
  }

  private mutating func passOver(_ record: StoredRecord, _ place: Place) {
    note(record, of: place.store)
    if record.revision == 0 {
      if passed.insert(place).inserted { passedOver.append(record.stream) }
    } else if !passed.contains(place) {
      pruned.insert(place)
    }
  }

  private mutating func addOwn(_ record: StoredRecord, of store: Int) {
    guard let event = OwnEvent(record) else { return }
    if RecorderRuns.types.contains(event.type) {
      var pulse = RecorderPulse(event)
      if let recorder, recorder.store == store { pulse = recorder.pulse }
      pulse.take(event)
      recorder = (store, own.count, pulse)
    }
    own.append(event)
  }

  /// Notes a flow's record as evidence that its recorder was running.
  private mutating func note(_ record: StoredRecord, of store: Int) {
    guard let index = recorder?.index, recorder?.store == store else { return }
    own[index].recorded = record.at
    if let pause = recorder?.pulse.take(recordAt: record.at) { own[index].pauses.append(pause) }
  }

  /// Calls `body` with each flow that passes.
  package func forEachFlow(_ filter: FlowFilter, parts: FlowParts, _ body: (FlowFacts) -> Void) {
    for flow in flows where filter.passes(flow) { body(flow) }
  }

  /// Calls `body` with each flow that used any of the given tokens.
  package func forEachFlow(ofTokens ids: Set<String>, parts: FlowParts, _ body: (FlowFacts) -> Void) {
    for flow in flows where !flow.tokenIDs.isDisjoint(with: ids) { body(flow) }
  }
}

extension OwnEvent {
  /// Reads a record of a store's own stream; nil for records that are not about its life cycle.
  package init?(_ record: StoredRecord) {
    guard record.type != "snapshot.taken" else { return nil }
    self.init(
      store: nil, at: record.at, position: record.position, type: record.type,
      data: (try? JSON(parsing: record.data)) ?? [:])
  }
}
