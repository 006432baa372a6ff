// Many wrong passwords or codes on one account: the rule behind the report `guessing`.

import EventStore
import FlowRecording

/// A wrong try, a success or a lockout of one account.
struct AccountMoment {
  /// When a wrong try began, when a sign-in succeeded, or when the account was found locked.
  var at: Timestamp
  var place: String?
  var stream: String
  /// Whether its flow passes the filters of the report.
  var isAsked: Bool
}

/// What happened to one account, in log order.
struct AccountHistory {
  private(set) var wrong: [AccountMoment] = []
  private(set) var successes: [AccountMoment] = []
  private(set) var lockouts: [AccountMoment] = []

  mutating func add(_ flow: FlowFacts, isAsked: Bool) {
    func moment(_ at: Timestamp) -> AccountMoment {
      AccountMoment(at: at, place: flow.place, stream: flow.stream, isAsked: isAsked)
    }
    for attempt in flow.signIn.tries where attempt.failure == .wrongPassword || attempt.failure == .wrongCode {
      wrong.append(moment(attempt.began))
    }
    // An unlocking by itself lets no one in.
    if flow.signIn.purpose != .unlock { successes += flow.successes.map { moment($0.ended) } }
    guard (flow.signIn.setbacks[.locked] ?? 0) > 0 else { return }
    let locked = flow.signIn.tries.last { $0.failure == .locked }
    lockouts.append(moment(locked?.ended ?? flow.latest))
  }

  /// The moments by time.
  static func sorted(_ moments: [AccountMoment]) -> [AccountMoment] {
    moments.sorted { ($0.at, $0.stream) < ($1.at, $1.stream) }
  }
}

/// A span of time in which many passwords or codes of one account were wrong.
struct GuessingEpisode {
  /// How it ended.
  enum Outcome: String {
    /// A sign-in or recovery of the account succeeded after the rule was met: the guess may have succeeded.
    case succeeded
    /// The account was locked.
    case locked
    /// Neither followed within the window.
    case stopped
  }

  /// The login.
  var user: String
  /// The first and the last wrong try.
  var first: Timestamp
  var last: Timestamp
  /// The number of wrong tries.
  var tries: Int
  /// Their origins, in the order of their first tries.
  var places: [String]
  var outcome: Outcome
  /// The success that followed; nil if there is none.
  var success: AccountMoment?
  /// The flow of the success, or of the last wrong try if there is none.
  var flow: String
}

/// Finds episodes among the wrong tries of an account.
struct GuessingDetection {
  /// The minimum number of wrong tries in a window.
  let tries: Int
  /// The length of the window, in seconds.
  let seconds: Int

  init(thresholds: Thresholds) {
    tries = max(2, thresholds.guessTries)
    seconds = max(0, thresholds.guessSeconds)
  }

  /// Indexes of wrong tries: the first of an episode, the one that met the rule, and the last.
  private struct Run {
    var first: Int
    var met: Int
    var last: Int
  }

  /// The episodes of one account: the windows with enough wrong tries, with overlapping ones merged. A lockout ends an
  /// episode. Only those of which something passes the filters are returned. Cost: sorting, then linear in the tries.
  func episodes(of user: String, _ history: AccountHistory) -> [GuessingEpisode] {
    guard history.wrong.count >= tries else { return [] }
    let wrong = AccountHistory.sorted(history.wrong)
    let successes = AccountHistory.sorted(history.successes)
    var found: [GuessingEpisode] = []
    var start = 0
    func look(until end: Int, _ lockout: AccountMoment?) {
      for run in runs(of: wrong[start..<end]) {
        let tries = wrong[run.first...run.last]
        if let one = episode(of: user, tries, met: wrong[run.met].at, successes, lockout) { found.append(one) }
      }
      start = end
    }
    for lockout in AccountHistory.sorted(history.lockouts) {
      look(until: wrong.partitioningIndex { $0.at > lockout.at }, lockout)
    }
    look(until: wrong.count, nil)
    return found
  }

  private func runs(of wrong: ArraySlice<AccountMoment>) -> [Run] {
    var runs: [Run] = []
    var start = wrong.startIndex
    for index in wrong.indices {
      while !wrong[index].at.isWithin(seconds: seconds, after: wrong[start].at) { start += 1 }
      guard index - start + 1 >= tries else { continue }
      if let run = runs.last, run.last >= start {
        runs[runs.count - 1].last = index
      } else {
        runs.append(Run(first: start, met: index, last: index))
      }
    }
    return runs
  }

  /// The episode of some wrong tries; nil if nothing of it passes the filters.
  ///
  /// - Parameters:
  ///   - wrong: the tries, by time; at least one.
  ///   - met: when the try that met the rule began. An earlier success does not count.
  ///   - successes: those of the account, by time.
  ///   - lockout: the next lockout of the account.
  private func episode(
    of user: String, _ wrong: ArraySlice<AccountMoment>, met: Timestamp, _ successes: [AccountMoment],
    _ lockout: AccountMoment?
  ) -> GuessingEpisode? {
    guard let first = wrong.first, let last = wrong.last else { return nil }
    // If the next one comes too late, so do all others.
    let success = successes[successes.partitioningIndex { $0.at > met }...].first.flatMap { moment in
      isInTime(moment, after: last) && (lockout.map { moment.at < $0.at } ?? true) ? moment : nil
    }
    let locked = lockout.flatMap { isInTime($0, after: last) ? $0 : nil }
    let end = success ?? locked
    guard wrong.contains(where: \.isAsked) || end?.isAsked == true else { return nil }
    var places: [String] = []
    var seen: Set<String> = []
    for place in wrong.compactMap(\.place) where seen.insert(place).inserted { places.append(place) }
    return GuessingEpisode(
      user: user, first: first.at, last: last.at, tries: wrong.count, places: places,
      outcome: success != nil ? .succeeded : locked != nil ? .locked : .stopped, success: success,
      flow: success?.stream ?? last.stream)
  }

  private func isInTime(_ moment: AccountMoment, after last: AccountMoment) -> Bool {
    moment.at.isWithin(seconds: seconds, after: last.at)
  }
}
