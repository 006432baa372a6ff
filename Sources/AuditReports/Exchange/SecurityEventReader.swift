// Converts records to security events, in one pass and in log order.

import EventStore
import FlowKinds
import FlowRecording

/// Reads the records of one log in order and returns security events. For a sign-in, there is an event for each refused
/// attempt, and one for how the flow ended. For tokens and pushes, there is one for each that was issued, renewed,
/// ended or answered. For an account, there is one for each change that the org confirmed.
struct SecurityEventReader {
  private struct Flow {
    var facts: FlowFacts
    var org: String?
    var sdk: String?
    /// The calls that are open, by their revision.
    var calls: [Int: String] = [:]
    /// The purpose of the flow, if it is not a sign-in.
    var purpose: SecurityEvent.Action?
    /// A change that counts unless the next answer of the org is an error.
    var pending: SecurityEvent?
    var last: SecurityEvent.Evidence
    /// The authenticator that the org requires next.
    var current: String?
    /// Whether a refused attempt was reported.
    var hasFailed = false
    var hasEnded = false
  }

  private let store: String
  private let origin: String
  private let kinds: KindRegistry
  private var flows: [ByteName: Flow] = [:]
  private var order: [ByteName] = []

  /// Makes a reader of the log with this identity.
  init(of identity: StoreIdentity, kinds: KindRegistry = .standard) {
    (store, origin, self.kinds) = (identity.id, identity.origin, kinds)
  }

  /// Processes the next record.
  ///
  /// - Returns: the events that it shows.
  mutating func add(_ record: StoredRecord) -> [SecurityEvent] {
    let name = ByteName(record.stream)
    guard name.text != LogFacts.ownStream else { return [] }
    let evidence = SecurityEvent.Evidence(
      store: store, origin: origin, position: record.position, leafHash: record.leafHash, at: record.at)
    guard var flow = flows[name] else {
      guard record.revision == 0, record.type == FlowStarted.type else { return [] }
      let data = Self.data(of: record)
      flows[name] = Flow(
        facts: FlowFacts(startingWith: record, kinds: kinds),
        org: data["settings"]?["org"]?.string ?? data["settings"]?["issuer"]?.string,
        sdk: data["sdk"]?.string, last: evidence)
      order.append(name)
      return []
    }
    flow.facts.add(record, kinds)
    flow.last = evidence
    let found = Self.events(of: record, in: &flow)
    flows[name] = flow
    return found
  }

  /// Returns the events that are pending at the end: a change that nothing contradicted, and sign-ins that have not
  /// ended.
  mutating func finish() -> [SecurityEvent] {
    defer { (flows, order) = ([:], []) }
    return order.flatMap { name -> [SecurityEvent] in
      guard var flow = flows[name] else { return [] }
      var found = flow.pending.map { [$0] } ?? []
      flow.pending = nil
      if !flow.hasEnded, flow.purpose == nil, ["authn", "idx"].contains(flow.facts.kind) {
        found.append(Self.event(.logon, .open, flow))
      }
      return found
    }
  }

  // MARK: One record

  private static func events(of record: StoredRecord, in flow: inout Flow) -> [SecurityEvent] {
    let type = record.type
    var found: [SecurityEvent] = []
    if let pending = flow.pending, type != "message.shown" {
      found.append(pending)
      flow.pending = nil
    }
    switch type {
    case CallMade.type:
      let call = data(of: record)["call"]?.string ?? ""
      flow.calls[record.revision] = call
      flow.hasEnded = false
      flow.purpose = flow.purpose ?? purposes[call]
    case CallReturned.type: found += returned(data(of: record), in: &flow)
    case FlowEnded.type: found += ended(flow.facts.outcome, in: &flow)
    case "status.changed": found += status(data(of: record), in: flow)
    case "remediation.changed": remediation(data(of: record), in: &flow)
    case "message.shown": found += message(data(of: record), in: &flow)
    default:
      guard var known = plain[type] else { break }
      let content = Self.data(of: record)
      if ["token.refused", "enrollment.failed"].contains(type) {
        guard let action = failed(content, flow, otherwise: known.action) else { break }
        known.action = action
      }
      found.append(plain(known, content, flow))
    }
    return found
  }

  /// Calls that begin something other than a sign-in.
  private static let purposes: [String: SecurityEvent.Action] = [
    "recoverPassword": .passwordReset, "recoverWithToken": .passwordReset, "unlockAccount": .unlock, "unlock": .unlock,
  ]

  /// Device and token events that are reported one to one.
  private static let plain: [String: (action: SecurityEvent.Action, result: SecurityEvent.Result)] = [
    "token.refreshed": (.tokenRenewal, .success), "token.refused": (.logon, .failure),
    "token.revoked": (.logoff, .success),
    "challenge.resolved": (.pushAnswer, .success), "challenge.rejected": (.pushAnswer, .failure),
    "challenge.failed": (.pushAnswer, .failure), "challenge.expired": (.pushAnswer, .other("expired")),
    "enrollment.completed": (.factorEnable, .success), "enrollment.failed": (.factorEnable, .failure),
    "enrollment.deleted": (.factorDisable, .success),
  ]

  /// What a failed operation on tokens or a device was about; nil if it neither signs anyone in or out nor changes an
  /// account, or if the call that fails because of it is reported.
  private static func failed(
    _ data: JSON, _ flow: Flow, otherwise usual: SecurityEvent.Action
  ) -> SecurityEvent.Action? {
    guard !["authn", "idx"].contains(flow.facts.kind) else { return nil }
    switch data["operation"]?.string {
    case "renew": return .tokenRenewal
    case "signOut", "revoke": return .logoff
    case "delete", "deleteFromDevice": return .factorDisable
    case "introspect", "getUser", "store", "read", "clear", "clearAll", "downloadPolicy", "updateDeviceToken",
      "setUserVerification", "enableCIBATransactions", "retrieveMaintenanceToken", "retrievePushChallenges":
      return nil
    case _: return usual
    }
  }

