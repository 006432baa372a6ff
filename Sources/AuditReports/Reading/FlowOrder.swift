/// The order in which flows are listed.
package struct FlowOrder: Sendable, Equatable {
  /// The columns of the list that flows can be sorted by.
  package enum Key: String, Sendable, CaseIterable {
    case started, flow, kind, user, duration, status, events, outcome, store
  }

  /// The column to sort by.
  package let key: Key
  /// Whether the greatest comes first.
  package let isDescending: Bool

  /// The order in which flows began.
  package static let began = FlowOrder(.started)

  /// Makes an order by a column.
  package init(_ key: Key, isDescending: Bool = false) {
    self.key = key
    self.isDescending = isDescending
  }

  /// The order that a text names: `duration`, or `-duration` for the longest first. Nil if the text names none.
  package init?(_ text: String) {
    let isDescending = text.hasPrefix("-")
    let name = text.dropFirst(isDescending ? 1 : 0).lowercased()
    guard let key = name == "durationms" || name == "ms" ? .duration : Key(rawValue: name) else { return nil }
    self.init(key, isDescending: isDescending)
  }

  /// Sorts the flows; equal ones keep their order.
  package func sorted(_ flows: [FlowFacts]) -> [FlowFacts] {
    if self == .began, zip(flows, flows.dropFirst()).allSatisfy({ $0.started <= $1.started }) { return flows }
    let order = flows.indices.sorted { one, other in
      let (left, right) = isDescending ? (flows[other], flows[one]) : (flows[one], flows[other])
      if comesBefore(left, right) { return true }
      return !comesBefore(right, left) && one < other
    }
    return order.map { flows[$0] }
  }

  private func comesBefore(_ one: FlowFacts, _ other: FlowFacts) -> Bool {
    switch key {
    case .started: one.started < other.started
    case .flow: one.stream < other.stream
    case .kind: one.kind < other.kind
    case .user: Self.text(one.user) < Self.text(other.user)
    case .duration: one.durationMilliseconds < other.durationMilliseconds
    case .status: Self.text(one.statusWord) < Self.text(other.statusWord)
    case .events: one.events < other.events
    case .outcome: one.outcome < other.outcome
    case .store: Self.text(one.store) < Self.text(other.store)
    }
  }

  private static func text(_ text: String?) -> String { text?.lowercased() ?? "" }
}
