// Factors, pushes, recoveries and lockouts.

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
      // In place, so that the times are not copied for each attempt.
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
struct RecoveryTally: ReportTally {
  static let parts: FlowParts = [.tries, .changes, .place]
  private var rows: [[ReportTable.Cell]] = []
  private var kinds = Counts()

  mutating func add(_ flow: FlowFacts) {
    for change in flow.signIn.changes {
      switch change.kind {
      case .passwordChanged, .passwordReset, .unlocked, .registered:
        kinds.add(change.kind.rawValue)
        let proofs = flow.signIn.tries.filter { $0.isVerified && ($0.ended ?? change.at) <= change.at }
        rows.append([
          .time(change.at), .text(flow.user), .text(change.kind.rawValue),
          .text(proofs.map(\.factor.rawValue).joined(separator: ", ")), .text(flow.place), .text(flow.outcome),
          .text(flow.stream),
        ])
      case .factorEnrolled, .factorRemoved: break
      }
    }
  }

  var tables: [ReportTable] {
    [
      kinds.table("totals", "Totals", of: .init("change", "change")),
      ReportTable(
        "changes", "Passwords and accounts",
        [
          .at, .user, .init("change", "change"), .init("proofs", "proved by"), .place,
          .init("outcome", "outcome").minor, .flow.minor,
        ], rows),
    ]
  }

  var notes: [String] {
    [
      "Proofs are the factors that the org had accepted in the same flow before the change; a link or token has none here."
    ]
  }
}

/// `lockouts`
struct LockoutsTally: HistoryTally {
  static let parts: FlowParts = [.tries, .changes, .place]
  /// A sign-in that met a locked account.
  struct Lockout {
    var at: Timestamp
    var user: String
    var place: String?
    var stream: String
  }
  private(set) var lockouts: [Lockout] = []
  private var unlocked: [String: [Timestamp]] = [:]
  private var failed: [String: [Timestamp]] = [:]
  private var entered: [String: [Timestamp]] = [:]

  mutating func add(_ flow: FlowFacts, isAsked: Bool) {
    let user = flow.user?.lowercased() ?? "unknown"
    if flow.isPlainSignIn, flow.outcome == "success" { entered[user, default: []].append(flow.latest) }
    for attempt in flow.signIn.tries where attempt.factor == .password && attempt.failure == .wrongPassword {
      failed[user, default: []].append(attempt.began)
    }
    for change in flow.signIn.changes where change.kind == .unlocked { unlocked[user, default: []].append(change.at) }
    guard isAsked, flow.isSignIn, (flow.signIn.setbacks[.locked] ?? 0) > 0 else { return }
    lockouts.append(
      Lockout(at: flow.latest, user: user, place: flow.place, stream: flow.stream))
  }

  /// What counts as before a lockout: a day.
  private static let before: Int64 = 86_400_000_000

  var tables: [ReportTable] {
    let rows = lockouts.map { lockout -> [ReportTable.Cell] in
      let tries = (failed[lockout.user] ?? []).filter {
        $0 <= lockout.at && lockout.at.microseconds - $0.microseconds <= Self.before
      }
      let after = (unlocked[lockout.user] ?? []).filter { $0 >= lockout.at }.min()
      let next = (entered[lockout.user] ?? []).filter { $0 > lockout.at }.min()
      return [
        .time(lockout.at), .text(lockout.user), .number(tries.count), .text(lockout.place), .time(after), .time(next),
        .text(lockout.stream),
      ]
    }
    let standing = lockouts.filter { lockout in
      let ends = (unlocked[lockout.user] ?? []).filter { $0 >= lockout.at }
      return ends.isEmpty && !(entered[lockout.user] ?? []).contains { $0 > lockout.at }
    }
    let locked = Dictionary(grouping: standing, by: \.user).map { user, lockouts in
      (user, lockouts[0].at, lockouts[lockouts.count - 1].at)
    }.sorted { ($0.1, $0.0) < ($1.1, $1.0) }
    var users = Counts()
    for lockout in lockouts { users.add(lockout.user) }
    return [
      users.table("users", "By user", of: .user),
      ReportTable(
        "lockouts", "Sign-ins that met a locked account",
        [
          .at, .user, .init("wrongPasswords", "wrong before"), .place.minor, .init("unlockedAt", "unlocked"),
          .init("enteredAt", "next success").minor, .flow.minor,
        ], rows),
      ReportTable(
        "locked", "Locked still, as far as the log says",
        [.user, .init("first", "since"), .init("last", "met last")],
        locked.map { [.text($0.0), .time($0.1), .time($0.2)] }),
    ]
  }

  var notes: [String] {
    [
      "Wrong passwords are those of the 24 hours before. An account is locked until the log has its unlocking or its next sign-in that succeeded, at any time; what an administrator unlocked by other means shows by that sign-in alone."
    ]
  }
}
