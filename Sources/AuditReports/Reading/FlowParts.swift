// The parts of each flow that a report needs.

/// Parts of a flow's facts that not every reader needs. An index is faster if some are left out.
package struct FlowParts: OptionSet, Sendable {
  package let rawValue: Int

  package init(rawValue: Int) { self.rawValue = rawValue }

  /// The requests with their answers.
  package static let exchanges = FlowParts(rawValue: 1)
  /// What the application and the requests report about program, device and place.
  package static let context = FlowParts(rawValue: 2)
  /// The token events.
  package static let tokens = FlowParts(rawValue: 4)
  /// Errors by code.
  package static let errors = FlowParts(rawValue: 8)
  /// The attempts by factor.
  package static let tries = FlowParts(rawValue: 16)
  /// Changes of the account.
  package static let changes = FlowParts(rawValue: 32)
  /// The statuses that the flow went through.
  package static let path = FlowParts(rawValue: 64)
  /// What the flow's kind stores for itself: session, transaction, answer.
  package static let memory = FlowParts(rawValue: 128)
  /// The parts that `FlowFacts.place` is derived from.
  package static let place: FlowParts = [.context, .memory]
  /// Not a part: flows without token events may be left out.
  package static let onlyWithTokens = FlowParts(rawValue: 256)
  /// Each time that the flow succeeded.
  package static let successes = FlowParts(rawValue: 512)
  /// All.
  package static let all = FlowParts(rawValue: 767)
}
