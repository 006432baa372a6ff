// The users who signed in, and why others did not.

import EventStore
import FlowRecording

/// `sign-ins`
struct SignInsTally: ReportTally {
  static let parts: FlowParts = [.tries, .place]
  let hasStores: Bool
  private var rows: [[ReportTable.Cell]] = []

  init(hasStores: Bool) { self.hasStores = hasStores }

  mutating func add(_ flow: FlowFacts) {
    guard flow.isSignIn else { return }
    rows.append(
      [
        .time(flow.started), .text(flow.user), .text(flow.purposeWord), .text(flow.kind), .text(flow.place),
        .text(flow.context.device), .text(flow.clientWord), .text(flow.factors.joined(separator: ", ")),
        .text(flow.outcome),
        .text(flow.reason?.rawValue), .milliseconds(flow.durationMilliseconds), .text(flow.stream),
      ] + (hasStores ? [.text(flow.store)] : []))
  }

  var tables: [ReportTable] {
    [
      ReportTable(
        "signIns", "Sign-ins",
        [
          .at, .user, .init("purpose", "purpose").minor, .init("kind", "kind").minor, .place, .device.minor,
          .init("client", "client").minor, .init("factors", "factors"), .init("outcome", "outcome"),
          .init("reason", "reason").minor, .init("durationMs", "took").minor, .flow.minor,
        ] + (hasStores ? [.store.minor] : []), rows)
    ]
  }
}

/// `failures`
struct FailuresTally: ReportTally {
  static let parts: FlowParts = [.errors, .place]
  private var reasons = Counts()
  private var setbacks = Counts()
  private var errors = Counts()
  private var users: [String: Counts] = [:]
  private var places: [String: Counts] = [:]
  private var signIns = 0

  mutating func add(_ flow: FlowFacts) {
    guard flow.isSignIn else { return }
    signIns += 1
    for (reason, count) in flow.signIn.setbacks { setbacks.add(reason.rawValue, count) }
    for (code, count) in flow.errors { errors.add(code, count) }
    guard let reason = flow.reason?.rawValue else { return }
    reasons.add(reason)
    users[flow.user?.lowercased() ?? "unknown", default: Counts()].add(reason)
    places[flow.place ?? "unknown", default: Counts()].add(reason)
  }

  private static func rows(_ counts: [String: Counts]) -> [[ReportTable.Cell]] {
    counts.map { ($0.key, $0.value.total, $0.value.sorted[0]) }
      .sorted { ($1.1, $0.0) < ($0.1, $1.0) }
      .map { [.text($0), .number($1), .text($2.name), .number($2.number)] }
  }

  var tables: [ReportTable] {
    let by = { (column: ReportTable.Column) in
      [column, .init("failed", "failed"), .init("mainReason", "main reason"), .init("ofThatReason", "of that reason")]
    }
    return [
      reasons.table("reasons", "Sign-ins that failed, by reason", of: .init("reason", "reason")),
      ReportTable("users", "By user", by(.user), Self.rows(users)),
      ReportTable("places", "By place", by(.place), Self.rows(places)),
      setbacks.table("setbacks", "Setbacks, whether the sign-in went on or not", of: .init("reason", "reason")),
      errors.table("errors", "Errors, by code", of: .init("code", "code")),
    ]
  }

  var notes: [String] { ["\(reasons.total) of \(signIns) sign-ins and recoveries did not succeed."] }
}

/// `funnel`
struct FunnelTally: ReportTally {
  static let parts: FlowParts = .path
  private struct Step {
    var reached = 0
    var last = 0
    var outcomes = Counts()
  }
  private var kinds: [String: [String: Step]] = [:]

  mutating func add(_ flow: FlowFacts) {
    guard flow.isFlow else { return }
    let end = flow.statusWord ?? "none"
    let path = flow.signIn.path.isEmpty ? [end] : Set(flow.signIn.path)
    // Modified in place: copying the steps for each flow would cost more than everything else.
    for status in path { kinds[flow.kind, default: [:]][status, default: Step()].reached += 1 }
    kinds[flow.kind, default: [:]][end, default: Step()].last += 1
    kinds[flow.kind, default: [:]][end, default: Step()].outcomes.add(flow.outcome)
  }

