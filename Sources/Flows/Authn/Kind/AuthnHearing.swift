// What an application receives from a factor before the result of a call, and what it should receive.

import EventStore
import FlowRecording

/// Observes one call: stores what its closures received.
final class AuthnHearing: Sendable {
  private struct State: Sendable {
    /// The results; nil if the call has no closure for them.
    var results: [String]?
    /// What is wrong with the statuses of polls that wait, each checked on arrival and not kept; nil if the call has no
    /// closure for them.
    var waiting: [String?]?
  }

  private let state = Locked(State())
  private let secrets: PlayedSecrets
  /// Whether the results of the call have events; otherwise, only its answer contains them.
  private let hasEvents: Bool

  /// Observes a call in a replay.
  init(_ call: AuthnCall, _ secrets: PlayedSecrets) {
    hasEvents = call.reportsFactor
    self.secrets = secrets
  }

  /// Makes a closure for the results of the call.
  func result() -> (OktaAPISuccessResponse.FactorResult) -> Void {
    state.withLock { $0.results = [] }
    return { [state] result in state.withLock { $0.results?.append(result.rawValue) } }
  }

  /// Makes a closure for the statuses of polls that wait.
  func waiting<Status: OktaAuthStatus>() -> (Status) -> Void {
    state.withLock { $0.waiting = [] }
    return { [state, secrets] status in
      let complaint = AuthnObjectCheck(status, secrets).complaint
      state.withLock { $0.waiting?.append(complaint) }
    }
  }

  /// A record that a closure is called for.
  enum News: Sendable {
    /// An answer was received. If it makes an object, that can be shown while waiting.
    case answer(isShown: Bool)
    /// A factor reported a result, for a call.
    case updated(result: String, call: Int)

    /// The news of a record; nil if it has none.
    init?(_ record: FlowRecord) {
      if case .responseReceived(let response) = record.event {
        guard case .json(let json) = response.body else {
          self = .answer(isShown: false)
          return
        }
        self = .answer(isShown: AuthnHearing.isShown(json))
      } else if case .domain(let event) = record.event, let updated = FactorUpdated(event) {
        self = .updated(result: updated.result, call: updated.call)
      } else {
        return nil
      }
    }
  }

  /// How what the closures of a call received differs from the records, in a sentence; nil if it does not.
  ///
  /// - Parameter answered: the result in the answer with a status.
  func complaint(of call: Int, _ news: [News], answered: String?) -> String? {
    var (expected, shown, isShown): ([String], Int, Bool) = ([], 0, false)
    for one in news {
      switch one {
      case .answer(let isShownNow): isShown = isShownNow
      case .updated(let result, call):
        expected.append(result)
        if result == "WAITING", isShown { shown += 1 }
      case .updated: break
      }
    }
    if !hasEvents { expected = [answered].compactMap(\.self) }
    let state = state.withLock { $0 }
    if let results = state.results, results != expected {
      return "the results \(results) of the factor were heard of, and not \(expected)"
    }
    guard let waiting = state.waiting else { return nil }
    guard waiting.count == shown else { return "\(waiting.count) waiting statuses were handed over, and not \(shown)" }
    return waiting.lazy.compactMap(\.self).first
  }

  /// Whether an answer makes a pending object: without its token, its factor, or the link of an activation, it does not
  /// (§13.1).
  private static func isShown(_ answer: JSON) -> Bool {
    guard answer["stateToken"]?.string != nil else { return false }
    let embedded = answer["_embedded"]
    let hasFactor = [embedded?["factors"], embedded?["factor"]].contains { list in
      list?.object != nil || list?.array?.contains { $0.object != nil } == true
    }
    switch answer["status"]?.string {
    case "MFA_CHALLENGE": return hasFactor
    case "MFA_ENROLL_ACTIVATE": return hasFactor && answer["_links"]?["next"] != nil
    default: return false
    }
  }
}
