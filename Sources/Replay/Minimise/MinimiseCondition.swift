// What a recording must still show after everything else has been removed from it.

import EventStore
import FlowKinds
import FlowRecording

/// What a minimized recording must still show.
public enum MinimiseCondition: Sendable {
  /// A replay diverges first in the same way: the same kind of divergence, of the same event and member, in the same
  /// call, with the same values on both sides.
  case diverges
  /// A flow gets this status, whatever the case: `MFA_CHALLENGE`, `identify`.
  case status(String)
  /// A flow ends with this outcome, in the words of the log or of lists (`success`, `lockedOut`), or a call ends with
  /// an error of this code, the SDK's or the org's.
  case outcome(String)
  /// The caller's test passes.
  case test(@Sendable (Recording) -> Bool)
}

/// Why a recording cannot be minimized.
public enum MinimiseError: Error, Sendable, CustomStringConvertible {
  /// The recording itself does not show the behavior to keep.
  case notShown(recording: String, what: String)
  /// The recording cannot be replayed at all.
  case unreadable(ReplayError)

  /// One sentence: what, where, and what to do.
  public var description: String {
    switch self {
    case .notShown(let recording, let what):
      "\(recording) \(what), so there is nothing to keep; look at it with auditctl show"
    case .unreadable(let error): error.description
    }
  }
}

extension MinimiseCondition {
  /// A check of recordings, made for what the original shows; `nil` if it does not show it.
  ///
  /// - Parameter ignoringTexts: whether the values of a divergence may be other texts.
  /// - Throws: `ReplayError` if the original cannot be replayed.
  func check(
    of original: Recording, kinds: KindRegistry, ignoringTexts: Bool = false
  ) throws(ReplayError) -> (@Sendable (Recording) -> Bool)? {
    let shows: @Sendable (Recording) -> Bool
    switch self {
    case .diverges:
      guard let (kept, depth) = try Self.divergence(of: original, kinds: kinds) else { return nil }
      return { recording in
        guard let first = try? Replay.replay(recording, kinds: kinds, depth: depth).first else { return false }
        let found = KeptDivergence(first)
        return ignoringTexts ? found.withoutTexts == kept.withoutTexts : found == kept
      }
    case .status(let status):
      let wanted = status.lowercased()
      shows = { recording in
        recording.flows.contains { flow in
          FlowStatuses.of(flow, kinds: kinds).contains { $0.lowercased() == wanted }
        }
      }
    case .outcome(let outcome):
      shows = { recording in
        recording.flows.contains { FlowOutcomes.of($0, kinds: kinds).contains(outcome) }
      }
    case .test(let test): shows = test
    }
    guard shows(original) else { return nil }
    // A flow that the SDK would not make is not a valid recording; if the original diverges, its parts may diverge too.
    guard try Replay.replay(original, kinds: kinds).isEmpty else { return shows }
    return { recording in shows(recording) && (try? Replay.replay(recording, kinds: kinds).isEmpty) == true }
  }

  /// Whether a divergence is kept.
  var isDivergence: Bool { if case .diverges = self { true } else { false } }

  /// A phrase for what the original does not show.
  var absence: String {
    switch self {
    case .diverges: "does not diverge"
    case .status(let status): "has no status \(status)"
    case .outcome(let outcome): "has no flow or call that ends with \(outcome)"
    case .test: "does not pass the test"
    }
  }

  private static func divergence(
    of recording: Recording, kinds: KindRegistry
  ) throws(ReplayError) -> (KeptDivergence, ReplayDepth)? {
    for depth in [ReplayDepth.core, .whole] {
      if let first = try Replay.replay(recording, kinds: kinds, depth: depth).first {
        return (KeptDivergence(first), depth)
      }
    }
    return nil
  }
}

/// How a flow and its calls ended.
enum FlowOutcomes {
  /// The outcomes of a flow, in the words of the log and of lists, and the error codes of its calls.
  static func of(_ flow: RecordedFlow, kinds: KindRegistry) -> Set<String> {
    let kind = kinds.kind(of: flow.records)
    var facts = SignInFacts()
    var outcomes: Set<String> = []
    for record in flow.records {
      kind?.note(record, in: &facts)
      switch record.event {
      case .flowEnded(let ended): outcomes.formUnion([ended.outcome, facts.outcome(of: ended.outcome)])
      case .callReturned(let returned):
        guard case .failed(let code, let details) = returned.outcome else { continue }
        outcomes.formUnion([code, details["errorCode"]?.string].compactMap { $0 })
      case .flowStarted, .noteAdded, .callMade, .requestSent, .responseReceived, .requestFailed, .timerSet, .timerFired,
        .drawAsked, .drawMade, .domain:
        break
      }
    }
    return outcomes
  }
}

/// The statuses of a flow, in the words of its kind.
enum FlowStatuses {
  /// Each status that the flow gets, in order; consecutive repeats are listed once.
  static func of(_ flow: RecordedFlow, kinds: KindRegistry) -> [String] {
    guard let kind = kinds.kind(of: flow.records) else { return [] }
    var facts = SignInFacts()
    var statuses: [String] = []
    for record in flow.records {
      kind.note(record.event.type, { record.event.data }, in: &facts)
      if let status = facts.status, status != statuses.last { statuses.append(status) }
    }
    return statuses
  }
}