  var tables: [ReportTable] {
    kinds.keys.sorted().map { kind in
      let steps = (kinds[kind] ?? [:]).sorted { ($1.value.reached, $0.key) < ($0.value.reached, $1.key) }
      return ReportTable(
        kind, "Flows of kind \(kind)",
        [
          .init("status", "status"), .init("reached", "reached"), .init("ended", "ended here"),
          .init("endedPercent", "share"), .init("outcomes", "outcomes"),
        ],
        steps.map { status, step in
          [
            .text(status), .number(step.reached), .number(step.last), .share(step.last, of: step.reached),
            .text(step.outcomes.sorted.map { "\($0.name) \($0.number)" }.joined(separator: ", ")),
          ]
        })
    }
  }

  var notes: [String] { ["A flow counts once at each status that it reached, and at the last one as ended."] }
}

/// `clients`
struct ClientsTally: ReportTally {
  static let parts: FlowParts = .context
  private var sdks = Counts()
  private var apps = Counts()
  private var agents = Counts()
  private var systems = Counts()
  private var signIns: [String: (count: Int, succeeded: Int, failed: Int)] = [:]
  /// The hosts or processes of the application, each with its first and its latest flow.
  private var instances: [String: (count: Int, first: Timestamp, last: Timestamp)] = [:]

  mutating func add(_ flow: FlowFacts) {
    guard flow.isFlow else { return }
    sdks.add(flow.sdk)
    let instance = flow.context.instance ?? "unknown"
    var served = instances[instance] ?? (count: 0, first: flow.started, last: flow.started)
    served.count += 1
    served.first = min(served.first, flow.started)
    served.last = max(served.last, flow.started)
    instances[instance] = served
    let app = [flow.context.app.name ?? flow.context.app.id, flow.context.app.version].compactMap { $0 }
    apps.add(app.isEmpty ? nil : app.joined(separator: " "))
    if flow.isPlainSignIn {
      let name = app.isEmpty ? "unknown" : app.joined(separator: " ")
      signIns[name, default: (0, 0, 0)].count += 1
      signIns[name, default: (0, 0, 0)].succeeded += flow.outcome == "success" ? 1 : 0
      signIns[name, default: (0, 0, 0)].failed += flow.reason == nil ? 0 : 1
    }
    agents.add(flow.userAgent)
    systems.add(flow.context.client.os)
  }

  var tables: [ReportTable] {
    [
      sdks.table("sdks", "SDK", of: .init("sdk", "sdk")), apps.table("apps", "Applications", of: .init("app", "app")),
      ReportTable(
        "signIns", "Sign-ins, by application",
        [
          .init("app", "app"), .init("signIns", "sign-ins"), .init("succeeded", "succeeded"),
          .init("succeededPercent", "share"), .init("failed", "failed"),
        ],
        signIns.sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }.map { name, row in
          [
            .text(name), .number(row.count), .number(row.succeeded), .share(row.succeeded, of: row.count),
            .number(row.failed),
          ]
        }),
      systems.table("systems", "Operating systems", of: .init("os", "os")),
      agents.table("userAgents", "User agents", of: .init("userAgent", "user agent")), instancesTable,
    ]
  }

  /// Which instances recorded, and up to when.
  private var instancesTable: ReportTable {
    let total = instances.values.reduce(0) { $0 + $1.count }
    return ReportTable(
      "instances", "Instances of the application",
      [
        .init("instance", "instance"), .count, .init("percent", "share"), .init("first", "first"),
        .init("last", "last"),
      ],
      instances.sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }.map { name, served in
        [
          .text(name), .number(served.count), .share(served.count, of: total), .time(served.first),
          .time(served.last),
        ]
      })
  }

  var notes: [String] {
    ["Applications, operating systems and instances are known if the application gives a context."]
  }
}
