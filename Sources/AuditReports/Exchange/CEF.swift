// ArcSight Common Event Format, version 0: one line per event, for syslog.

import EventStore
import FlowRecording

/// Security events in CEF, one per line.
enum CEF {
  static func line(of event: SecurityEvent) -> String {
    let head = [
      "CEF:0", "FlowRecorder", "FlowRecorder", event.version, event.action.rawValue, event.action.words,
      String(severity(of: event)),
    ]
    let origin = event.origin
    let fields: [(String, String?)] = [
      ("rt", String(event.evidence.at.microseconds / 1_000)),
      ("start", String(event.flow.started.microseconds / 1_000)),
      ("end", String(event.evidence.at.microseconds / 1_000)), ("suser", event.flow.user),
      ("outcome", event.result.words), ("reason", event.code), ("msg", event.detail), ("dhost", event.host),
      ("app", event.flow.kind), ("externalId", event.id),
      ("cs1Label", "flow"), ("cs1", event.flow.stream), ("cs2Label", "leafHash"),
      ("cs2", event.evidence.leafHash.description), ("cs3Label", "factors"),
      ("cs3", event.factors.isEmpty ? nil : event.factors.joined(separator: ",")), ("cs4Label", "log"),
      ("cs4", event.evidence.origin), ("cn1Label", "position"), ("cn1", String(event.evidence.position)),
      ("src", origin.ipv4), ("c6a2Label", origin.ipv6.map { _ in "Source IPv6 Address" }), ("c6a2", origin.ipv6),
      ("shost", origin.name), ("cs5Label", origin.device.map { _ in "device" }), ("cs5", origin.device),
      ("cs6Label", origin.app.map { _ in "client" }), ("cs6", origin.app),
      ("flexString1Label", event.reason.map { _ in "reason" }), ("flexString1", event.reason?.rawValue),
    ]
    let hasFactors = !event.factors.isEmpty
    let extensions = fields.compactMap { name, value in
      value.flatMap { name == "cs3Label" && !hasFactors ? nil : "\(name)=\(escape($0, "="))" }
    }
    let header = [head[0]] + head.dropFirst().map { escape($0, "|") }
    return header.joined(separator: "|") + "|" + extensions.joined(separator: " ")
  }

  /// 0 to 10.
  private static func severity(of event: SecurityEvent) -> Int {
    switch event.result {
    case .success, .open: event.action == .lock ? 7 : 3
    case .other: 4
    case .failure: 5
    }
  }

  /// Escapes what would end a field or a line: control characters as in JSON, then backslashes and the separator.
  private static func escape(_ text: String, _ separator: Unicode.Scalar) -> String {
    // Works on Unicode scalars: even if a combining mark follows a separator, a reader of the line still sees the
    // separator.
    String(
      text.printable.unicodeScalars.reduce(into: String.UnicodeScalarView()) { out, scalar in
        if scalar == "\\" || scalar == separator { out.append("\\") }
        out.append(scalar)
      })
  }
}
