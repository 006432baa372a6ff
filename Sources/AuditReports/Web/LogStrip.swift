// The whole log as one strip: what is signed, what is pruned, its checkpoints, and its own events.

import EventStore
import FlowRecording

/// A strip that represents a log.
struct LogStrip {
  private let statistics: StoreStatistics
  private let checkpoints: [UInt64]
  private let events: [(position: UInt64, type: String)]

  /// The events that are marked in addition to checkpoints.
  private static let types: Set<String> = [
    "log.gap", "log.recovered", "log.pruned", "log.restored", "log.rekeyed", "clock.stepped",
  ]
  /// The maximum number of marks of each kind; the latest are drawn.
  private static let most = 500

  init(_ statistics: StoreStatistics, _ notes: [SignedNote], _ own: [StoredRecord]) {
    self.statistics = statistics
    checkpoints = notes.map(\.size).filter { $0 <= statistics.records }.suffix(Self.most)
    events = own.filter { Self.types.contains($0.type) }.map { ($0.position, $0.type) }.suffix(Self.most)
  }

  /// The strip with its legend as HTML; empty for an empty log.
  var html: String {
    let all = statistics.records
    guard all > 0 else { return "" }
    func x(_ position: UInt64) -> Double { Self.width * Double(min(position, all)) / Double(all) }
    func part(_ from: UInt64, _ to: UInt64, _ name: String) -> String {
      to > from
        ? "<rect class=\"\(name)\" x=\"\(Self.short(x(from)))\" y=\"12\" width=\"\(Self.short(x(to) - x(from)))\" height=\"20\"/>"
        : ""
    }
    let pruned = min(statistics.prunedRecords, all)
    let signed = max(pruned, min(statistics.lastCheckpoint?.size ?? 0, all))
    var marks = part(0, pruned, "open") + part(pruned, signed, "good") + part(signed, all, "left") + "\n"
    for size in checkpoints { marks += Self.line(x(size), 32, 44, "checkpoint", "checkpoint of \(size) records") }
    for event in events {
      marks += Self.line(x(event.position), 2, 32, "event", "\(event.type) at \(event.position)")
    }
    let counts = [
      ("good", "\(signed - pruned) covered by a checkpoint"), ("left", "\(all - signed) behind it"),
      ("open", "\(pruned) pruned"),
    ]
    let legend = counts.map { "<li><span class=\"swatch \($0.0)\"></span>\($0.1)</li>" }.joined()
    let about =
      "The log's \(all) records: \(counts.map(\.1).joined(separator: ", ")); "
      + "\(Quantity.count(checkpoints.count, "checkpoint")) below, "
      + "above \(Quantity.count(events.count, "mark")) of gaps, recoveries, prunings and the like"
    return """
      <figure>
      <svg class="strip" viewBox="0 0 \(Int(Self.width)) 46" preserveAspectRatio="none" role="img" aria-label="\(HTML.escape(about))">
      \(marks)</svg>
      <ul class="legend">\(legend)</ul>
      <figcaption>\(HTML.escape(about)).</figcaption>
      </figure>

      """
  }

  private static let width = 720.0

  private static func line(_ x: Double, _ from: Int, _ to: Int, _ name: String, _ title: String) -> String {
    "<line class=\"\(name)\" x1=\"\(short(x))\" y1=\"\(from)\" x2=\"\(short(x))\" y2=\"\(to)\"><title>\(HTML.escape(title))</title></line>\n"
  }

  private static func short(_ number: Double) -> String { String(Double(Int(number * 10)) / 10) }
}
