// Counts flows for the overview.

import EventStore
import FlowRecording

/// The latest of many flows, and the total number.
struct LatestFlows {
  private var ring: [FlowFacts] = []
  private let limit: Int
  private(set) var count = 0

  /// - Parameter limit: the maximum number of flows to keep; values below 1 count as 1.
  init(limit: Int) { self.limit = max(1, limit) }

  var isEmpty: Bool { ring.isEmpty }

  /// Adds the next flow. Cost: constant.
  mutating func add(_ flow: FlowFacts) {
    if ring.count < limit { ring.append(flow) } else { ring[count % limit] = flow }
    count += 1
  }

  /// The flows that were kept, latest first.
  var flows: [FlowFacts] {
    guard count > ring.count else { return ring.reversed() }
    let next = count % limit
    return (ring[next...] + ring[..<next]).reversed()
  }
}

/// The figures and charts of the overview.
struct OverviewTally {
  private(set) var flows = 0
  private(set) var groups: [Outcome: Int] = [:]
  private(set) var chart = OutcomeChart()
  private(set) var sparkline = Sparkline()
  private(set) var latest = LatestFlows(limit: 15)

  mutating func add(_ flow: FlowFacts) {
    guard flow.isFlow else { return }
    flows += 1
    groups[Outcome(flow.outcome), default: 0] += 1
    chart.add(flow)
    sparkline.add(flow)
    latest.add(flow)
  }
}
