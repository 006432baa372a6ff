// A flow as a sequence diagram of the application, the SDK, the org, and the device with its keys, browser, and person.

import EventStore
import FlowRecording

/// The events of a flow as arrows between four lanes.
struct SequenceDiagram {
  private enum Lane: Int, CaseIterable {
    case application, sdk, org, device

    var name: String {
      switch self {
      case .application: "Application"
      case .sdk: "SDK"
      case .org: "Org"
      case .device: "Device"
      }
    }
    /// The horizontal position of the lane's line.
    var x: Int { 80 + rawValue * 290 }
  }

  private struct Arrow {
    var from: Lane
    var to: Lane
    var label: String
    var tone: Words.Tone
    var revision: Int
  }

  private let arrows: [Arrow]
  /// The number of events that are not drawn.
  private let rest: Int
  /// The maximum number of events. A longer diagram would be useless for a person and expensive for a browser.
  private static let limit = 400

  /// Creates the diagram of a timeline.
  init(_ line: TimeLine) {
    let all = line.records.enumerated().map { index, record in
      let (from, to) = Self.lanes(of: record.event)
      return Arrow(
        from: from, to: to, label: line.entries[index].words, tone: line.entries[index].tone, revision: record.revision)
    }
    arrows = Array(all.prefix(Self.limit))
    rest = all.count - arrows.count
  }

  /// The sender and the receiver of an event.
  private static func lanes(of event: FlowEvent) -> (Lane, Lane) {
    switch event {
    case .callMade: (.application, .sdk)
    case .callReturned: (.sdk, .application)
    case .requestSent: (.sdk, .org)
    case .responseReceived, .requestFailed: (.org, .sdk)
    case .drawAsked(let asked): (.sdk, isAbroad(asked.kind.rawValue) ? .device : .sdk)
    case .drawMade(let made): (isAbroad(made.kind.rawValue) ? .device : .sdk, .sdk)
    case .noteAdded: (.application, .application)
    case .flowStarted, .flowEnded, .timerSet, .timerFired: (.sdk, .sdk)
    case .domain(let event): event.type == "challenge.received" ? (.org, .device) : (.sdk, .sdk)
    }
  }

  /// Whether a draw is answered by keys, storage, a browser, or a person rather than by computation.
  private static func isAbroad(_ kind: String) -> Bool {
    ["device.", "storage.", "browser.", "tokens.", "registry."].contains { kind.hasPrefix($0) } || kind == "signature"
  }

  /// The diagram as HTML.
  var html: String {
    let (top, step) = (52, 34)
    let height = top + arrows.count * step + 24
    let lanes = Lane.allCases.map { lane in
      "<line class=\"lane\" x1=\"\(lane.x)\" y1=\"36\" x2=\"\(lane.x)\" y2=\"\(height)\"/>"
        + "<text class=\"head\" x=\"\(lane.x)\" y=\"24\" text-anchor=\"middle\">\(lane.name)</text>\n"
    }.joined()
    let marks = arrows.enumerated().map { Self.svg($0.element, y: top + $0.offset * step + 20) }.joined()
    let more = rest > 0 ? "<p>\(Quantity.count(rest, "more event")) stand in the time line below.</p>\n" : ""
    return """
      <p class="hint">Slide the diagram sideways to see all of it.</p>
      <div class="wide" tabindex="0" role="region" aria-label="Sequence diagram">
      <svg class="sequence" viewBox="0 0 1120 \(height)" width="1120" height="\(height)" role="img"
        aria-label="Sequence diagram of \(Quantity.count(arrows.count, "event")); the time line below says the same in words">
      \(lanes)\(marks)</svg>
      </div>
      \(more)
      """
  }

  private static func svg(_ arrow: Arrow, y: Int) -> String {
    let title = "<title>\(arrow.revision): \(HTML.escape(arrow.label))</title>"
    let tone = arrow.tone.styleClass
    if arrow.from == arrow.to {
      // There is no space to the right of the last lane.
      let isLast = arrow.from == .device
      let room = isLast ? 24 : 60
      return "<g class=\"\(tone)\">\(title)<circle cx=\"\(arrow.from.x)\" cy=\"\(y - 4)\" r=\"4\"/>"
        + "<text x=\"\(arrow.from.x + 10)\" y=\"\(y)\">\(HTML.escape(arrow.label.printable.cut(to: room)))</text></g>\n"
    }
    let span = abs(arrow.to.x - arrow.from.x)
    let middle = (arrow.from.x + arrow.to.x) / 2
    let direction = arrow.to.x > arrow.from.x ? 1 : -1
    let end = arrow.to.x - 2 * direction
    let tip = "M\(end),\(y) l\(-8 * direction),-4 v8 z"
    // One character takes about seven units.
    return "<g class=\"\(tone)\">\(title)<line x1=\"\(arrow.from.x)\" y1=\"\(y)\" x2=\"\(end)\" y2=\"\(y)\""
      + "/><path class=\"tip\" d=\"\(tip)\"/><text x=\"\(middle)\" y=\"\(y - 5)\" text-anchor=\"middle\">"
      + "\(HTML.escape(arrow.label.printable.cut(to: span / 7 - 2)))</text></g>\n"
  }
}
