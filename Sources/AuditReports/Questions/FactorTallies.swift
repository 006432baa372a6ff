// Factors and recoveries.

import EventStore
import FlowRecording

/// `factors`
struct FactorsTally: ReportTally {
  static let parts: FlowParts = [.tries, .changes]
  private struct Use {
    var tries = 0
    var verified = 0
    var open = 0
    var failures = Counts()
    var milliseconds: [Int] = []

    mutating func add(_ attempt: FactorTry) {
      tries += 1
      if attempt.isOpen { open += 1 }
      if let failure = attempt.failure { failures.add(failure.rawValue) }
      guard attempt.isVerified, let ended = attempt.ended else { return }
      verified += 1
      milliseconds.append(Int(max(0, ended.microseconds - attempt.began.microseconds) / 1_000))
    }
  }
  private var uses: [String: Use] = [:]
  private var changes: [String: Counts] = [:]

  mutating func add(_ flow: FlowFacts) {
    guard flow.isSignIn || flow.signIn.purpose == .enrollment else { return }
    for attempt in flow.signIn.tries {
      // Modified in place, so that the times are not copied for each attempt.
      uses[attempt.factor.rawValue, default: Use()].add(attempt)
    }
    for change in flow.signIn.changes where [.factorEnrolled, .factorRemoved].contains(change.kind) {
      changes[change.factor?.rawValue ?? "unknown", default: Counts()].add(change.kind.rawValue)
    }
  }

  var tables: [ReportTable] {
    let uses = uses.sorted { ($1.value.tries, $0.key) < ($0.value.tries, $1.key) }.map {
      name, use -> [ReportTable.Cell] in
      let times = use.milliseconds.sorted()
      return [
        .text(name), .number(use.tries), .number(use.verified), .share(use.verified, of: use.tries),
        .milliseconds(SignInSummary.percentile(50, of: times)), .milliseconds(SignInSummary.percentile(95, of: times)),
        .text(use.failures.sorted.map { "\($0.name) \($0.number)" }.joined(separator: ", ")), .number(use.open),
      ]
    }
    let changes = changes.sorted { $0.key < $1.key }.map { name, counts -> [ReportTable.Cell] in
      [
        .text(name), .number(counts.numbers["factorEnrolled"] ?? 0), .number(counts.numbers["factorRemoved"] ?? 0),
      ]
    }
    return [
      ReportTable(
        "factors", "Factors",
        [
          .init("factor", "factor"), .init("tries", "tries"), .init("verified", "verified"),
          .init("verifiedPercent", "share"), .init("p50Ms", "median"), .init("p95Ms", "95 %"),
          .init("failures", "failures"), .init("open", "open"),
        ], uses),
      ReportTable(
        "changes", "Factors set up and removed",
        [.init("factor", "factor"), .init("enrolled", "enrolled"), .init("removed", "removed")], changes),
    ]
  }

  var notes: [String] {
    ["Times are of attempts that succeeded, from the moment the factor was asked for, or its answer sent."]
  }
}

/// `recovery`
struct RecoveryTally: HistoryTally {
  static let parts: FlowParts = [.tries, .changes, .place, .successes]
  private struct Row {
    var user: String?
    var at: Timestamp
    var stream: String
    var cells: [ReportTable.Cell]
  }
  private var origins = KnownOrigins()
  /// The sign-ins of each person that succeeded.
  private var entered: [String: [AccountMoment]] = [:]
  private var rows: [Row] = []
  private var kinds = Counts()

  mutating func add(_ flow: FlowFacts, isAsked: Bool) {
    let origin = origins.note(flow)
    let user = flow.user?.lowercased()
    if let user, flow.isPlainSignIn {
      entered[user, default: []] += flow.successes.map {
        AccountMoment(at: $0.ended, place: flow.place, stream: flow.stream, isAsked: isAsked)
      }
    }
    guard isAsked else { return }
    for change in flow.signIn.changes {
      switch change.kind {
      case .passwordChanged, .passwordReset, .unlocked, .registered:
        kinds.add(change.kind.rawValue)
        let proofs = flow.signIn.tries.filter { $0.isVerified && ($0.ended ?? change.at) <= change.at }
        rows.append(
          Row(
            user: user, at: change.at, stream: flow.stream,
            cells: [
              .time(change.at), .text(flow.user), .text(change.kind.rawValue),
              .text(proofs.map(\.factor.rawValue).joined(separator: ", ")), .text(flow.place),
              .text(flow.context.device), .text(origin?.rawValue), .text(flow.outcome),
            ]))
      case .factorEnrolled, .factorRemoved: break
      }
    }
  }

  var tables: [ReportTable] {
    let users = Set(rows.compactMap(\.user))
    let entered = entered.filter { users.contains($0.key) }.mapValues(AccountHistory.sorted)
    return [
      kinds.table("totals", "Totals", of: .init("change", "change")),
      ReportTable(
        "changes", "Passwords and accounts",
        [
          .at, .user, .init("change", "change"), .init("proofs", "proved by"), .place, .device.minor, .origin,
          .init("outcome", "outcome").minor, .init("enteredAt", "next success").minor,
          .init("enteredPlace", "success from").minor, .flow.minor,
        ],
        rows.map { row in
          let moments = row.user.flatMap { entered[$0] } ?? []
          let next = moments[moments.partitioningIndex { $0.at > row.at }...].first
          return row.cells + [.time(next?.at), .text(next?.place), .text(row.stream)]
        }),
    ]
  }

  var notes: [String] {
    [
      KnownOrigins.explanation,
      "Proofs are the factors that the org had accepted in the same flow before the change; a link or token has none here. Next success is the person's first sign-in that succeeded after the change, whatever time is asked for.",
    ]
  }
}
