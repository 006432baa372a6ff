import EventStore

/// The list of flows that `auditctl flows` prints.
package enum FlowTable {
  /// A table of flows, a heading before each day, within `width` columns.
  ///
  /// - Parameters:
  ///   - flows: the flows to list, in order.
  ///   - all: every flow there is, so that the shortened ids name one flow only.
  package static func lines(_ flows: [FlowFacts], among all: [FlowFacts], width: Int = 80) -> [String] {
    let length = FlowReference.shortLength(of: all.map(\.identifier))
    let table = TextTable(
      [
        .init("FLOW", mayShrink: true), .init("KIND", mayShrink: true), .init("USER", mayShrink: true),
        .init("STARTED"),
        .init("MS", alignsRight: true), .init("STATUS", mayShrink: true), .init("EVENTS", alignsRight: true),
        .init("OUTCOME", mayShrink: true),
      ],
      rows: flows.map { flow in
        [
          String(flow.identifier.prefix(length)), flow.kind, flow.user ?? "-", time(flow),
          String(flow.durationMilliseconds), flow.status ?? "-", String(flow.events), flow.outcome,
        ]
      })
    let lines = table.lines(width: width)
    var out = Array(lines.prefix(1))
    var day = ""
    for (flow, line) in zip(flows, lines.dropFirst()) {
      let next = String(flow.started.description.prefix(10))
      if next != day { out.append("\(next) UTC") }
      day = next
      out.append(line)
    }
    return out
  }

  private static func time(_ flow: FlowFacts) -> String { String(flow.started.description.dropFirst(11).prefix(8)) }
}
