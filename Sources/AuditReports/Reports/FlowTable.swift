import EventStore

/// The list of flows that `auditctl flows` prints.
package enum FlowTable {
  /// Creates a table of flows.
  ///
  /// - Parameters:
  ///   - flows: the flows to list, in order.
  ///   - all: all flows, so that each abbreviated ID is unique.
  ///   - hasStores: whether each flow names its store.
  ///   - width: the available width.
  ///   - order: the order of the flows. If sorted by start, each day has a heading.
  ///   - zone: the zone of days and times.
  package static func lines(
    _ flows: [FlowFacts], among all: [FlowFacts], width: LineWidth = 80, order: FlowOrder = .began, zone: Zone = .utc
  ) -> [String] {
    lines(
      flows, shortLength: FlowReference.shortLength(of: all.map(\.identifier)),
      hasStores: all.contains { $0.store != nil }, width: width, order: order, zone: zone)
  }

  /// The same, if the number of ID characters that distinguish all flows is already known.
  package static func lines(
    _ flows: [FlowFacts], shortLength length: Int, hasStores: Bool, width: LineWidth = 80,
    order: FlowOrder = .began, zone: Zone = .utc
  ) -> [String] {
    let hasDays = order.key == .started
    let table = TextTable(
      [
        .init("FLOW", mayShrink: length > 16), .init("KIND", mayShrink: true), .init("USER", mayShrink: true),
        .init(hasDays ? "STARTED" : "STARTED (\(zone.name))"),
        .init("MS", alignsRight: true), .init("STATUS", mayShrink: true), .init("EVENTS", alignsRight: true),
        .init("OUTCOME", mayShrink: true),
      ] + (hasStores ? [.init("STORE", mayShrink: true)] : []),
      rows: flows.map { flow in
        let time = zone.clock(flow.started) + zone.mark(flow.started)
        return [
          String(flow.identifier.prefix(length)), flow.kind, flow.user ?? "-",
          hasDays ? time : "\(zone.day(flow.started)) \(time)",
          String(flow.durationMilliseconds), flow.statusWord ?? "-", String(flow.events), flow.outcome,
        ] + (hasStores ? [flow.store ?? "-"] : [])
      })
    let lines = table.lines(width: width)
    guard hasDays else { return lines }
    var out = Array(lines.prefix(1))
    var day = ""
    for (flow, line) in zip(flows, lines.dropFirst()) {
      let next = zone.day(flow.started)
      if next != day { out.append("\(next) \(zone.name)") }
      day = next
      out.append(line)
    }
    // A note that names the columns that are left out.
    return out + lines.dropFirst(1 + flows.count)
  }
}
