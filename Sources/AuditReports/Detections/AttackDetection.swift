// Sources that try passwords on many accounts: the rule behind the reports `spray` and `stuffing`.

package import EventStore

/// One attempt by password.
struct PasswordTry {
  var at: Timestamp
  var user: String
  var isFailed: Bool
  /// Whether its flow passes the filters of the report.
  var isAsked = true
}

/// A span of time in which one place tried passwords on many accounts.
package struct AttackEpisode: Sendable, Equatable {
  /// The place.
  package var place: String
  /// Its first and its last attempt.
  package var first: Timestamp
  package var last: Timestamp
  /// The number of attempts, of accounts, and of failed attempts.
  package var tries: Int
  package var users: Int
  package var failed: Int
  /// The accounts that were entered, in the order of their names.
  package var entered: [String]
  /// When the first right password of each of these was sent.
  var entries: [String: Timestamp] = [:]
  /// All accounts that were tried.
  var tried: Set<String> = []
  /// Whether one of its attempts passes the filters of the report.
  var isAsked = true
}

/// Finds episodes in the attempts from one place.
struct AttackDetection {
  let rule: Thresholds.Attack

  /// The episodes of a place: the windows that satisfy the rule, with overlapping ones merged. Cost: sorting, then
  /// linear.
  func episodes(of place: String, _ attempts: [PasswordTry]) -> [AttackEpisode] {
    let attempts = attempts.sorted { $0.at < $1.at }
    var window = Window()
    var start = 0
    var spans: [ClosedRange<Int>] = []
    for (index, attempt) in attempts.enumerated() {
      window.add(attempt)
      while !attempt.at.isWithin(seconds: rule.seconds, after: attempts[start].at) {
        window.remove(attempts[start])
        start += 1
      }
      guard window.fits(rule) else { continue }
      if let last = spans.last, last.upperBound >= start {
        spans[spans.count - 1] = last.lowerBound...index
      } else {
        spans.append(start...index)
      }
    }
    return spans.map { Self.episode(place, attempts[$0]) }
  }

  /// The attempts of a place that are in none of its episodes, which are in the order of their times. Cost: sorting,
  /// then linear.
  static func outside(_ episodes: [AttackEpisode], _ attempts: [PasswordTry]) -> [PasswordTry] {
    guard !episodes.isEmpty else { return attempts }
    var next = 0
    return attempts.sorted { $0.at < $1.at }.filter { attempt in
      while next < episodes.count, episodes[next].last < attempt.at { next += 1 }
      return next == episodes.count || attempt.at < episodes[next].first
    }
  }

  private static func episode(_ place: String, _ attempts: ArraySlice<PasswordTry>) -> AttackEpisode {
    let failed = attempts.filter(\.isFailed)
    let users = Set(attempts.map(\.user))
    // Sorted by time, so that the first one is kept.
    let entries = Dictionary(
      attempts.filter { !$0.isFailed }.map { ($0.user, $0.at) }, uniquingKeysWith: { one, _ in one })
    return AttackEpisode(
      place: place, first: attempts[attempts.startIndex].at, last: attempts[attempts.endIndex - 1].at,
      tries: attempts.count, users: users.count, failed: failed.count,
      entered: entries.keys.sorted(), entries: entries, tried: users,
      isAsked: attempts.contains(where: \.isAsked))
  }

  /// Attempts within the span of the rule.
  private struct Window {
    private var failedByUser: [String: Int] = [:]
    private var failed = 0
    private var tries = 0

    mutating func add(_ attempt: PasswordTry) {
      tries += 1
      guard attempt.isFailed else { return }
      failed += 1
      failedByUser[attempt.user, default: 0] += 1
    }

    mutating func remove(_ attempt: PasswordTry) {
      tries -= 1
      guard attempt.isFailed else { return }
      failed -= 1
      failedByUser[attempt.user, default: 0] -= 1
      if failedByUser[attempt.user] == 0 { failedByUser[attempt.user] = nil }
    }

    func fits(_ rule: Thresholds.Attack) -> Bool {
      let users = failedByUser.count
      guard users >= max(2, rule.users), failed * 100 >= tries * rule.percent else { return false }
      return Double(failed) <= rule.tries * Double(users)
    }
  }
}
