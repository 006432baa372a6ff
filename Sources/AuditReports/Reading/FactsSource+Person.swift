// All flows of one person.

import EventStore

extension FactsSource {
  /// Calls `body` with the facts of each flow that passes a filter. If the filter names a person, these are the flows
  /// that contain the login, and those that used their tokens, because a renewal names no one.
  ///
  /// - Parameter parts: what `body` needs. Other parts may be empty.
  package func forEachFlowOfPerson(_ filter: FlowFilter, parts: FlowParts, _ body: (FlowFacts) -> Void) throws {
    guard let user = filter.user else { return try forEachFlow(filter, parts: parts, body) }
    var flows: [FlowFacts] = []
    try forEachFlow(FlowFilter(user: user), parts: parts.union(.tokens).union(filter.parts)) { flows.append($0) }
    let ids = flows.reduce(into: Set<String>()) { $0.formUnion($1.tokenIDs) }
    if !ids.isEmpty {
      var further: [FlowFacts] = []
      try forEachFlow(ofTokens: ids, parts: parts.union(.tokens).union(filter.parts)) { flow in
        // A flow that names another person belongs to that person.
        if flow.user == nil { further.append(flow) }
      }
      if !further.isEmpty { flows = FlowOrder.began.sorted(flows + further) }
    }
    var rest = filter
    rest.user = nil
    for flow in flows where rest.passes(flow) { body(flow) }
  }
}
