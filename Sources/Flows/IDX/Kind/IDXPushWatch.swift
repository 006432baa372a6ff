// The pushes that an Identity Engine sign-in waits for, according to its log.

import EventStore
import FlowRecording

/// Follows a sign-in record by record.
struct IDXPushWatch {
  /// The authenticators that are answered by push.
  private static let authenticators: Set<String> = ["okta_verify", "custom_app"]
  /// The pushes so far; the last one may still be in progress.
  private(set) var pushes: [PushSighting] = []
  private var org: String?
  private var userID: String?
  private var showsNumber = false

  /// Processes the next record.
  mutating func take(_ record: FlowRecord) {
    switch record.event {
    case .flowStarted(let started): org = started.settings["issuer"]?.string
    case .flowEnded: end(.abandoned, record)
    case .responseReceived(let response): take(response)
    case .domain(let event):
      if let changed = RemediationChanged(event) {
        take(changed.data, record)
      } else if let shown = MessageShown(event) {
        take(shown, record)
      }
    case .noteAdded, .callMade, .callReturned, .requestSent, .requestFailed, .drawAsked, .drawMade, .timerSet,
      .timerFired:
      break
    }
    if pushes.last?.outcome == .open { pushes[pushes.count - 1].reach(record) }
  }

  private mutating func end(_ outcome: PushSighting.Outcome, _ record: FlowRecord) {
    if pushes.last?.outcome == .open { pushes[pushes.count - 1].end(outcome, at: record) }
  }

  private mutating func take(_ response: ResponseReceived) {
    guard case .json(let body) = response.body else { return }
    if let id = body["user"]?["value"]?["id"]?.string { userID = id }
    showsNumber = body["currentAuthenticator"]?["value"]?["contextualData"]?["correctAnswer"] != nil
  }

  private mutating func take(_ changed: JSON, _ record: FlowRecord) {
    let summary = changed["summary"]
    let current = summary?["current"]?.string ?? ""
    let offered = changed["offered"]?.array?.compactMap(\.string) ?? []
    if Self.authenticators.contains(current), offered.contains("challenge-poll") {
      guard pushes.last?.outcome != .open else { return }
      var push = PushSighting(.signIn, at: record)
      (push.org, push.userID, push.showsNumber) = (org, userID, showsNumber)
      pushes.append(push)
    } else if Self.authenticators.contains(summary?["answered"]?.string ?? "") || summary?["success"] == true {
      end(.approved, record)
    } else if !Self.authenticators.contains(current) {
      end(.abandoned, record)
    }
  }

  /// An error in a response that no longer offers the push explains why.
  private mutating func take(_ shown: MessageShown, _ record: FlowRecord) {
    let key = shown.data["key"]?.string ?? ""
    if key.contains("rejected") {
      end(.rejected, record)
    } else if key.contains("timeout") || key.contains("expired") {
      end(.timedOut, record)
    }
  }
}
