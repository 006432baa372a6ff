// Requests: their durations and answers.

import EventStore

/// `latency`
struct LatencyTally: ReportTally {
  static let parts: FlowParts = .exchanges
  private var endpoints: [String: [Int]] = [:]
  private var transfers: [String: [Exchange.Transfer]] = [:]
  /// The longest first.
  private var slowest: [(milliseconds: Int, endpoint: String, flow: FlowFacts)] = []
  private static let shown = 10

  mutating func add(_ flow: FlowFacts) {
    for exchange in flow.exchanges where exchange.failure == nil {
      guard let milliseconds = exchange.milliseconds else { continue }
      endpoints[exchange.endpoint, default: []].append(milliseconds)
      if let transfer = exchange.transfer { transfers[exchange.endpoint, default: []].append(transfer) }
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
      partsTable,
      ReportTable(
        "slowest", "The slowest requests",
        [.init("ms", "took"), .init("request", "request"), .at, .user, .flow.minor],
        slowest.map { slow in
          [
            .milliseconds(slow.milliseconds), .text(slow.endpoint), .time(slow.flow.started), .text(slow.flow.user),
            .text(slow.flow.stream),
          ]
        }),
    ]
  }

  /// How the time of requests is divided, if the transport reports it.
  private var partsTable: ReportTable {
    let all = transfers.values.flatMap { $0 }
    let rows = transfers.sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }
    return ReportTable(
      "parts", "Where the time goes, of requests whose transport says it",
      [
        .init("request", "request"), .count, .init("connections", "new connections"), .init("connectMs", "to connect"),
        .init("waitMs", "org, p50"), .init("waitP95Ms", "p95"), .init("receiveMs", "answer"),
        .init("ownMs", "ours, p50"), .init("ownP95Ms", "p95"),
      ], all.isEmpty ? [] : [Self.row("all", all)] + rows.map { Self.row($0.key, $0.value) })
  }

  private static func row(_ name: String, _ transfers: [Exchange.Transfer]) -> [ReportTable.Cell] {
    func cell(_ rank: Int, _ times: [Int]) -> ReportTable.Cell {
      .milliseconds(SignInSummary.percentile(rank, of: times.sorted()).map { $0 / 1_000 })
    }
    let connects = transfers.map(\.connect).filter { $0 > 0 }
    let (waits, owns) = (transfers.map(\.wait), transfers.map(\.own))
    return [
      .text(name), .number(transfers.count), .number(connects.count), cell(50, connects), cell(50, waits),
      cell(95, waits), cell(50, transfers.map(\.receive)), cell(50, owns), cell(95, owns),
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
      "Percentiles are by nearest rank. Of the parts, the org's is from the connection to the first byte, with the network there and back; ours is what the flow waited beyond the transfer: queues, threads, and writing what must be written before. All outputs of a step have the time of its input, so the SDK's own share before the request is not in these figures."
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
  /// The problems that a person encountered.
  private struct Trouble {
    var flows = 0
    var failed = 0
    var serverErrors = 0
    var failures = 0
    var unanswered = 0
    var limited = 0
    var first: Timestamp
    var last: Timestamp
  }
  /// By user; those of flows that name none under nil.
  private var people: [String?: Trouble] = [:]
  /// The requests that met trouble.
  private var troubled: [[ReportTable.Cell]] = []
  private var requests = 0
  private var retries = 0
  private var limited = 0

  mutating func add(_ flow: FlowFacts) {
    requests += flow.requests
    retries += flow.retries
    limited += flow.rateLimited
    meet(flow)
    for exchange in flow.exchanges {
      let word = exchange.failure ?? String(exchange.status)
      if exchange.failure == nil { statuses.add(word) } else { failures.add(word) }
      endpoints[exchange.endpoint, default: Row()].requests += 1
      endpoints[exchange.endpoint, default: Row()].answers.add(word)
      guard exchange.failure != nil || exchange.status == 429 || (500...599).contains(exchange.status) else { continue }
      troubled.append([
        .time(flow.started), .text(flow.user), .text(exchange.endpoint), .text(word),
        .milliseconds(exchange.milliseconds), .text(flow.stream),
      ])
    }
  }

  /// Adds the problems of a flow, if any.
  private mutating func meet(_ flow: FlowFacts) {
    let errors = flow.exchanges.reduce(0) { $0 + ((500...599).contains($1.status) ? 1 : 0) }
    guard errors + flow.failures + flow.rateLimited > 0 else { return }
    let user = flow.user?.lowercased()
    var trouble = people[user] ?? Trouble(first: flow.started, last: flow.started)
    trouble.flows += 1
    trouble.failed += flow.reason == nil ? 0 : 1
    trouble.serverErrors += errors
    trouble.failures += flow.failures
    trouble.unanswered += max(0, flow.requests - flow.exchanges.count)
    trouble.limited += flow.rateLimited
    trouble.first = min(trouble.first, flow.started)
    trouble.last = max(trouble.last, flow.started)
    people[user] = trouble
  }

  /// The most trouble first; then flows that name no user, then by user.
  private static func rank(_ user: String?, _ trouble: Trouble) -> (Int, Int, Int, Int, String) {
    (-trouble.serverErrors, -trouble.failures, -trouble.limited, user == nil ? 0 : 1, user ?? "")
  }

  private var affected: ReportTable {
    ReportTable(
      "affected", "Users whose requests met server errors, failures or a rate limit",
      [
        .user, .init("serverErrors", "5xx"), .init("failures", "failures"), .init("unanswered", "unanswered").minor,
        .init("rateLimits", "rate limits"), .init("flows", "flows"), .init("failed", "failed"),
        .init("first", "first").minor, .init("last", "last").minor,
      ],
      people.sorted { Self.rank($0.key, $0.value) < Self.rank($1.key, $1.value) }.map { user, trouble in
        [
          .text(user), .number(trouble.serverErrors), .number(trouble.failures), .number(trouble.unanswered),
          .number(trouble.limited), .number(trouble.flows), .number(trouble.failed), .time(trouble.first),
          .time(trouble.last),
        ]
      })
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
      affected,
      ReportTable(
        "troubled", "Requests that met a server error, a failure or a rate limit, by the beginning of their flow",
        [
          .at, .user, .init("request", "request"), .init("answer", "answer"), .init("ms", "took").minor, .flow.minor,
        ], troubled),
    ]
  }
}
