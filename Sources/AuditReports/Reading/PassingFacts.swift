// Facts read for a report, noting whether a requested flow was among them, so that they need not be read again.

/// A source of facts that notes whether it gave a flow that passes a filter.
package final class PassingFacts: FactsSource {
  private let facts: any FactsSource
  private let asked: FlowFilter
  /// Whether a flow that passes the filter was read. If not, there may still be one that did not have to be read.
  package private(set) var haveOneThatPasses = false

  /// Notes whether a flow that passes a filter is read.
  package init(_ facts: any FactsSource, asked: FlowFilter) {
    self.facts = facts
    self.asked = asked
  }

  package var own: [OwnEvent] { facts.own }
  package func ownWithRecords() throws -> [OwnEvent] { try facts.ownWithRecords() }
  package var hasSeveralStores: Bool { facts.hasSeveralStores }
  package var prunedFlows: Int { get throws { try facts.prunedFlows } }

  package func forEachFlow(_ filter: FlowFilter, parts: FlowParts, _ body: (FlowFacts) -> Void) throws {
    try facts.forEachFlow(filter, parts: parts.union(asked.parts)) { flow in
      note(flow)
      body(flow)
    }
  }

  package func forEachFlow(ofTokens ids: Set<String>, parts: FlowParts, _ body: (FlowFacts) -> Void) throws {
    try facts.forEachFlow(ofTokens: ids, parts: parts.union(asked.parts)) { flow in
      note(flow)
      body(flow)
    }
  }

  private func note(_ flow: FlowFacts) {
    if !haveOneThatPasses, asked.passes(flow) { haveOneThatPasses = true }
  }
}
