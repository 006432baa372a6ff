// The reports `spray` and `stuffing`.

import EventStore
import FlowRecording

/// Attempts by password, place by place.
struct AttackTally: HistoryTally {
  static let parts: FlowParts = [.tries, .place]
  /// Which of the two reports.
  let isStuffing: Bool
  let thresholds: Thresholds
  private var places: [String: [PasswordTry]] = [:]
  private var placeless = 0

  /// Shown as the place of a sign-in that names none.
  static let nowhere = "(no place given)"

  init(isStuffing: Bool, thresholds: Thresholds) {
    self.isStuffing = isStuffing
    self.thresholds = thresholds
  }

  mutating func add(_ flow: FlowFacts, isAsked: Bool) {
    guard flow.isSignIn, flow.signIn.tries.contains(where: { $0.factor == .password }) else { return }
    let user = flow.user?.lowercased() ?? "unknown"
    for attempt in flow.signIn.tries where attempt.factor == .password {
      // A failure of the network or the org says nothing about the password.
      let isFailed = attempt.failure == .wrongPassword || attempt.failure == .locked
      guard attempt.isVerified || isFailed else { continue }
      if flow.place == nil, isAsked { placeless += 1 }
      places[flow.place ?? Self.nowhere, default: []].append(
        PasswordTry(at: attempt.began, user: user, isFailed: isFailed, isAsked: isAsked))
    }
  }

  /// The episodes with at least one attempt that passes the filters, in the order of their beginnings.
  var episodes: [AttackEpisode] { isStuffing ? both.stuffing : both.spray }

  /// The episodes of both reports. An attempt of a burst counts as stuffing only, not also as spray: what the place
  /// tried before, beside and after its bursts is spray if it satisfies the rule without them.
  var both: (spray: [AttackEpisode], stuffing: [AttackEpisode]) {
    var spray: [AttackEpisode] = []
    var stuffing: [AttackEpisode] = []
    for (place, attempts) in places {
      let bursts = AttackDetection(rule: thresholds.stuffing).episodes(of: place, attempts)
      stuffing += bursts
      let others = AttackDetection.outside(bursts, attempts)
      spray += AttackDetection(rule: thresholds.spray).episodes(of: place, others)
    }
    return (Self.sorted(spray), Self.sorted(stuffing))
  }

  private static func sorted(_ episodes: [AttackEpisode]) -> [AttackEpisode] {
    episodes.filter(\.isAsked).sorted { ($0.first, $0.place) < ($1.first, $1.place) }
  }

  var tables: [ReportTable] {
    [
      ReportTable(
        "episodes", isStuffing ? "Bursts over many accounts" : "Few tries on many accounts",
        [
          .init("first", "from"), .init("last", "to").minor, .place, .init("users", "accounts"),
          .init("tries", "tries"), .init("failed", "failed"), .init("failedPercent", "share").minor,
          .init("entered", "entered"),
        ],
        episodes.map { episode in
          [
            .time(episode.first), .time(episode.last), .text(episode.place), .number(episode.users),
            .number(episode.tries), .number(episode.failed), .share(episode.failed, of: episode.tries),
            .text(episode.entered.joined(separator: ", ")),
          ]
        })
    ]
  }

  var notes: [String] {
    let rule = isStuffing ? thresholds.stuffing : thresholds.spray
    var notes = [
      "Rule: within \(rule.seconds) s at least \(rule.users) accounts fail from one place, each at most \(rule.tries) times on average, and at least \(rule.percent) % of the tries fail."
    ]
    if placeless > 0 {
      notes.append(
        "\(Quantity.count(placeless, "attempt")) named no place and are looked at together; give flows a context with an address or a device."
      )
    }
    return notes
  }
}
