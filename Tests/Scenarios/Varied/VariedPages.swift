// Pages of an org that differ in a few places each from those it sends. The number of a page decides which places, and how.

import EventStore
import FlowRecording

enum VariedPages {
  /// Documents, each of them one of some with other values in a few places.
  ///
  /// - Parameters:
  ///   - documents: the documents, as JSON.
  ///   - count: how many to make of them, in turn.
  ///   - name: what the choices depend on beside the number of a document.
  ///   - isKept: whether a place stays as it is, with all that is above and below it.
  static func of(
    _ documents: [String], _ count: Int, named name: String,
    keeping isKept: (JSONPlace, JSON) -> Bool = { _, _ in false }
  ) -> [String] {
    let parsed = documents.compactMap { try? JSON(parsing: Array($0.utf8)) }
    guard !parsed.isEmpty else { return [] }
    return (0..<count).map { number in
      let chance = Chance("\(name) \(number)")
      let original = parsed[number % parsed.count]
      let all = JSONPlace.all(in: original)
      let kept = all.filter { isKept($0, original) }
      let places = all.filter { place in !kept.contains { $0.isAbove(place) || place.isAbove($0) } }
      var json = original
      for _ in 0..<(1 + number % 6) {
        guard let place = chance.pick(places), let value = json.value(at: place),
          let variation = chance.pick(JSONVariation.variations(of: value)),
          let changed = json.replacing(place.steps[...], with: variation.change(value))
        else { continue }
        json = changed
      }
      return json.text
    }
  }
}

extension JSONPlace {
  /// Whether another place is this one, or within it.
  fileprivate func isAbove(_ other: JSONPlace) -> Bool { other.steps.starts(with: steps) }
}
