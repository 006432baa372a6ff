import EventStore
import FlowRecording

/// A sign-in's push with the matching challenge of the device.
package struct PushPair: Sendable, Equatable {
  /// What the sign-in saw of the push.
  package var signIn: SeenPush
  /// What the device saw; more than one flow if the challenge arrived more than once.
  package var device: [SeenPush]

  /// When the challenge first arrived at the device.
  var arrived: Timestamp { device.map(\.push.began).min() ?? signIn.push.began }

  /// Joins what was seen on both sides.
  ///
  /// Two sightings are of the same push if no value that both sides know differs (transaction, org, person) and their
  /// times fit: the org sent the push, or it arrived at the device, while the sign-in waited, within the clock
  /// tolerance. If several fit, the nearest in time counts. One transaction belongs to one sign-in.
  ///
  /// - Parameters:
  ///   - signIns: pushes that sign-ins waited for.
  ///   - devices: challenges that devices received.
  ///   - tolerance: how much the clocks may differ, in seconds.
  /// - Returns: the pairs in the order in which their sign-ins began, and the unmatched sightings of each side.
  package static func join(
    _ signIns: [SeenPush], _ devices: [SeenPush], tolerance: Int = 300
  ) -> (pairs: [PushPair], alone: [SeenPush]) {
    let groups = Group.all(of: devices)
    let index = PushIndex(groups.map(\.first))
    var fits: [(distance: Int64, signIn: Int, group: Int)] = []
    for (signIn, waiting) in signIns.enumerated() {
      for group in index.candidates(for: waiting.push) {
        if let distance = distance(waiting.push, groups[group].first.push, tolerance) {
          fits.append((distance, signIn, group))
        }
      }
    }
    var taken: [Int: Int] = [:]
    var used: Set<Int> = []
    for fit in fits.sorted(by: { ($0.distance, $0.signIn, $0.group) < ($1.distance, $1.signIn, $1.group) })
    where taken[fit.signIn] == nil && !used.contains(fit.group) {
      taken[fit.signIn] = fit.group
      used.insert(fit.group)
    }
    let pairs = signIns.indices.compactMap { signIn -> PushPair? in
      taken[signIn].map { PushPair(signIn: signIns[signIn], device: groups[$0].seen) }
    }
    let alone =
      signIns.indices.filter { taken[$0] == nil }.map { signIns[$0] }
      + groups.indices.filter { !used.contains($0) }.flatMap { groups[$0].seen }
    return (pairs.sorted { $0.signIn.push.began < $1.signIn.push.began }, alone)
  }

  /// The sightings of one challenge.
  private struct Group {
    var seen: [SeenPush]
    let first: SeenPush
    var transaction: String? { first.push.transaction }

    init(_ seen: SeenPush) {
      self.seen = [seen]
      first = seen
    }

    /// The challenges, each with all the flows that saw it.
    static func all(of devices: [SeenPush]) -> [Group] {
      var groups: [Group] = []
      var known: [String: Int] = [:]
      for seen in devices.sorted(by: { $0.push.began < $1.push.began }) {
        if let transaction = seen.push.transaction, let group = known[transaction] {
          groups[group].seen.append(seen)
          continue
        }
        if let transaction = seen.push.transaction { known[transaction] = groups.count }
        groups.append(Group(seen))
      }
      return groups
    }
  }

  /// Microseconds between the beginnings of two sightings, or nil if they cannot be of the same push.
  private static func distance(_ waiting: PushSighting, _ challenge: PushSighting, _ tolerance: Int) -> Int64? {
    if let one = waiting.transaction, let other = challenge.transaction { return one == other ? 0 : nil }
    guard let one = origin(waiting.org), one == origin(challenge.org) else { return nil }
    if let one = waiting.userID, let other = challenge.userID, one != other { return nil }
    // Without a person, the owner of the push is unknown.
    guard waiting.userID != nil, challenge.userID != nil else { return nil }
    let slack = Int64(clamping: max(0, tolerance)) * 1_000_000
    let sent = (challenge.sent ?? challenge.began).microseconds
    let from = waiting.began.microseconds
    guard sent >= from - slack, sent <= (waiting.ended?.microseconds ?? Int64.max - slack) + slack else { return nil }
    // The org's time has whole seconds, so the arrival at the device is the more precise measure.
    let arrived = challenge.began.microseconds
    let early = max(0, from - arrived)
    let late = max(0, arrived - (waiting.ended?.microseconds ?? arrived))
    return early + late + abs(sent - from) / 1_000_000
  }

  static func origin(_ url: String?) -> String? {
    url.flatMap { URLParts($0) }.map { $0.origin.lowercased() }
  }
}
