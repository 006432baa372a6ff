// The report `shared`: devices and keys used by several accounts.

import EventStore
import FlowRecording

/// Devices and authenticator keys, with the accounts that use them.
struct SharedTally: HistoryTally {
  static let parts: FlowParts = .place
  /// A device or key.
  private struct Thing: Hashable {
    /// `device`, or `key` of an authenticator.
    var kind: String
    var id: String
  }
  private struct Uses {
    var users: Set<String> = []
    var entered: Set<String> = []
    var flows = 0
    var first: Timestamp
    var last: Timestamp
    /// Whether one of its flows passes the filters of the report.
    var isAsked = false

    mutating func add(_ flow: FlowFacts, of user: String, _ isAsked: Bool) {
      users.insert(user)
      if ["success", "approved"].contains(flow.outcome) { entered.insert(user) }
      flows += 1
      first = min(first, flow.started)
      last = max(last, flow.started)
      self.isAsked = self.isAsked || isAsked
    }
  }
  private let least: Int
  private var things: [Thing: Uses] = [:]

  init(thresholds: Thresholds) { least = max(2, thresholds.sharedUsers) }

  mutating func add(_ flow: FlowFacts, isAsked: Bool) {
    guard flow.isFlow, let user = flow.user?.lowercased() else { return }
    let key = flow.kind == "device" ? flow.signIn.memory["key"] : nil
    for (kind, id) in [("device", flow.context.device), ("key", key)] {
      guard let id else { continue }
      let thing = Thing(kind: kind, id: id)
      things[thing, default: Uses(first: flow.started, last: flow.started)].add(flow, of: user, isAsked)
    }
  }

  var tables: [ReportTable] {
    let shared = things.filter { $0.value.isAsked && $0.value.users.count >= least }.sorted { one, other in
      (-one.value.users.count, one.value.first, one.key.id, one.key.kind)
        < (-other.value.users.count, other.value.first, other.key.id, other.key.kind)
    }
    return [
      ReportTable(
        "shared", "Devices and keys of several users",
        [
          .init("kind", "what"), .init("id", "device or key"), .init("users", "users"), .init("names", "accounts"),
          .init("entered", "succeeded"), .init("flows", "flows").minor, .init("first", "first").minor,
          .init("last", "last").minor,
        ],
        shared.map { thing, uses in
          [
            .text(thing.kind), .text(thing.id), .number(uses.users.count),
            .text(uses.users.sorted().joined(separator: ", ")), .text(uses.entered.sorted().joined(separator: ", ")),
            .number(uses.flows), .time(uses.first), .time(uses.last),
          ]
        })
    ]
  }

  var notes: [String] {
    [
      "Rule: at least \(least) accounts are named by flows of one device, as the application's context calls it (its id, or a fingerprint), or by challenges that one authenticator's key answered. Counted is the whole log, in vain or not; listed is what a flow that is asked for used. One person under two names counts as two."
    ]
  }
}
