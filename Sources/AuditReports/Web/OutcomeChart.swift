// Flows by day and outcome, as a bar chart rendered by the server.

import EventStore
import FlowRecording

/// One bar per day, divided by groups of outcomes.
struct OutcomeChart {
  /// Keyed by the number of the day since 1970.
  private var counts: [Int64: [Outcome: Int]] = [:]
  /// The maximum number of days; the latest days with flows are shown.
  private static let most = 30

  /// Creates an empty chart.
  init() {}

  /// Creates a chart of flows.
  init(of flows: [FlowFacts]) { for flow in flows { add(flow) } }

  /// Counts a flow.
  mutating func add(_ flow: FlowFacts) {
    counts[flow.started.microseconds / 86_400_000_000, default: [:]][Outcome(flow.outcome), default: 0] += 1
  }

  private static func name(_ day: Int64) -> String { Zone.utc.day(Timestamp(microseconds: day * 86_400_000_000)) }

  /// The chart with its legend as HTML; empty if there are no flows.
  var html: String {
    let days = counts.sorted { $0.key < $1.key }.suffix(Self.most)
    guard let first = days.first?.key, let last = days.last?.key else { return "" }
    let (width, height) = (720, 180)
    let most = days.map { $0.value.values.reduce(0, +) }.max() ?? 1
    let step = Double(width) / Double(days.count)
    let bar = min(step * 0.8, 48)
    var bars = ""
    for (index, day) in days.enumerated() {
      var y = Double(height)
      let all = Outcome.allCases.compactMap { group in day.value[group].map { "\($0) \(group.name)" } }
      bars += "<g><title>\(HTML.escape(Self.name(day.key))): \(all.joined(separator: ", "))</title>"
      for group in Outcome.allCases {
        guard let count = day.value[group] else { continue }
        let part = Double(height - 10) * Double(count) / Double(most)
        y -= part
        bars +=
          "<rect class=\"\(group.rawValue)\" x=\"\(Self.short(Double(index) * step + (step - bar) / 2))\""
          + " y=\"\(Self.short(y))\" width=\"\(Self.short(bar))\" height=\"\(Self.short(part))\"/>"
      }
      bars += "</g>\n"
    }
    let legend = Outcome.allCases.map { "<li><span class=\"swatch \($0.rawValue)\"></span>\($0.name)</li>" }.joined()
    let isWhole = last - first < days.count
    let about =
      "Flows by day and outcome, from \(Self.name(first)) to \(Self.name(last)), "
      + "\(isWhole ? "" : "days without flows left out, ")at most \(most) a day"
    return """
      <figure>
      <svg class="chart" viewBox="0 0 \(width) \(height)" role="img" aria-label="\(HTML.escape(about))">
      \(bars)<line class="axis" x1="0" y1="\(height)" x2="\(width)" y2="\(height)"/>
      </svg>
      <figcaption>\(HTML.escape(about)) (UTC).</figcaption>
      <ul class="legend">\(legend)</ul>
      </figure>

      """
  }

  private static func short(_ number: Double) -> String { String(Double(Int(number * 10)) / 10) }
}
