// What readers of any report must know about a store: records and flows that are missing.

import EventStore
import FlowRecording

extension StoreState {
  /// One sentence each: that records are missing from its end, and that its first ones were pruned.
  package var notes: [String] {
    var notes = StoreReports.shortfall(of: self).map { [$0] } ?? []
    if pruned > 0 {
      notes.append(
        "\(Quantity.count(Int(clamping: pruned), "record")) of \(directory) \(pruned == 1 ? "was" : "were") pruned; "
          + "what stood there alone is not counted.")
    }
    return notes
  }
}

extension FactsSource {
  /// One sentence if flows are left out because their beginning is not in the log.
  package var notes: [String] {
    get throws {
      let count = try prunedFlows
      guard count > 0 else { return [] }
      let words = count == 1 ? "without its beginning is" : "without their beginning are"
      return ["\(Quantity.count(count, "flow")) \(words) not counted."]
    }
  }
}
