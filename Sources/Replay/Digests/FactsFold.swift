// Folds the facts of a flow for lists and reports, which no event and no state shows.

import EventStore
import FlowKinds
import FlowRecording

/// The facts of a sign-in after each of its events.
struct FactsFold<Kind: FlowKind> {
  private var facts = SignInFacts()
  /// The facts as text, without those about the present.
  private(set) var text: [UInt8] = []

  /// Applies the next event.
  mutating func take(_ record: FlowRecord) {
    let before = facts
    Kind.note(record, in: &facts)
    var unchanged = facts
    unchanged.now = before.now
    guard unchanged != before else { return }
    text = Self.text(of: facts, ended: facts.outcome(of: "abandoned"))
  }

  private static func text(of facts: SignInFacts, ended: String) -> [UInt8] {
    let words: [String?] = [
      facts.status, facts.typed, facts.login, facts.purpose?.rawValue, facts.standing?.rawValue, ended,
      facts.path.joined(separator: " "),
    ]
    var lines = words.map { $0 ?? "-" }
    lines += facts.tries.map { attempt in
      let end = attempt.ended.map { "\($0.microseconds)" } ?? "open"
      return "\(attempt.factor.rawValue) \(attempt.began.microseconds) \(end) \(attempt.failure?.rawValue ?? "-")"
    }
    lines += facts.changes.map { "\($0.kind.rawValue) \($0.factor?.rawValue ?? "-") \($0.at.microseconds)" }
    lines += facts.setbacks.map { "\($0.key.rawValue) \($0.value)" }.sorted()
    lines += facts.shown.map { "\($0.key) \($0.value)" }.sorted()
    lines += facts.memory.map { "\($0.key) \($0.value)" }.sorted()
    return Array(lines.joined(separator: "\n").utf8)
  }
}
