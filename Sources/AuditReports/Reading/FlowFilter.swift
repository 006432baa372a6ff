package import EventStore
package import FlowRecording

/// Which flows a list or a report is about.
package struct FlowFilter: Sendable, Equatable {
  /// The login, in any case.
  package var user: String?
  /// The latest status or the outcome, in any case; `none` for flows that have not reached a status.
  package var status: String?
  /// The kind of flow.
  package var kind: String?
  /// Flows that began then or later.
  package var since: Timestamp?
  /// Flows that began then or before.
  package var until: Timestamp?
  /// Why the flow did not succeed.
  package var reason: FailureReason?
  /// How the flow ended, in any case.
  package var outcome: String?
  /// Where the person came from, in any case: `FlowFacts.place`, or the device, or the host of the application. A
  /// trailing asterisk matches any ending.
  package var place: String?
  /// One or more words of the program's name, in any case: `Portal`, `Portal 4.1`.
  package var client: String?
  /// A factor that was tried, in any case: `push`.
  package var factor: String?
  /// The only factor that was tried, in any case; flows in which another one was tried too do not pass.
  package var onlyFactor: String?

  /// Makes a filter; a nil member lets everything pass.
  package init(
    user: String? = nil, status: String? = nil, kind: String? = nil, since: Timestamp? = nil, until: Timestamp? = nil,
    reason: FailureReason? = nil, outcome: String? = nil, place: String? = nil, client: String? = nil,
    factor: String? = nil, onlyFactor: String? = nil
  ) {
    self.user = user
    self.status = status
    self.kind = kind
    self.since = since
    self.until = until
    self.reason = reason
    self.outcome = outcome
    self.place = place
    self.client = client
    self.factor = factor
    self.onlyFactor = onlyFactor
  }

  /// The parts of a flow that it examines.
  package var parts: FlowParts {
    var parts: FlowParts = []
    if place != nil { parts.formUnion(.place) }
    if client != nil { parts.formUnion(.context) }
    if factor != nil || onlyFactor != nil { parts.formUnion(.tries) }
    return parts
  }

  /// The same filter without bounds in time.
  package var ofAnyTime: FlowFilter {
    var filter = self
    (filter.since, filter.until) = (nil, nil)
    return filter
  }

  /// The same time for all flows.
  package var ofAllFlows: FlowFilter {
    var filter = FlowFilter()
    (filter.since, filter.until) = (since, until)
    return filter
  }

  /// Whether it lets every flow pass.
  package var isEmpty: Bool { self == FlowFilter() }

  /// Whether a flow passes.
  package func passes(_ flow: FlowFacts) -> Bool {
    if let user, !flow.isOf(user: user) { return false }
    if let kind, flow.kind != kind { return false }
    if let since, flow.started < since { return false }
    if let until, flow.started > until { return false }
    if let reason, flow.reason != reason { return false }
    if let outcome, flow.outcome.lowercased() != outcome.lowercased() { return false }
    if let place, !Self.isMeant(place, by: [flow.place, flow.context.device, flow.context.instance]) { return false }
    if let client, !Self.has(flow, client: client) { return false }
    if let factor = factor?.lowercased(),
      !flow.signIn.tries.contains(where: { $0.factor.rawValue.lowercased() == factor })
    {
      return false
    }
    if let only = onlyFactor?.lowercased(),
      flow.signIn.tries.isEmpty || flow.signIn.tries.contains(where: { $0.factor.rawValue.lowercased() != only })
    {
      return false
    }
    guard let status = status?.lowercased() else { return true }
    return flow.statusWord?.lowercased() == status || flow.outcome.lowercased() == status
  }

  private static func isMeant(_ wanted: String, by names: [String?]) -> Bool {
    let wanted = wanted.lowercased()
    let names = names.compactMap { $0?.lowercased() }
    guard wanted.hasSuffix("*") else { return names.contains(wanted) }
    return names.contains { $0.hasPrefix(wanted.dropLast()) }
  }

  /// Whether the words occur in what the application or the requests report about the program, starting at the
  /// beginning of a word.
  private static func has(_ flow: FlowFacts, client: String) -> Bool {
    let wanted = client.lowercased()
    return [flow.clientWord, flow.userAgent, flow.context.app.id].contains { name in
      guard let name = name?.lowercased() else { return false }
      return name.ranges(of: wanted).contains { range in
        range.lowerBound == name.startIndex || !name[name.index(before: range.lowerBound)].isLetter
      }
    }
  }
}
