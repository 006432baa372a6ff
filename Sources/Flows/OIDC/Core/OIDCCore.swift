// The state of a flow for tokens, and what follows from an input. No I/O, no clock, no random numbers.

import EventStore
package import FlowRecording

/// A flow of the OAuth 2.0 and OpenID Connect client: one operation, such as a sign-in or a renewal.
package struct OIDCCore: FlowCore {
  /// The kind's name.
  package static var kind: String { "oidc" }
  /// What may be written of its messages.
  package static var policy: MaskingPolicy { OIDCPolicy.policy }
  /// What it draws.
  package static let draws: DrawDeclarations = .standard(and: OIDCDraws.declarations)

  /// Calls, requests and the outcome.
  package internal(set) var ledger = Ledger<OIDCCall, OIDCStep>()
  /// What the flow is configured with.
  package internal(set) var settings = OIDCSettings()
  /// What the flow is about; nil before its first call.
  package internal(set) var operation: OIDCOperation?
  /// The awaited draws under way, by the revision of their `draw.asked`.
  package internal(set) var asked: [Int: OIDCStep] = [:]
  /// The step that the latest input answers; nil if it answers none.
  package internal(set) var lastStep: OIDCStep?

  /// The state before the first event.
  package init() {}

  /// No object of this kind holds a state.
  package var snapshotRevision: Int? { nil }
  /// The calls that wait.
  package var openCalls: Set<Int> { Set(ledger.calls.keys) }
  /// The timer of the operation.
  package var awaitedTimers: Set<Int> { isUnderWay ? Set([operation?.timer].compactMap { $0 }) : [] }
  /// Whether something was begun that has not ended.
  package var isOpen: Bool { ledger.isOpen }

  /// A draw of an operation that is over, or of a step that has an answer, counts no more.
  package func awaits(draw revision: Int) -> Bool {
    guard let step = asked[revision], let operation, isUnderWay else { return false }
    return operation.answers[step] == nil && (step != .browse || operation.answers[.resumed] == nil)
  }

  /// Whether the operation's call waits.
  package var isUnderWay: Bool { operation.map { ledger.calls[$0.call] != nil } ?? false }

  /// Whether the operation waits for a redirect that the application itself may hand in.
  package var awaitsRedirect: Bool {
    guard isUnderWay, let operation, operation.answers[.resumed] == nil, operation.failure == nil else { return false }
    return operation.answers[.open] != nil || asked.values.contains(.browse)
  }

  /// How far the server's clock is ahead of ours, in microseconds.
  var skew: Int64 {
    let kept = (operation?.claimed?["clockSkew"] ?? operation?.arguments["clockSkew"])?.double ?? 0
    return ledger.skew ?? Int64(min(max(kept, -Self.farthest), Self.farthest))
  }

  /// Ten thousand years, in microseconds: no clock is farther off.
  private static let farthest = 3.2e17
}
