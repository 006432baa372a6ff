package import EventStore
package import FlowRecording

/// Which flows a list or a report is about.
package struct FlowFilter: Sendable, Equatable {
  /// The login, whatever its case.
  package var user: String?
  /// The latest status or the outcome, whatever its case.
  package var status: String?
  /// The kind of flow.
  package var kind: String?
  /// Flows that began then or later.
  package var since: Timestamp?
  /// Flows that began then or before.
  package var until: Timestamp?
  /// Why the flow did not succeed.
  package var reason: FailureReason?

  /// A filter; a nil member lets everything through.
  package init(
    user: String? = nil, status: String? = nil, kind: String? = nil, since: Timestamp? = nil, until: Timestamp? = nil,
    reason: FailureReason? = nil
  ) {
    self.user = user
    self.status = status
    self.kind = kind
    self.since = since
    self.until = until
    self.reason = reason
  }

  /// Whether everything goes through.
  package var isEmpty: Bool { self == FlowFilter() }

  /// Whether a flow goes through.
  package func passes(_ flow: FlowFacts) -> Bool {
    if let user, !flow.isOf(user: user) { return false }
    if let kind, flow.kind != kind { return false }
    if let since, flow.started < since { return false }
    if let until, flow.started > until { return false }
    if let reason, flow.reason != reason { return false }
    guard let status = status?.lowercased() else { return true }
    return flow.status?.lowercased() == status || flow.outcome.lowercased() == status
  }
}
