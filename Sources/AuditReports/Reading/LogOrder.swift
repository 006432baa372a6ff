// The order of what was recorded in several stores.

import EventStore

/// Puts what was recorded in order: within a store that of its log, whatever the clock said; between stores that of the
/// times.
enum LogOrder {
  /// Where something was recorded.
  struct Place {
    /// The store.
    var store: String
    /// When, by the clock of the store.
    var at: Timestamp
    /// The position in the log.
    var position: UInt64
  }

  /// The elements in order. If the clock of a store was put back, what follows counts as no earlier than what was
  /// before it. At the same time, the store of the earliest element in the array comes first. Cost: sorting.
  static func sorted<Element>(_ elements: [Element], _ place: (Element) -> Place) -> [Element] {
    guard elements.count > 1 else { return elements }
    let places = elements.map(place)
    let isInOrder = zip(places, places.dropFirst()).allSatisfy { $0.store == $1.store && $0.position < $1.position }
    guard !isInOrder else { return elements }
    var ranks: [String: Int] = [:]
    let stores = places.map { place -> Int in
      let rank = ranks[place.store] ?? ranks.count
      ranks[place.store] = rank
      return rank
    }
    var times = places.map(\.at)
    var latest: [Int: Timestamp] = [:]
    for index in places.indices.sorted(by: { (places[$0].position, $0) < (places[$1].position, $1) }) {
      times[index] = max(times[index], latest[stores[index]] ?? times[index])
      latest[stores[index]] = times[index]
    }
    let order = places.indices.sorted { one, other in
      (times[one], stores[one], places[one].position, one)
        < (times[other], stores[other], places[other].position, other)
    }
    return order.map { elements[$0] }
  }
}
