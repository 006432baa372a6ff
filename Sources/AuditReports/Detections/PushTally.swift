// The report `push`: how pushes are answered, and who is targeted by push fatigue.

package import EventStore
import FlowRecording

/// A run of pushes that one person rejected or left unanswered.
package struct FatigueEpisode: Sendable, Equatable {
  /// The login.
  package var user: String
  /// The first push, and the last one of the run.
  package var first: Timestamp
  package var last: Timestamp
  /// How many pushes were rejected, and how many were left unanswered.
  package var rejected: Int
  package var unanswered: Int
  /// When the push that was finally approved was sent; nil if none was approved.
  package var approved: Timestamp?
  /// When the approval let the sign-in in.
  package var entered: Timestamp?
  /// The origins of the sign-ins that sent them, in the order of their first pushes.
  package var places: [String]
  /// The flow of the sign-in that the approval completed, or of the last push.
  package var flow: String
}

extension FatigueEpisode {
  fileprivate mutating func see(_ place: String?) {
    if let place, !places.contains(place) { places.append(place) }
  }
}

/// Pushes of sign-ins.
struct PushTally: HistoryTally {
  static let parts: FlowParts = [.tries, .place]
  let thresholds: Thresholds
  private struct Push {
    var at: Timestamp
    /// When it was approved, rejected or abandoned; nil while it is open.
    var ended: Timestamp?
    var failure: FailureReason?
    var isVerified: Bool
    /// Whether it was abandoned for another factor that completed the sign-in. The person was present, so this is not
    /// push fatigue.
    var isReplaced: Bool
    var place: String?
    var device: String?
    var stream: String
    /// Whether its flow passes the filters of the report.
    var isAsked: Bool

    /// Whether it stayed unanswered and no other factor completed the sign-in.
    var isUnanswered: Bool { failure == .timedOut || failure == .abandoned && !isReplaced }
    /// The time until it ended, in milliseconds.
    var took: Int? { ended.map { Int(max(0, $0.microseconds - at.microseconds) / 1_000) } }
  }
  private var users: [String: [Push]] = [:]
  private var outcomes = Counts()

  init(thresholds: Thresholds) { self.thresholds = thresholds }

  mutating func add(_ flow: FlowFacts, isAsked: Bool) {
    guard flow.isSignIn, flow.signIn.tries.contains(where: { $0.factor == .push }) else { return }
    let user = flow.user?.lowercased() ?? "unknown"
    let isIn = flow.outcome == "success"
    let other = isIn ? flow.signIn.tries.lastIndex { $0.isVerified && ![.push, .password].contains($0.factor) } : nil
    for (index, attempt) in flow.signIn.tries.enumerated() where attempt.factor == .push {
      let word = attempt.isVerified ? "approved" : attempt.failure?.rawValue ?? "open"
      if isAsked { outcomes.add(word) }
      users[user, default: []].append(
        Push(
          at: attempt.began, ended: attempt.ended, failure: attempt.failure, isVerified: attempt.isVerified,
          isReplaced: attempt.failure == .abandoned && other.map { $0 > index } ?? false, place: flow.place,
          device: flow.context.device, stream: flow.stream, isAsked: isAsked))
    }
  }

  /// The episodes of all users that include a push that passes the filters, in the order of their beginnings.
  var episodes: [FatigueEpisode] {
    users.flatMap { episodes(of: $0.key, $0.value) }.sorted { ($0.first, $0.user) < ($1.first, $1.user) }
  }

  private func episodes(of user: String, _ pushes: [Push]) -> [FatigueEpisode] {
    var found: [FatigueEpisode] = []
    var run: FatigueEpisode?
    var isAsked = false
    func close() {
      if let run, isAsked, run.rejected + run.unanswered >= thresholds.fatiguePushes { found.append(run) }
      (run, isAsked) = (nil, false)
    }
    for push in pushes.sorted(by: { $0.at < $1.at }) {
      if let last = run?.last, !push.at.isWithin(seconds: thresholds.fatigueSeconds, after: last) { close() }
      if push.isVerified {
        isAsked = isAsked || push.isAsked
        run?.approved = push.at
        run?.entered = push.ended
        run?.flow = push.stream
        run?.last = push.at
        run?.see(push.place)
        close()
        continue
      }
      guard push.failure == .rejected || push.isUnanswered else { continue }
      var next =
        run
        ?? FatigueEpisode(
          user: user, first: push.at, last: push.at, rejected: 0, unanswered: 0, places: [], flow: push.stream)
      next.last = push.at
      next.flow = push.stream
      next.see(push.place)
      isAsked = isAsked || push.isAsked
      if push.failure == .rejected { next.rejected += 1 } else { next.unanswered += 1 }
      run = next
    }
    close()
    return found
  }

