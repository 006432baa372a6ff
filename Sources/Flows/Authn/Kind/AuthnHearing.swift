// What an application hears of a factor on the way, and what it should.

import EventStore
import FlowRecording

/// Listens to one call: keeps what its closures got.
final class AuthnHearing: Sendable {
  private struct State: @unchecked Sendable {
    /// The results; nil if the call has no closure for them.
    var results: [String]?
    /// The statuses of polls that wait; nil if the call has no closure for them.
    var waiting: [OktaAuthStatus]?
  }

  private let state = Locked(State())

  /// Makes a closure for the results of the call.
  func result() -> (OktaAPISuccessResponse.FactorResult) -> Void {
    state.withLock { $0.results = [] }
    return { [state] result in state.withLock { $0.results?.append(result.rawValue) } }
  }

  /// Makes a closure for the statuses of polls that wait.
  func waiting<Status: OktaAuthStatus>() -> (Status) -> Void {
    state.withLock { $0.waiting = [] }
    return { [state] status in state.withLock { $0.waiting?.append(status) } }
  }

  /// What a call's closures got otherwise than the records say, in a sentence; nil if they got it all.
  func complaint(of call: Int, _ records: [FlowRecord]) -> String? {
    let expected = records.compactMap { record -> String? in
      guard case .domain(let event) = record.event, let updated = FactorUpdated(event), updated.call == call else {
        return nil
      }
      return updated.result
    }
    let state = state.withLock { $0 }
    if let results = state.results, results != expected {
      return "the results \(results) of the factor were heard of, and not \(expected)"
    }
    guard let waiting = state.waiting else { return nil }
    guard waiting.count == expected.filter({ $0 == "WAITING" }).count else {
      return "\(waiting.count) waiting statuses were handed over"
    }
    return waiting.lazy.compactMap { AuthnObjectCheck($0).complaint }.first
  }
}
