// One person, and two periods.

import EventStore
import FlowRecording

/// `user`
struct UserTally: ReportTally {
  static let parts: FlowParts = [.tries, .changes, .tokens, .place]
  private typealias Seen = (count: Int, first: Timestamp, last: Timestamp)
  private let now: Timestamp
  private var names = Counts()
  private var flows: [[ReportTable.Cell]] = []
  private var attempts: [[ReportTable.Cell]] = []
  private var changes: [[ReportTable.Cell]] = []
  private var places: [String: Seen] = [:]
  private var devices: [String: Seen] = [:]
  private var tokens = TokenLives()
  /// The tokens used by flows that pass the filters.
  private var askedTokens: Set<String> = []

  /// - Parameter now: the time at which the expiry of tokens is evaluated.
  init(now: Timestamp) { self.now = now }

  mutating func add(_ flow: FlowFacts) {
    for name in Set([flow.signIn.typed, flow.signIn.login].compactMap { $0?.lowercased() }) { names.add(name) }
    flows.append([
      .time(flow.started), .text(flow.kind), .text(flow.purposeWord), .text(flow.place), .text(flow.context.device),
      .text(flow.clientWord), .text(flow.outcome), .text(flow.reason?.rawValue), .number(flow.events),
      .text(flow.stream),
    ])
    for attempt in flow.signIn.tries {
      attempts.append([
        .time(attempt.began), .text(attempt.factor.rawValue),
        .text(attempt.isVerified ? "verified" : attempt.failure?.rawValue ?? "open"),
        .milliseconds(attempt.ended.map { Int(max(0, $0.microseconds - attempt.began.microseconds) / 1_000) }),
        .text(flow.stream),
      ])
    }
    for change in flow.signIn.changes {
      changes.append([
        .time(change.at), .text(change.kind.rawValue), .text(change.factor?.rawValue), .text(flow.stream),
      ])
    }
    if let place = flow.place { Self.see(place, at: flow.started, in: &places) }
    if let device = flow.context.device { Self.see(device, at: flow.started, in: &devices) }
    askedTokens.formUnion(flow.tokenIDs)
  }

  private static func see(_ name: String, at time: Timestamp, in seen: inout [String: Seen]) {
    let known = seen[name] ?? (0, time, time)
    seen[name] = (known.count + 1, min(known.first, time), max(known.last, time))
  }

  private static func table(_ key: String, _ title: String, _ name: ReportTable.Column, _ seen: [String: Seen])
    -> ReportTable
  {
    ReportTable(
      key, title, [name, .count, .init("first", "first"), .init("last", "last")],
      seen.sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }
        .map { [.text($0), .number($1.count), .time($1.first), .time($1.last)] })
  }

  /// Adds the token events of a flow, whether or not it passes the filters.
  mutating func addTokens(of flow: FlowFacts) {
    for fact in flow.tokens { tokens.add(fact, of: flow.stream, in: flow.store ?? "") }
  }

  var tables: [ReportTable] {
    var tokens = tokens
    tokens.sort()
    return [
      names.table("names", "Names that were typed, or that the org gives", of: .init("name", "name")),
      ReportTable(
        "flows", "Flows",
        [
          .at, .init("kind", "kind").minor, .init("purpose", "purpose").minor, .place, .device.minor,
          .init("client", "client").minor, .init("outcome", "outcome"), .init("reason", "reason"),
          .init("events", "events").minor, .flow,
        ], flows),
      ReportTable(
        "attempts", "Attempts by factor",
        [.at, .init("factor", "factor"), .init("result", "result"), .init("ms", "took"), .flow], attempts),
      ReportTable(
        "changes", "Changes of the account", [.at, .init("change", "change"), .init("factor", "factor"), .flow], changes
      ),
      Self.table("places", "Places", .place, places), Self.table("devices", "Devices", .device, devices),
      ReportTable(
        "tokens", "Tokens",
        [.init("id", "tokens"), .init("status", "status"), .init("began", "began"), .init("expires", "runs out")],
        tokens.lives.filter { askedTokens.contains($0.id) }.map { life in
          let standing = life.standing(at: now)
          return [
            .text(life.id), .text(standing.word), .time(life.events.first?.at), .time(standing.expires),
          ]
        }),
    ]
  }

  var notes: [String] {
    [
      "A flow that names no one is listed if it had to do with tokens of the person. What became of tokens is said as of the end of the log; renewable ones have a refresh token, and an access token that had run out by then. Every event of a flow: auditctl show FLOW. The answers of the org in them hold further personal data; auditctl info --personal counts it."
    ]
  }
}

/// `compare`
struct CompareTally: ReportTally {
  static let parts: FlowParts = [.exchanges, .tries]
  private var before = Figures()
  private var now = Figures()
  private let times: (before: ClosedRange<Timestamp>, now: ClosedRange<Timestamp>)

  /// Compares two periods, which must not overlap.
  init(before: ClosedRange<Timestamp>, now: ClosedRange<Timestamp>) { times = (before, now) }

  mutating func add(_ flow: FlowFacts) {
    if times.now.contains(flow.started) {
      now.add(flow)
    } else if times.before.contains(flow.started) {
      before.add(flow)
    }
  }

  var tables: [ReportTable] {
    [
      ReportTable(
        "figures", "Before and now",
        [
          .init("figure", "figure"), .init("before", "before"), .init("now", "now"), .init("change", "change"),
          .init("nowPercent", "of before"),
        ],
        zip(before.rows, now.rows).map { before, now in
          [
            .text(before.0), .number(before.1), .number(now.1), .number(now.1 - before.1), .share(now.1, of: before.1),
          ]
        })
    ]
  }

  /// The figures that are compared.
  private struct Figures {
    private var flows = 0
    private var signIns = 0
    private var recoveries = 0
    private var outcomes = Counts()
    private var reasons = Counts()
    private var users: Set<String> = []
    private var pushes = 0
    private var requests = 0
    private var limited = 0
    private var failures = 0
    private var durations: [Int] = []

    mutating func add(_ flow: FlowFacts) {
      guard flow.isFlow else { return }
      flows += 1
      requests += flow.requests
      limited += flow.rateLimited
      failures += flow.failures
      guard flow.isSignIn else { return }
      if flow.isPlainSignIn { signIns += 1 } else { recoveries += 1 }
      outcomes.add(flow.outcome)
      for (reason, count) in flow.signIn.setbacks { reasons.add(reason.rawValue, count) }
      if let user = flow.user { users.insert(user.lowercased()) }
      pushes += flow.signIn.tries.reduce(0) { $0 + ($1.factor == .push ? 1 : 0) }
      if flow.ended != nil { durations.append(flow.durationMilliseconds) }
    }

    var rows: [(String, Int)] {
      let times = durations.sorted()
      return [
        ("flows", flows), ("sign-ins", signIns), ("recoveries", recoveries), ("users", users.count),
        ("succeeded", outcomes.numbers["success"] ?? 0),
        ("failed", outcomes.numbers["failed"] ?? 0), ("locked out", outcomes.numbers["lockedOut"] ?? 0),
        ("abandoned", outcomes.numbers["abandoned"] ?? 0),
      ] + FailureReason.allCases.map { ("setbacks: \($0.rawValue)", reasons.numbers[$0.rawValue] ?? 0) } + [
        ("pushes", pushes), ("requests", requests), ("rate limits", limited), ("requests without an answer", failures),
        ("duration p50, ms", SignInSummary.percentile(50, of: times) ?? 0),
        ("duration p95, ms", SignInSummary.percentile(95, of: times) ?? 0),
      ]
    }
  }
}
