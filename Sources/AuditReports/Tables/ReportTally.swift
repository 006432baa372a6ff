// Counting, as reports do it.

import EventStore
import FlowRecording

/// A report in progress: processes the flows one by one and returns the tables at the end.
protocol ReportTally: Sendable {
  /// The parts of flows that it needs.
  static var parts: FlowParts { get }
  /// Processes a flow.
  mutating func add(_ flow: FlowFacts)
  /// The tables. Read once, at the end: the collected values may be moved into them, because copying long ones would
  /// cost more than everything else.
  var tables: [ReportTable] { mutating get }
  /// Notes on the figures.
  var notes: [String] { get }
}

extension ReportTally {
  var notes: [String] { [] }
}

/// A report whose figures depend on events before and after the selected period. It processes all flows of the log, or
/// of the selected person, and notes which of them pass the filter.
protocol HistoryTally: ReportTally {
  /// Processes a flow.
  ///
  /// - Parameter isAsked: whether it passes the filters of the report.
  mutating func add(_ flow: FlowFacts, isAsked: Bool)
}

extension HistoryTally {
  mutating func add(_ flow: FlowFacts) { add(flow, isAsked: true) }
}

/// Counts by name, with the tables that reports make of them.
struct Counts {
  private(set) var numbers: [String: Int] = [:]

  mutating func add(_ name: String?, _ count: Int = 1) { numbers[name ?? "unknown", default: 0] += count }

  var total: Int { numbers.values.reduce(0, +) }

  /// The most frequent first, then by name.
  var sorted: [(name: String, number: Int)] {
    numbers.map { (name: $0.key, number: $0.value) }.sorted { ($1.number, $0.name) < ($0.number, $1.name) }
  }

  /// A table of name, number and share.
  func table(_ key: String, _ title: String, of name: ReportTable.Column) -> ReportTable {
    let total = total
    return ReportTable(
      key, title, [name, .init("count", "count"), .init("percent", "share")],
      sorted.map { [.text($0.name), .number($0.number), .share($0.number, of: total)] })
  }
}

extension FlowFacts {
  /// Whether a person signs in or recovers an account with it.
  var isSignIn: Bool {
    guard isFlow else { return false }
    switch signIn.purpose {
    case .signIn, .recovery, .unlock, .registration: return true
    case .enrollment, .challenge, .tokens: return false
    case nil: return kind == "authn" || kind == "idx"
    }
  }

  /// Whether a person signs in with it, as opposed to recovering, unlocking or registering an account.
  var isPlainSignIn: Bool { isSignIn && (signIn.purpose ?? .signIn) == .signIn }

  /// The purpose of the flow, in one word.
  var purposeWord: String { signIn.purpose?.rawValue ?? "unknown" }

  /// The program, as reported by the application or the requests.
  var clientWord: String? {
    let app = [context.app.name ?? context.app.id, context.app.version].compactMap { $0 }.joined(separator: " ")
    return app.isEmpty ? userAgent : app
  }
}

extension ReportTable.Column {
  static let user = ReportTable.Column("user", "user")
  static let place = ReportTable.Column("place", "place")
  static let flow = ReportTable.Column("flow", "flow")
  static let store = ReportTable.Column("store", "store")
  static let device = ReportTable.Column("device", "device")
  static let origin = ReportTable.Column("origin", "origin")
  static let at = ReportTable.Column("at", "time")
  static let count = ReportTable.Column("count", "count")
}
