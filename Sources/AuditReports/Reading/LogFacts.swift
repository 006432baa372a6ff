// One pass over some logs: the facts of every flow, and what the stores say of themselves.

package import EventStore
import FlowKinds
package import FlowRecording

/// What some logs hold, flow by flow: of one log in its own order, of several in that of their first records' times.
package struct LogFacts: Sendable {
  /// The flows, and the streams of applications.
  package private(set) var flows: [FlowFacts] = []
  /// Events that were lost where a log could not be written, as `log.gap` tells.
  package private(set) var lostEvents = 0
  /// How many gaps there are.
  package private(set) var gaps = 0
  /// How many records there are in all.
  package private(set) var records = 0
  /// How many flows are left out since their beginning was pruned: what is left of them folds to no state.
  package var prunedFlows: Int { pruned.count }
  private var places: [Place: Int] = [:]
  private var pruned: Set<Place> = []
  private let kinds: KindRegistry

  private struct Place: Hashable {
    var store: Int
    var stream: ByteName
  }

  /// The stream that belongs to the store itself.
  package static let ownStream = "log"

  /// Nothing read yet.
  package init(kinds: KindRegistry = .standard) { self.kinds = kinds }

  /// Reads some logs or recordings from their beginnings.
  package static func reading(_ logs: [some RecordReading]) throws(StoreError) -> LogFacts {
    var facts = LogFacts()
    for (store, log) in logs.enumerated() {
      let begun = facts.flows.count
      try log.forEach { record throws(StoreError) in facts.add(record, of: store) }
      guard logs.count > 1 else { return facts }
      for index in facts.flows.indices.dropFirst(begun) { facts.flows[index].store = log.directory }
    }
    facts.flows = FlowOrder.began.sorted(facts.flows)
    facts.places = [:]  // of the order before
    return facts
  }

  /// Takes up the next record of a store.
  package mutating func add(_ record: StoredRecord, of store: Int = 0) {
    records += 1
    let place = Place(store: store, stream: ByteName(record.stream))
    if place.stream.text == LogFacts.ownStream { return addOwn(record) }
    if let index = places[place] {
      flows[index].add(record, kinds)
    } else if record.revision > 0 {
      pruned.insert(place)
    } else {
      places[place] = flows.count
      flows.append(FlowFacts(startingWith: record, kinds: kinds))
    }
  }

  private mutating func addOwn(_ record: StoredRecord) {
    guard record.type == "log.gap" else { return }
    gaps += 1
    lostEvents += (try? JSON(parsing: record.data))?["lost"]?.int ?? 0
  }
}
