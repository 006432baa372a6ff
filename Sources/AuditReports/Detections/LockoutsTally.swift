// The report `lockouts`.

import EventStore
import FlowRecording

/// Sign-ins that met a locked account, and what was before and after.
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
  private var users: [String: History] = [:]

  /// An account that was unlocked.
  private struct Unlocking {
    var at: Timestamp
    /// The factors that the org had accepted before in the same flow.
    var proofs: String
    var place: String?
    var stream: String
  }

  /// What happened to an account, in the order of a pass over the logs.
  private struct History {
    var unlocked: [Unlocking] = []
    /// Its wrong passwords.
    var failed: [Timestamp] = []
    /// Its sign-ins that succeeded.
    var entered: [Timestamp] = []

    mutating func add(_ flow: FlowFacts) {
      if flow.isPlainSignIn, flow.outcome == "success" { entered.append(flow.latest) }
      for attempt in flow.signIn.tries where attempt.factor == .password && attempt.failure == .wrongPassword {
        failed.append(attempt.began)
      }
      for change in flow.signIn.changes where change.kind == .unlocked {
        let proofs = flow.signIn.tries.filter { $0.isVerified && ($0.ended ?? change.at) <= change.at }
        unlocked.append(
          Unlocking(
            at: change.at, proofs: proofs.map(\.factor.rawValue).joined(separator: ", "), place: flow.place,
            stream: flow.stream))
      }
    }
  }

  mutating func add(_ flow: FlowFacts, isAsked: Bool) {
    let user = flow.user?.lowercased() ?? "unknown"
    users[user, default: History()].add(flow)
    guard isAsked, flow.isSignIn, (flow.signIn.setbacks[.locked] ?? 0) > 0 else { return }
    lockouts.append(
      Lockout(at: flow.latest, user: user, place: flow.place, stream: flow.stream))
  }

  private func history(of user: String) -> History { users[user] ?? History() }

  /// What counts as before a lockout: a day.
  private static let before: Int64 = 86_400_000_000

  var tables: [ReportTable] {
    let rows = lockouts.map { lockout -> [ReportTable.Cell] in
      let history = history(of: lockout.user)
      let tries = history.failed.filter {
        $0 <= lockout.at && lockout.at.microseconds - $0.microseconds <= Self.before
      }
      let after = history.unlocked.map(\.at).filter { $0 >= lockout.at }.min()
      let next = history.entered.filter { $0 > lockout.at }.min()
      return [
        .time(lockout.at), .text(lockout.user), .number(tries.count), .text(lockout.place), .time(after), .time(next),
        .text(lockout.stream),
      ]
    }
    let standing = lockouts.filter { lockout in
      let history = history(of: lockout.user)
      return !history.unlocked.contains { $0.at >= lockout.at } && !history.entered.contains { $0 > lockout.at }
    }
    let locked = Dictionary(grouping: standing, by: \.user).map { user, lockouts in
      (user, lockouts[0].at, lockouts[lockouts.count - 1].at)
    }.sorted { ($0.1, $0.0) < ($1.1, $1.0) }
    var met = Counts()
    for lockout in lockouts { met.add(lockout.user) }
    return [
      met.table("users", "By user", of: .user),
      ReportTable(
        "lockouts", "Sign-ins that met a locked account",
        [
          .at, .user, .init("wrongPasswords", "wrong before"), .place.minor, .init("unlockedAt", "unlocked"),
          .init("enteredAt", "next success").minor, .flow.minor,
        ], rows),
      unlocked,
      ReportTable(
        "locked", "Locked still, as far as the log says",
        [.user, .init("first", "since"), .init("last", "met last")],
        locked.map { [.text($0.0), .time($0.1), .time($0.2)] }),
    ]
  }

  /// Each account that was locked and unlocked after, from the last lockout before it.
  private var unlocked: ReportTable {
    let rows = Dictionary(grouping: lockouts, by: \.user).flatMap { user, lockouts in
      history(of: user).unlocked.compactMap { unlocking -> (user: String, since: Timestamp, unlocking: Unlocking)? in
        lockouts.map(\.at).filter { $0 <= unlocking.at }.max().map { (user: user, since: $0, unlocking: unlocking) }
      }
    }
    return ReportTable(
      "unlocked", "Locked, and unlocked after",
      [
        .at, .user, .init("lockedAt", "locked"), .init("lockedMs", "after"), .init("proofs", "proved by"), .place,
        .flow.minor,
      ],
      rows.sorted { ($0.unlocking.at, $0.unlocking.stream) < ($1.unlocking.at, $1.unlocking.stream) }.map { row in
        [
          .time(row.unlocking.at), .text(row.user), .time(row.since),
          .milliseconds(Int((row.unlocking.at.microseconds - row.since.microseconds) / 1_000)),
          .text(row.unlocking.proofs), .text(row.unlocking.place), .text(row.unlocking.stream),
        ]
      })
  }

  var notes: [String] {
    [
      "Wrong passwords are those of the 24 hours before. An account is locked until the log has its unlocking or its next sign-in that succeeded, at any time; what an administrator unlocked by other means shows by that sign-in alone."
    ]
  }
}
