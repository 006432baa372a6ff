// The report `guessing`.

import EventStore
import FlowRecording

/// Wrong passwords and codes, account by account.
struct GuessingTally: HistoryTally {
  static let parts: FlowParts = [.tries, .place, .successes]
  private let detection: GuessingDetection
  private var accounts: [String: AccountHistory] = [:]

  init(thresholds: Thresholds) { detection = GuessingDetection(thresholds: thresholds) }

  mutating func add(_ flow: FlowFacts, isAsked: Bool) {
    guard flow.isSignIn, let user = flow.user?.lowercased() else { return }
    accounts[user, default: AccountHistory()].add(flow, isAsked: isAsked)
  }

  /// The episodes of all accounts, in the order of their beginnings.
  var episodes: [GuessingEpisode] {
    accounts.flatMap { detection.episodes(of: $0.key, $0.value) }
      .sorted { ($0.first, $0.user) < ($1.first, $1.user) }
  }

  var tables: [ReportTable] {
    [
      ReportTable(
        "episodes", "Many wrong passwords or codes on one account",
        [
          .init("first", "from"), .init("last", "to").minor, .user, .init("tries", "tries"),
          .init("places", "places").minor, .place, .init("outcome", "outcome"), .init("enteredAt", "success").minor,
          .init("enteredPlace", "success from"), .flow.minor,
        ],
        episodes.map {
          [
            .time($0.first), .time($0.last), .text($0.user), .number($0.tries), .number($0.places.count),
            .text($0.places.isEmpty ? nil : $0.places.joined(separator: ", ")), .text($0.outcome.rawValue),
            .time($0.success?.at), .text($0.success?.place), .text($0.flow),
          ]
        })
    ]
  }

  var notes: [String] {
    [
      "Rule: within \(detection.seconds) s at least \(detection.tries) passwords or codes of one account are wrong, from one place or several. It succeeded if a sign-in or recovery of the account did, from anywhere, after that many and no later than \(detection.seconds) s after the last of them: the person's own success counts too, so compare the places. A lockout ends it. One that met a lockout sooner is in report lockouts."
    ]
  }
}
