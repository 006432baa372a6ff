// Requests: how long, with which answers.

import EventStore

/// `latency`
struct LatencyTally: ReportTally {
  static let parts: FlowParts = .exchanges
  private var endpoints: [String: [Int]] = [:]
  /// The longest first.
  private var slowest: [(milliseconds: Int, endpoint: String, flow: FlowFacts)] = []
  private static let shown = 10

  mutating func add(_ flow: FlowFacts) {
    for exchange in flow.exchanges where exchange.failure == nil {
      guard let milliseconds = exchange.milliseconds else { continue }
      endpoints[exchange.endpoint, default: []].append(milliseconds)
      if slowest.count == Self.shown, milliseconds <= slowest[Self.shown - 1].milliseconds { continue }
      let place = slowest.firstIndex { $0.milliseconds < milliseconds } ?? slowest.count
      slowest.insert((milliseconds, exchange.endpoint, flow), at: place)
      if slowest.count > Self.shown { slowest.removeLast() }
    }
  }

  var tables: [ReportTable] {
    let all = endpoints.values.flatMap { $0 }
    let rows = endpoints.sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }.map {
      Self.row($0.key, $0.value)
    }
    return [
      ReportTable(
        "requests", "From request to answer, as the flow saw it",
        [
          .init("request", "request"), .count, .init("p50Ms", "p50"), .init("p95Ms", "p95"), .init("p99Ms", "p99"),
          .init("maxMs", "longest"),
        ], all.isEmpty ? [] : [Self.row("all", all)] + rows),
      ReportTable(
        "slowest", "The slowest requests",
        [.init("ms", "took"), .init("request", "request"), .at, .user, .flow],
        slowest.map { slow in
          [
            .milliseconds(slow.milliseconds), .text(slow.endpoint), .time(slow.flow.started), .text(slow.flow.user),
            .text(slow.flow.stream),
          ]
        }),
    ]
  }

  private static func row(_ name: String, _ times: [Int]) -> [ReportTable.Cell] {
    let times = times.sorted()
    return [
      .text(name), .number(times.count), .milliseconds(SignInSummary.percentile(50, of: times)),
      .milliseconds(SignInSummary.percentile(95, of: times)), .milliseconds(SignInSummary.percentile(99, of: times)),
      .milliseconds(times.last),
    ]
  }

  var notes: [String] {
    [
      "Percentiles are by nearest rank. All outputs of a step have the time of its input, so the SDK's own share is not in these figures."
    ]
  }
}

/// `http`
struct HTTPTally: ReportTally {
  static let parts: FlowParts = .exchanges
  private struct Row {
    var answers = Counts()
    var requests = 0
  }
  private var statuses = Counts()
  private var failures = Counts()
  private var endpoints: [String: Row] = [:]
  private var requests = 0
  private var retries = 0
  private var limited = 0

  mutating func add(_ flow: FlowFacts) {
    requests += flow.requests
    retries += flow.retries
    limited += flow.rateLimited
    for exchange in flow.exchanges {
      let word = exchange.failure ?? String(exchange.status)
      if exchange.failure == nil { statuses.add(word) } else { failures.add(word) }
      endpoints[exchange.endpoint, default: Row()].requests += 1
      endpoints[exchange.endpoint, default: Row()].answers.add(word)
    }
  }

  var tables: [ReportTable] {
    let answered = statuses.total + failures.total
    return [
      ReportTable(
        "totals", "Totals", [.init("what", "what"), .count],
        [
          [.text("requests"), .number(requests)], [.text("answers"), .number(statuses.total)],
          [.text("failures"), .number(failures.total)], [.text("unanswered"), .number(max(0, requests - answered))],
          [.text("rate limits"), .number(limited)], [.text("retries"), .number(retries)],
          [.text("TLS failures"), .number(failures.numbers["tlsFailed"] ?? 0)],
        ]),
      statuses.table("statuses", "Answers, by status", of: .init("status", "status")),
      failures.table("failures", "Requests without an answer, by the transport's code", of: .init("code", "code")),
      ReportTable(
        "requests", "By request", [.init("request", "request"), .count, .init("answers", "answers")],
        endpoints.sorted { ($1.value.requests, $0.key) < ($0.value.requests, $1.key) }.map { name, row in
          [
            .text(name), .number(row.requests),
            .text(row.answers.sorted.map { "\($0.name): \($0.number)" }.joined(separator: ", ")),
          ]
        }),
    ]
  }
}
