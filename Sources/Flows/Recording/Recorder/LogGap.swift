// The events that a recorder could not write, until it can say so.

import EventStore

/// Lost events that are not recorded yet.
struct LogGap {
  /// The streams that are named: the first ones.
  static let mostFlows = 50

  private(set) var events = 0
  private(set) var flows: [String] = []
  private(set) var since: Timestamp?
  private(set) var reason = ""

  /// Counts lost events. The time and the reason are those of the first.
  mutating func lose(_ events: Int, of stream: String, at time: Timestamp, reason: String) {
    self.events += events
    if flows.last != stream, flows.count < Self.mostFlows { flows.append(stream) }
    if since == nil {
      since = time
      self.reason = reason
    }
  }

  /// Restores a gap that could not be recorded.
  mutating func join(earlier gap: LogGap) {
    events += gap.events
    flows = gap.flows + flows.filter { !gap.flows.contains($0) }
    since = gap.since ?? since
    reason = gap.reason
  }

  /// The data of `log.gap` (docs/EVENTS.md §8).
  var data: JSON {
    .members([
      ("lost", .int(events)), ("flows", .array(flows.map(JSON.string))),
      ("since", since.map { .string($0.description) }), ("reason", .string(reason)),
    ])
  }
}
