// The pushes that a classic sign-in waits for, according to its log.

import EventStore
import FlowRecording

/// Follows a sign-in from record to record.
struct AuthnPushWatch {
  /// The pushes so far; the last one may still be in progress.
  private(set) var pushes: [PushSighting] = []
  private var org: String?
  private var userID: String?
  private var showsNumber = false

  /// Processes the next record.
  mutating func take(_ record: FlowRecord) {
    switch record.event {
    case .flowStarted(let started): org = started.settings["org"]?.string
    case .flowEnded: if isOpen { pushes[pushes.count - 1].end(.abandoned, at: record) }
    case .responseReceived(let response): take(response)
    case .domain(let event):
      if let changed = StatusChanged(event) {
        take(changed, record)
      } else if let updated = FactorUpdated(event) {
        take(updated.result, record)
      }
    case .noteAdded, .callMade, .callReturned, .requestSent, .requestFailed, .drawAsked, .drawMade, .timerSet,
      .timerFired:
      break
    }
    if isOpen { pushes[pushes.count - 1].reach(record) }
  }

  private var isOpen: Bool { pushes.last?.outcome == .open }

  private mutating func take(_ response: ResponseReceived) {
    guard case .json(let body) = response.body else { return }
    let embedded = body["_embedded"]
    if let id = embedded?["user"]?["id"]?.string { userID = id }
    showsNumber = embedded?["factor"]?["_embedded"]?["challenge"]?["correctAnswer"] != nil
  }

  private mutating func take(_ changed: StatusChanged, _ record: FlowRecord) {
    let factor = changed.summary["factors"]?.array?.first
    if changed.status == AuthnVocabulary.challenge, factor?["type"]?.string == "push" {
      take(changed.summary["factorResult"]?.string ?? "", record)
    } else if isOpen {
      // Statuses that follow a satisfied challenge; the others lead back, or away.
      let isAway = ["MFA_REQUIRED", "CANCELLED"].contains(changed.status)
      pushes[pushes.count - 1].end(isAway ? .abandoned : .approved, at: record)
    }
  }

  private mutating func take(_ result: String, _ record: FlowRecord) {
    switch result {
    case "WAITING":
      if !isOpen {
        var push = PushSighting(.signIn, at: record)
        (push.org, push.userID, push.showsNumber) = (org, userID, showsNumber)
        pushes.append(push)
      }
      if showsNumber { pushes[pushes.count - 1].showsNumber = true }
    case "REJECTED": if isOpen { pushes[pushes.count - 1].end(.rejected, at: record) }
    case "TIMEOUT": if isOpen { pushes[pushes.count - 1].end(.timedOut, at: record) }
    case "": break
    // Any other result of the org: the push did not succeed.
    case _: if isOpen { pushes[pushes.count - 1].end(.failed, at: record) }
    }
  }
}