  private static func plain(
    _ found: (action: SecurityEvent.Action, result: SecurityEvent.Result), _ data: JSON, _ flow: Flow
  ) -> SecurityEvent {
    var event = event(found.action, found.result, flow)
    event.code = data["error"]?.string ?? data["check"]?.string
    event.detail = data["message"]?.string ?? data["details"]?["text"]?.string
    if data["outcome"]?.string == "denied" {
      event.result = .other("denied")
      event.reason = flow.facts.signIn.standing
    }
    // The call that will fail because of it has not returned yet.
    if event.result == .failure, event.reason == nil, let error = data["error"]?.string {
      event.reason = FailureReason(error: error, details: data["details"] ?? [:], isPassword: false)
    }
    if flow.facts.kind == "device" { event.factors = ["push"] }
    return event
  }

  private static func returned(_ data: JSON, in flow: inout Flow) -> [SecurityEvent] {
    guard let call = data["call"]?.int.flatMap({ flow.calls.removeValue(forKey: $0) }) else { return [] }
    // Flows of tokens and devices have their own events for this, except for a successful sign-in.
    guard ["authn", "idx"].contains(flow.facts.kind) else { return [] }
    // The org may not have received it, or may have refused it.
    guard data["outcome"]?.string != "cancelled" else { return [] }
    guard data["outcome"]?.string == "error" else {
      let isActivating = flow.facts.status == "MFA_ENROLL_ACTIVATE"
      switch call {
      case "changePassword": return [event(.passwordChange, .success, flow)]
      case "resetPassword": return [event(.passwordReset, .success, flow)]
      case "enrollFactor", "activateFactor": return isActivating ? [] : [event(.factorEnable, .success, flow)]
      default: return []
      }
    }
    let changes: [String: SecurityEvent.Action] = [
      "changePassword": .passwordChange, "resetPassword": .passwordReset, "enrollFactor": .factorEnable,
      "activateFactor": .factorEnable,
    ]
    var event = event(changes[call] ?? flow.purpose ?? .logon, .failure, flow)
    flow.hasFailed = true
    event.code = data["details"]?["errorCode"]?.string ?? data["error"]?.string
    event.detail = data["details"]?["text"]?.string ?? data["details"]?["detail"]?.string
    return [event]
  }

  private static func ended(_ outcome: String, in flow: inout Flow) -> [SecurityEvent] {
    flow.hasEnded = true
    guard ["authn", "idx"].contains(flow.facts.kind) else {
      guard flow.facts.kind == "oidc", outcome == "success", flow.facts.status == "signedIn" else { return [] }
      return [event(.logon, .success, flow)]
    }
    // A password reset is reported by the call that made it, and an unlock by how the flow ends.
    guard flow.purpose != .passwordReset || outcome != "success" else { return [] }
    switch outcome {
    // The refused attempt was already reported, with its reason.
    case "failed" where flow.hasFailed: return []
    case "success": return [event(flow.purpose ?? .logon, .success, flow)]
    case "failed", "lockedOut":
      var event = event(flow.purpose ?? .logon, .failure, flow)
      event.detail = flow.facts.reason?.rawValue
      return [event]
    default: return [event(flow.purpose ?? .logon, .other(outcome), flow)]
    }
  }

  private static func status(_ data: JSON, in flow: Flow) -> [SecurityEvent] {
    data["status"]?.string == "LOCKED_OUT" ? [event(.lock, .success, flow)] : []
  }

  // MARK: Identity Engine

  private static let forms: [String: SecurityEvent.Action] = [
    "enroll-authenticator": .factorEnable, "reenroll-authenticator": .passwordChange,
    "reset-authenticator": .passwordReset, "enroll-profile": .accountCreate, "unlock-account": .unlock,
  ]

  private static func remediation(_ data: JSON, in flow: inout Flow) {
    let before = flow.current
    flow.current = data["summary"]?["current"]?.string
    guard let chosen = data["chosen"]?.string, let action = forms[chosen] else { return }
    flow.pending = event(action, .success, flow)
    guard action == .factorEnable else { return }
    flow.pending?.factors = before.map { [FactorName(authenticator: $0, isPolled: false).rawValue] } ?? []
  }

  private static func message(_ data: JSON, in flow: inout Flow) -> [SecurityEvent] {
    guard data["class"]?.string == "ERROR" else { return [] }
    var event = flow.pending ?? event(flow.purpose ?? .logon, .failure, flow)
    flow.pending = nil
    flow.hasFailed = true
    event.result = .failure
    (event.code, event.detail) = (data["key"]?.string, data["text"]?.string)
    event.reason = flow.facts.signIn.standing
    event.evidence = flow.last
    return [event]
  }

  // MARK: Parts

  private static func event(
    _ action: SecurityEvent.Action, _ result: SecurityEvent.Result, _ flow: Flow
  ) -> SecurityEvent {
    var reason: FailureReason? {
      switch result {
      case .success, .open: nil
      case .failure, .other: flow.facts.signIn.standing ?? flow.facts.reason
      }
    }
    // What a classic flow sets up, which need not be among the factors that were tried.
    let enrolled = action == .factorEnable ? flow.facts.signIn.memory["enrolling"].map { [$0] } : nil
    return SecurityEvent(
      action: action, result: result, reason: reason, flow: flow.facts, org: flow.org, sdk: flow.sdk,
      factors: enrolled ?? flow.facts.factors, evidence: flow.last)
  }

  private static func data(of record: StoredRecord) -> JSON { (try? JSON(parsing: record.data)) ?? [:] }
}
