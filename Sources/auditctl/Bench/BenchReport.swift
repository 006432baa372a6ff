import EventStore

/// The seconds that each part of the work took; nil if SQLite refused it.
struct BenchRound {
  var append = 0.0
  var scan = 0.0
  var open = 0.0
  /// For one sign-in.
  var fold = 0.0
  /// For one sign-in.
  var replay = 0.0
  var peerAppend: Double?
  var peerScan: Double?
}

/// The measurements.
struct BenchReport {
  let rounds: [BenchRound]
  let events: Int

  /// One line of the report.
  private struct Figure {
    var name: String
    var unit: String
    var value: Double
    var peer: Double?
  }

  private var rows: [Figure] {
    func median(_ part: (BenchRound) -> Double?) -> Double? {
      let sorted = rounds.compactMap(part).sorted()
      return sorted.isEmpty ? nil : sorted[sorted.count / 2]
    }
    func rate(_ part: (BenchRound) -> Double?) -> Double? { median(part).map { Double(events) / max($0, 1e-9) } }
    return [
      Figure(name: "append", unit: "events/s", value: rate(\.append) ?? 0, peer: rate(\.peerAppend)),
      Figure(name: "scan", unit: "events/s", value: rate(\.scan) ?? 0, peer: rate(\.peerScan)),
      Figure(name: "open", unit: "ms", value: (median(\.open) ?? 0) * 1_000),
      Figure(name: "fold", unit: "ms a sign-in", value: (median(\.fold) ?? 0) * 1_000),
      Figure(name: "replay", unit: "ms a sign-in", value: (median(\.replay) ?? 0) * 1_000),
    ]
  }

  private var hasPeer: Bool { rounds.contains { $0.peerAppend != nil } }

  /// The members of `auditctl bench --json`.
  var json: JSON {
    let figures: [JSON] = rows.map { row in
      JSON.members([
        ("name", .string(row.name)), ("unit", .string(row.unit)), ("value", Self.number(row.value)),
        ("sqlite", row.peer.map(Self.number)), ("ratio", row.peer.map { Self.number(row.value / max($0, 1e-9)) }),
      ])
    }
    return [
      "events": .int(events), "rounds": .int(rounds.count), "sqlite": .bool(hasPeer), "figures": .array(figures),
    ]
  }

  /// The report as text.
  var lines: [String] {
    var lines = [Self.line("", "log", "SQLite", "ratio", "")]
    for row in rows {
      lines.append(
        Self.line(
          row.name, Self.text(row.value), row.peer.map(Self.text) ?? "",
          row.peer.map { Self.text(row.value / max($0, 1e-9)) } ?? "", row.unit))
    }
    lines.append("")
    lines.append("\(events) events of about 0.8 KB, median of \(rounds.count) rounds; append with its last sync.")
    if !hasPeer { lines.append("SQLite is left out: it refused the work.") }
    #if DEBUG
      lines.append("This program was built for debugging: a release build is several times faster.")
    #endif
    return lines
  }

  private static func line(_ name: String, _ log: String, _ peer: String, _ ratio: String, _ unit: String) -> String {
    func left(_ text: String, _ width: Int) -> String {
      String(repeating: " ", count: max(0, width - text.count)) + text
    }
    let line =
      name + String(repeating: " ", count: max(0, 8 - name.count)) + left(log, 12) + left(peer, 12) + left(ratio, 8)
    return unit.isEmpty ? line : line + "  " + unit
  }

  /// Three significant digits, or all before the decimal point.
  private static func text(_ value: Double) -> String {
    if value >= 100 { return String(Int(value.rounded())) }
    let step = value >= 10 ? 10.0 : value >= 1 ? 100.0 : 1_000.0
    return String((value * step).rounded() / step)
  }

  private static func number(_ value: Double) -> JSON { .number(text(value)) }
}
