// The state of a flow for tokens, and what follows from an input. No I/O, no clock, no random numbers.

import EventStore
package import FlowRecording

/// A flow of the OAuth 2.0 and OpenID Connect client: one operation, such as a sign-in or a renewal.
package struct OIDCCore: FlowCore {
  /// The kind's name.
  package static var kind: String { "oidc" }
  /// What may be written of its messages.
  package static var policy: MaskingPolicy { OIDCPolicy.policy }
  /// The draws that it may make.
  package static let draws: DrawDeclarations = .standard(and: OIDCDraws.declarations)

  /// Calls, requests and the outcome.
  package internal(set) var ledger = Ledger<OIDCCall, OIDCStep>()
  /// The configuration of the flow.
  package internal(set) var settings = OIDCSettings()
  /// The operation of the flow; nil before its first call.
  package internal(set) var operation: OIDCOperation?
  /// Awaited draws in progress, by the revision of their `draw.asked`.
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
  /// Whether something has begun that has not ended.
  package var isOpen: Bool { ledger.isOpen }

  /// A draw of an operation that has ended, or of a step that has an answer, no longer matters.
  package func awaits(draw revision: Int) -> Bool {
    guard let step = asked[revision], let operation, isUnderWay else { return false }
    return operation.answers[step] == nil && (step != .browse || operation.answers[.resumed] == nil)
  }

  /// Whether the operation's call is pending.
  package var isUnderWay: Bool { operation.map { ledger.calls[$0.call] != nil } ?? false }

  /// Whether the operation waits for a redirect that the application itself may provide.
  package var awaitsRedirect: Bool {
    guard isUnderWay, let operation, operation.answers[.resumed] == nil, operation.failure == nil else { return false }
    return operation.answers[.open] != nil || asked.values.contains(.browse)
  }

  /// How far the server's clock is ahead of ours, in microseconds.
  var skew: Int64 {
    let kept = (operation?.claimed?["clockSkew"] ?? operation?.arguments["clockSkew"])?.double ?? 0
    return ledger.skew ?? Int64(min(max(kept, -Self.farthest), Self.farthest))
  }

  /// Ten thousand years, in microseconds: a limit for clock differences.
  private static let farthest = 3.2e17
}
