import AuditReports
import EventStore
import ReadModel

/// Lists flows, from the index if there is one, else from the logs.
struct FlowFinder {
  /// The flows that were found.
  struct Found {
    /// The flows, in the order of a pass over the logs.
    var flows: [FlowFacts]
    /// How many flows there are in all; nil if they were not counted.
    var count: Int?
    /// How many characters of an id distinguish each of them from the others.
    var shortLength: Int
    /// Whether each flow names its store.
    var hasStores: Bool
    /// How many are left out since their beginning was pruned.
    var pruned: Int
    /// How many records were pruned of the logs: flows that had no others are gone.
    var prunedRecords: UInt64 = 0

    /// The same, each flow naming its store, also if one store alone was read.
    func naming(_ store: String?) -> Found {
      guard !hasStores, let store else { return self }
      var found = self
      found.hasStores = true
      for index in found.flows.indices { found.flows[index].store = store }
      return found
    }
  }

  private let sources: [LogSource]
  private let index: IndexOption?

  init(_ sources: [LogSource], _ index: IndexOption?) {
    self.sources = sources
    self.index = index
  }

  /// The flows that pass a filter and have some words.
  func flows(_ filter: FlowFilter, _ query: SearchQuery?) throws -> Found {
    guard let index = try index?.existing(for: sources) else { return try flowsOfLogs(filter, query) }
    var flows: [FlowFacts] = []
    if let query {
      flows = try index.search(query).filter(filter.passes)
    } else {
      try index.forEachFlow(filter) { flows.append($0) }
    }
    return Found(
      flows: flows, count: try index.count(), shortLength: try index.shortLength(), hasStores: index.hasSeveralStores,
      pruned: try index.prunedFlows, prunedRecords: Self.prunedRecords(of: sources))
  }

  private static func prunedRecords(of sources: [LogSource]) -> UInt64 {
    var count: UInt64 = 0
    for source in sources {
      switch source {
      case .store(let log): count += (try? log.firstKept()) ?? 0
      case .damaged(let log): count += (try? log.log.firstKept()) ?? 0
      case .recording: break
      }
    }
    return count
  }

  private func flowsOfLogs(_ filter: FlowFilter, _ query: SearchQuery?) throws -> Found {
    let facts = try LogFacts.reading(sources, mentioning: filter.user)
    var flows = facts.flows.filter(filter.passes)
    if let query {
      var streams: [String: Set<ByteName>] = [:]
      for source in sources {
        streams[source.directory] = Set(try LogSearch.streams(query, in: source).map(ByteName.init))
      }
      flows = flows.filter { flow in
        streams[flow.store ?? sources[0].directory]?.contains(ByteName(flow.stream)) == true
      }
    }
    return Found(
      flows: flows, count: facts.flows.count + facts.passedOver.count,
      shortLength: FlowReference.shortLength(
        of: facts.flows.map(\.identifier) + facts.passedOver.map { FlowReference.identifier(of: $0) }),
      hasStores: facts.hasSeveralStores, pruned: facts.prunedFlows,
      prunedRecords: Self.prunedRecords(of: sources))
  }
}
