// The report `lockouts`.

import EventStore
import FlowRecording

/// Sign-ins that met a locked account, with the events before and after.
struct LockoutsTally: HistoryTally {
  static let parts: FlowParts = [.tries, .changes, .place, .successes]
  struct Lockout {
    var at: Timestamp
    /// When the account was found locked, which may be long before the end of a flow that is kept.
    var met: Timestamp
    var user: String
    var place: String?
    var stream: String
  }
  private(set) var lockouts: [Lockout] = []
  private var users: [String: History] = [:]

  /// An account that was unlocked.
  private struct Unlocking {
    var at: Timestamp
    /// The factors that the org had already accepted in the same flow.
    var proofs: String
    var place: String?
    var stream: String
  }

  /// The events of an account, in log order or sorted by time.
  private struct History {
    var unlocked: [Unlocking] = []
    /// Its wrong passwords.
    var failed: [Timestamp] = []
    /// Its sign-ins that succeeded.
    var entered: [Timestamp] = []

    mutating func add(_ flow: FlowFacts) {
      if flow.isPlainSignIn { entered += flow.successes.map(\.ended) }
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

    /// The same history with each list sorted by time.
    var sorted: History {
      History(
        unlocked: unlocked.sorted { ($0.at, $0.stream) < ($1.at, $1.stream) }, failed: failed.sorted(),
        entered: entered.sorted())
    }
  }

  mutating func add(_ flow: FlowFacts, isAsked: Bool) {
    users[Self.name(of: flow), default: History()].add(flow)
    note(flow, isAsked: isAsked)
  }

  /// Records only the lockout of a flow; the events before and after are not needed.
  mutating func note(_ flow: FlowFacts, isAsked: Bool) {
    guard isAsked, flow.isSignIn, (flow.signIn.setbacks[.locked] ?? 0) > 0 else { return }
    // If it went on after the lock, what it did then comes after the lock.
    let locked = flow.signIn.standing == .locked ? nil : flow.signIn.tries.last { $0.failure == .locked }
    let met = locked?.ended ?? flow.latest
    lockouts.append(
      Lockout(at: flow.latest, met: met, user: Self.name(of: flow), place: flow.place, stream: flow.stream))
  }

  private static func name(of flow: FlowFacts) -> String { flow.user?.lowercased() ?? "unknown" }

  /// The first time after the given one in a sorted list, or nil if there is none.
  private static func next(of times: [Timestamp], after time: Timestamp) -> Timestamp? {
    let place = times.partitioningIndex { $0 > time }
    return place < times.count ? times[place] : nil
  }

  /// The first unlocking of an account at or after a time.
  private static func unlocking(_ history: History, from time: Timestamp) -> Unlocking? {
    let place = history.unlocked.partitioningIndex { $0.at >= time }
    return place < history.unlocked.count ? history.unlocked[place] : nil
  }

  /// How long before a lockout events still count: a day.
  private static let before: Int64 = 86_400_000_000

  var tables: [ReportTable] {
    let histories = Dictionary(
      Set(lockouts.map(\.user)).map { ($0, (users[$0] ?? History()).sorted) }, uniquingKeysWith: { one, _ in one })
    var rows: [[ReportTable.Cell]] = []
    var standing: [Lockout] = []
    for lockout in lockouts {
      guard let history = histories[lockout.user] else { continue }
      let since = Timestamp(microseconds: lockout.at.microseconds &- Self.before)
      let tries =
        history.failed.partitioningIndex { $0 > lockout.at } - history.failed.partitioningIndex { $0 >= since }
      let after = Self.unlocking(history, from: lockout.met)?.at
      let next = Self.next(of: history.entered, after: lockout.met)
      if after == nil, next == nil { standing.append(lockout) }
      rows.append([
        .time(lockout.at), .text(lockout.user), .number(tries), .text(lockout.place), .time(after), .time(next),
        .text(lockout.stream),
      ])
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
      unlocked(histories),
      ReportTable(
        "locked", "Locked still, as far as the log says",
        [.user, .init("first", "since"), .init("last", "met last")],
        locked.map { [.text($0.0), .time($0.1), .time($0.2)] }),
    ]
  }

  /// Accounts that were unlocked after a lockout, each measured from when it was last found locked, which may have been
  /// in the flow that unlocked it. A sign-in or an unlocking ends the lockout.
  private func unlocked(_ histories: [String: History]) -> ReportTable {
    var rows: [(user: String, since: Timestamp, unlocking: Unlocking)] = []
    for (user, lockouts) in Dictionary(grouping: lockouts, by: \.user) {
      guard let history = histories[user] else { continue }
      let times = lockouts.map(\.met).sorted()
      for (index, unlocking) in history.unlocked.enumerated() {
        let count = times.partitioningIndex { $0 > unlocking.at }
        guard count > 0 else { continue }
        let since = times[count - 1]
        let isIn = Self.next(of: history.entered, after: since).map { $0 < unlocking.at } ?? false
        guard !isIn, index == 0 || history.unlocked[index - 1].at < since else { continue }
        rows.append((user: user, since: since, unlocking: unlocking))
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
      "Wrong passwords are those of the 24 hours before. An account is locked until the log has its unlocking or its next sign-in that succeeded, at any time; what an administrator unlocked by other means shows by that sign-in alone. An unlocking is listed if the account was locked until then."
    ]
  }
}
