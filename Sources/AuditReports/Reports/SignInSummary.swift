// The report `summary`: what happened in the sign-ins of a span of time, counted.

package import EventStore

/// Counts over flows.
package struct SignInSummary: Sendable, Equatable {
  /// A name with a number.
  package struct Count: Sendable, Equatable {
    package var name: String
    package var number: Int
  }

  /// The bounds that were asked for.
  package var since: Timestamp?
  package var until: Timestamp?
  /// The first and the last start among the flows.
  package var first: Timestamp?
  package var last: Timestamp?
  package var flows = 0
  package var outcomes: [Count] = []
  package var statuses: [Count] = []
  package var users: [Count] = []
  package var factors: [Count] = []
  package var errors: [Count] = []
  package var requests = 0
  package var failedRequests = 0
  package var rateLimited = 0
  /// Milliseconds from start to end of the flows that have ended; nil without any.
  package var medianMilliseconds: Int?
  package var p95Milliseconds: Int?
  /// Gaps in the logs as a whole, whatever the bounds.
  package var gaps = 0
  package var lostEvents = 0
  /// The flows of each store, if several were read.
  package var stores: [Count] = []

  /// Counts the flows that a filter lets through. Streams of applications do not count.
  package init(_ facts: LogFacts, filter: FlowFilter = FlowFilter()) {
    since = filter.since
    until = filter.until
    gaps = facts.gaps
    lostEvents = facts.lostEvents
    let chosen = facts.flows.filter { $0.isFlow && filter.passes($0) }
    flows = chosen.count
    first = chosen.map(\.started).min()
    last = chosen.map(\.started).max()
    outcomes = Self.counts(chosen.map(\.outcome))
    statuses = Self.counts(chosen.map { $0.status ?? "none" })
    users = Self.counts(chosen.map { $0.user ?? "unknown" })
    factors = Self.counts(chosen.flatMap(\.factors))
    errors = Self.counts(chosen.flatMap { flow in flow.errors.flatMap { Array(repeating: $0.key, count: $0.value) } })
    stores = Self.counts(chosen.compactMap(\.store))
    requests = chosen.reduce(0) { $0 + $1.requests }
    failedRequests = chosen.reduce(0) { $0 + $1.failures }
    rateLimited = chosen.reduce(0) { $0 + $1.rateLimited }
    let durations = chosen.filter { $0.ended != nil }.map(\.durationMilliseconds).sorted()
    medianMilliseconds = Self.percentile(50, of: durations)
    p95Milliseconds = Self.percentile(95, of: durations)
  }

  /// The value that so many percent of a sorted list do not exceed (nearest rank).
  static func percentile(_ percent: Int, of sorted: [Int]) -> Int? {
    guard !sorted.isEmpty else { return nil }
    let rank = max(1, (sorted.count * percent + 99) / 100)
    return sorted[min(rank, sorted.count) - 1]
  }

  /// How often each name occurs, the most frequent first, then by name.
  private static func counts(_ names: [String]) -> [Count] {
    var numbers: [String: Int] = [:]
    for name in names { numbers[name, default: 0] += 1 }
    return numbers.map { Count(name: $0.key, number: $0.value) }
      .sorted { ($1.number, $0.name) < ($0.number, $1.name) }
  }
}
