// The report `summary`: counts of what happened in the sign-ins of a period.

package import EventStore
import FlowRecording

/// Counts over flows.
package struct SignInSummary: Sendable, Equatable {
  /// A name with a number.
  package struct Count: Sendable, Equatable {
    package var name: String
    package var number: Int
  }

  /// The requested beginning of the period.
  package var since: Timestamp?
  package var until: Timestamp?
  /// The first and the last start of the flows.
  package var first: Timestamp?
  package var last: Timestamp?
  package var flows = 0
  /// Flows in which people sign in; those below are for recovering, unlocking, or registering an account.
  package var signIns = 0
  package var recoveries = 0
  package var outcomes: [Count] = []
  package var statuses: [Count] = []
  package var users: [Count] = []
  package var factors: [Count] = []
  package var errors: [Count] = []
  /// Why flows did not succeed, in terms shared by all kinds.
  package var reasons: [Count] = []
  package var requests = 0
  package var failedRequests = 0
  package var rateLimited = 0
  /// The median time in milliseconds from start to end of the flows that have ended; `nil` if there are none.
  package var medianMilliseconds: Int?
  package var p95Milliseconds: Int?
  /// Gaps in the logs as a whole, regardless of the bounds.
  package var gaps = 0
  package var lostEvents = 0
  /// The stores it covers and the filter, for headings.
  package var filter = FlowFilter()
  package var directories: [String] = []
  /// The flows of each store, if several were read.
  package var stores: [Count] = []
  /// Notes on the figures.
  package var notes: [String] = []

  /// Counts the flows that pass a filter. Streams of applications do not count.
  package init(_ facts: some FactsSource, filter: FlowFilter = FlowFilter()) throws {
    self.filter = filter
    since = filter.since
    until = filter.until
    gaps = facts.gaps
    lostEvents = facts.lostEvents
    var tallies = Tallies()
    try facts.forEachFlow(filter, parts: [.exchanges, .tries, .errors]) { if $0.isFlow { tallies.add($0) } }
    flows = tallies.flows
    signIns = tallies.signIns
    recoveries = tallies.recoveries
    first = tallies.first
    last = tallies.last
    outcomes = Self.counts(tallies.outcomes)
    statuses = Self.counts(tallies.statuses)
    users = Self.counts(tallies.users)
    factors = Self.counts(tallies.factors)
    errors = Self.counts(tallies.errors)
    reasons = Self.counts(tallies.reasons)
    stores = Self.counts(tallies.stores)
    requests = tallies.requests
    failedRequests = tallies.failures
    rateLimited = tallies.rateLimited
    let durations = tallies.durations.sorted()
    medianMilliseconds = Self.percentile(50, of: durations)
    p95Milliseconds = Self.percentile(95, of: durations)
    if !factors.isEmpty { notes = [Self.factorsNote] }
  }

  /// The summary with at most this many names per list; a note reports omitted ones.
  package func limited(to rows: Int) -> SignInSummary {
    var summary = self
    var left = 0
    let lists: [WritableKeyPath<SignInSummary, [Count]>] = [
      \.outcomes, \.statuses, \.users, \.factors, \.errors, \.reasons, \.stores,
    ]
    for list in lists {
      left += max(0, self[keyPath: list].count - rows)
      summary[keyPath: list] = Array(self[keyPath: list].prefix(rows))
    }
    if left > 0 { summary.notes.append(Report.note(limit: rows, left: left)) }
    return summary
  }

  private static let factorsNote =
    "Factors are counted by the flows in which they were tried, those of devices included; report factors counts the tries of sign-ins."

  /// The figures that are counted flow by flow.
  private struct Tallies {
    var flows = 0
    var signIns = 0
    var recoveries = 0
    var first: Timestamp?
    var last: Timestamp?
    var outcomes: [String: Int] = [:]
    var statuses: [String: Int] = [:]
    var users: [String: Int] = [:]
    var factors: [String: Int] = [:]
    var errors: [String: Int] = [:]
    var reasons: [String: Int] = [:]
    var stores: [String: Int] = [:]
    var requests = 0
    var failures = 0
    var rateLimited = 0
    var durations: [Int] = []

    mutating func add(_ flow: FlowFacts) {
      flows += 1
      if flow.isPlainSignIn { signIns += 1 } else if flow.isSignIn { recoveries += 1 }
      first = min(first ?? flow.started, flow.started)
      last = max(last ?? flow.started, flow.started)
      outcomes[flow.outcome, default: 0] += 1
      // The kinds write their statuses in different cases, such as `SUCCESS` and `success`.
      statuses[flow.statusWord.map(Self.word) ?? "none", default: 0] += 1
      users[flow.user?.lowercased() ?? "unknown", default: 0] += 1
      for factor in flow.factors { factors[factor, default: 0] += 1 }
      errors.merge(flow.errors, uniquingKeysWith: +)
      if let reason = flow.reason { reasons[reason.rawValue, default: 0] += 1 }
      if let store = flow.store { stores[store, default: 0] += 1 }
      requests += flow.requests
      failures += flow.failures
      rateLimited += flow.rateLimited
      if flow.ended != nil { durations.append(flow.durationMilliseconds) }
    }

    private static func word(_ status: String) -> String { status == "success" ? "SUCCESS" : status }
  }

  /// The value that the given percentage of a sorted list does not exceed (nearest rank).
  static func percentile(_ percent: Int, of sorted: [Int]) -> Int? {
    guard !sorted.isEmpty else { return nil }
    let rank = max(1, (sorted.count * percent + 99) / 100)
    return sorted[min(rank, sorted.count) - 1]
  }

  /// How often each name occurs, the most frequent first, then by name.
  private static func counts(_ numbers: [String: Int]) -> [Count] {
    numbers.map { Count(name: $0.key, number: $0.value) }
      .sorted { ($1.number, $0.name) < ($0.number, $1.name) }
  }
}
