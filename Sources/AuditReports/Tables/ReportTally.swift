// Counting, as reports do it.

import EventStore
import FlowRecording

/// One report on its way: takes the flows one by one, and is a report at the end.
protocol ReportTally: Sendable {
  /// What it needs of the flows.
  static var parts: FlowParts { get }
  /// Takes up a flow.
  mutating func add(_ flow: FlowFacts)
  /// The tables. Is asked for once, at the end: what was gathered for them may be given away, since a copy of long ones
  /// costs more than all else.
  var tables: [ReportTable] { mutating get }
  /// What a reader has to know of the figures.
  var notes: [String] { get }
}

extension ReportTally {
  var notes: [String] { [] }
}

/// A report whose figures stand on what was before and after the time that is asked for: it takes up all flows of the
/// log, or of the person in question, and takes along which of them the request names.
protocol HistoryTally: ReportTally {
  /// Takes up a flow.
  ///
  /// - Parameter isAsked: whether it passes the filters of the report.
  mutating func add(_ flow: FlowFacts, isAsked: Bool)
}

extension HistoryTally {
  mutating func add(_ flow: FlowFacts) { add(flow, isAsked: true) }
}

/// Values by name, with what reports make of them.
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
  /// Whether a person signs in by it, or recovers an account.
  var isSignIn: Bool {
    guard isFlow else { return false }
    switch signIn.purpose {
    case .signIn, .recovery, .unlock, .registration: return true
    case .enrollment, .challenge, .tokens: return false
    case nil: return kind == "authn" || kind == "idx"
    }
  }

  /// Whether a person signs in by it, and does not recover, unlock or register an account.
  var isPlainSignIn: Bool { isSignIn && (signIn.purpose ?? .signIn) == .signIn }

  /// What the flow is for, in a word.
  var purposeWord: String { signIn.purpose?.rawValue ?? "unknown" }

  /// The program, as the application says or the requests do.
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
  static let at = ReportTable.Column("at", "time")
  static let count = ReportTable.Column("count", "count")
}