  var tables: [ReportTable] {
    let people = users.mapValues { $0.filter(\.isAsked) }.filter { !$0.value.isEmpty }
      .map { user, pushes in (user, pushes.count, Self.counts(pushes)) }
      .sorted { ($1.1, $0.0) < ($0.1, $1.0) }
    return [
      outcomes.table("outcomes", "Pushes, by what came of them", of: .init("outcome", "outcome")),
      ReportTable(
        "fatigue", "Fatigue: pushes refused or unanswered one after the other",
        [
          .init("first", "from"), .init("last", "to").minor, .user, .init("rejected", "refused"),
          .init("unanswered", "unanswered"), .init("approvedAt", "then approved"), .place.minor, .flow.minor,
        ],
        episodes.map {
          [
            .time($0.first), .time($0.last), .text($0.user), .number($0.rejected), .number($0.unanswered),
            .time($0.approved), .text($0.places.isEmpty ? nil : $0.places.joined(separator: ", ")), .text($0.flow),
          ]
        }),
      ReportTable(
        "users", "By user",
        [
          .user, .init("pushes", "pushes"), .init("approved", "approved"), .init("rejected", "refused"),
          .init("unanswered", "unanswered"),
        ],
        people.map { user, count, counts in
          [
            .text(user), .number(count), .number(counts.approved), .number(counts.rejected), .number(counts.unanswered),
          ]
        }),
      Self.perUser(people.map { $0.1 }.sorted()),
      ReportTable(
        "quick", "Approved at once",
        [.at, .user, .init("tookMs", "took"), .place, .device.minor, .flow.minor],
        quick.map { user, push in
          [
            .time(push.at), .text(user), .milliseconds(push.took), .text(push.place), .text(push.device),
            .text(push.stream),
          ]
        }),
    ]
  }

  /// How many pushes a person gets.
  private static func perUser(_ counts: [Int]) -> ReportTable {
    ReportTable(
      "perUser", "Pushes of a person",
      [
        .init("users", "users"), .init("pushes", "pushes"), .init("p50", "median"), .init("p95", "95 %"),
        .init("most", "most"),
      ],
      counts.isEmpty
        ? []
        : [
          [
            .number(counts.count), .number(counts.reduce(0, +)), .number(SignInSummary.percentile(50, of: counts)),
            .number(SignInSummary.percentile(95, of: counts)), .number(counts.last),
          ]
        ])
  }

  /// The pushes that pass the filters and were approved at once, in the order of their times.
  private var quick: [(user: String, push: Push)] {
    let found = users.flatMap { user, pushes in
      pushes.filter { $0.isAsked && $0.isVerified && ($0.took ?? .max) <= thresholds.quickSeconds * 1_000 }
        .map { (user: user, push: $0) }
    }
    return found.sorted { ($0.push.at, $0.push.stream) < ($1.push.at, $1.push.stream) }
  }

  private static func counts(_ pushes: [Push]) -> (approved: Int, rejected: Int, unanswered: Int) {
    (
      pushes.reduce(0) { $0 + ($1.isVerified ? 1 : 0) },
      pushes.reduce(0) { $0 + ($1.failure == .rejected ? 1 : 0) },
      pushes.reduce(0) { $0 + ($1.isUnanswered ? 1 : 0) }
    )
  }

  var notes: [String] {
    [
      "Rule: at least \(thresholds.fatiguePushes) pushes of one person refused or unanswered, each within \(thresholds.fatigueSeconds) s of the one before. One that is sent anew counts as a push of its own; one that was given up does not count if another factor let the person in by the same sign-in. An approval ends the run. Approved at once is within \(thresholds.quickSeconds) s after the push was sent, as the sign-in saw it: that is at a poll, so that the time between two polls is the least that it can be, 5 s in the classic API if the application sets no other."
    ]
  }
}
