// Which challenges may belong to a sign-in's push. Logs may come from untrusted sources: even with thousands of pushes
// on both sides, not every pair is compared.

import EventStore
import FlowRecording

/// Challenges by their transaction, and by org and person in the order of their times.
struct PushIndex {
  /// How many challenges of one person around the time of a sign-in are examined. In the minutes that count, a person
  /// has only a few.
  static let most = 64

  private struct Place: Hashable {
    var origin: String
    var userID: String

    init?(_ push: PushSighting) {
      guard let origin = PushPair.origin(push.org), let userID = push.userID else { return nil }
      self.origin = origin
      self.userID = userID
    }
  }

  fileprivate struct Sent {
    var at: Int64
    var challenge: Int
  }

  private var byTransaction: [String: Int] = [:]
  private var byPlace: [Place: [Sent]] = [:]

  /// Indexes challenges by their places in the list; each transaction appears once.
  init(_ challenges: [SeenPush]) {
    for (index, seen) in challenges.enumerated() {
      if let transaction = seen.push.transaction { byTransaction[transaction] = index }
      guard let place = Place(seen.push) else { continue }
      byPlace[place, default: []].append(
        Sent(at: (seen.push.sent ?? seen.push.began).microseconds, challenge: index))
    }
    for place in byPlace.keys { byPlace[place]?.sort { ($0.at, $0.challenge) < ($1.at, $1.challenge) } }
  }

  /// The challenges that may belong to the push: the one with its transaction, and the person's challenges sent closest
  /// to its beginning, at most `most` in total. The caller decides which of them fit.
  func candidates(for push: PushSighting) -> [Int] {
    var found = push.transaction.flatMap { byTransaction[$0] }.map { [$0] } ?? []
    guard let place = Place(push), let sent = byPlace[place] else { return found }
    let from = push.began.microseconds
    var above = sent.partitioningIndex { $0.at >= from }
    var below = above
    while found.count < Self.most, below > 0 || above < sent.count {
      let isBelow = above == sent.count || below > 0 && from - sent[below - 1].at <= sent[above].at - from
      if isBelow {
        below -= 1
        found.append(sent[below].challenge)
      } else {
        found.append(sent[above].challenge)
        above += 1
      }
    }
    return Set(found).sorted()
  }
}
