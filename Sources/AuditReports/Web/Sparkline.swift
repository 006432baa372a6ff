// Flows per hour, as one line.

import EventStore
import FlowRecording

/// A line of the number of flows in each hour of the log's last days.
struct Sparkline {
  private var counts: [Int64: Int] = [:]
  /// The number of hours shown: one week.
  private static let hours: Int64 = 7 * 24
  private static let hour: Int64 = 3_600_000_000

  mutating func add(_ flow: FlowFacts) { counts[flow.started.microseconds / Self.hour, default: 0] += 1 }

  /// The line as HTML; empty if there are no flows.
  var html: String {
    guard let last = counts.keys.max(), let most = counts.filter({ $0.key > last - Self.hours }).values.max() else {
      return ""
    }
    let (width, height) = (720.0, 48.0)
    let points = (0..<Self.hours).map { index in
      let count = counts[last - Self.hours + 1 + index] ?? 0
      let x = Double(index) * width / Double(Self.hours - 1)
      return "\(Self.short(x)),\(Self.short(height - 2 - (height - 4) * Double(count) / Double(most)))"
    }
    let end = Timestamp(microseconds: last * Self.hour)
    let about =
      "Flows by the hour, the seven days to \(Zone.utc.day(end)) \(Zone.utc.clock(end)), at most \(most) an hour"
    return """
      <figure>
      <svg class="spark" viewBox="0 0 \(Int(width)) \(Int(height))" preserveAspectRatio="none" role="img" aria-label="\(HTML.escape(about))">
      <polyline points="\(points.joined(separator: " "))"/>
      </svg>
      <figcaption>\(HTML.escape(about)) (UTC).</figcaption>
      </figure>

      """
  }

  private static func short(_ number: Double) -> String { String(Double(Int(number * 10)) / 10) }
}
