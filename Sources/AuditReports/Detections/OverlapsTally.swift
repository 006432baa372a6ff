// The report `overlaps`: one account that is used from two places at once.

import EventStore
import FlowRecording

/// Sign-ins of one person that succeeded, from two addresses or devices, at a time or shortly after one another.
struct OverlapsTally: HistoryTally {
  static let parts: FlowParts = .place
  /// A sign-in that succeeded.
  private struct Use {
    var started: Timestamp
    var latest: Timestamp
    /// Its place in the order of a pass over the logs.
    var number: Int
    var origin: Origin
    var stream: String
    /// Whether it passes the filters of the report.
    var isAsked: Bool
  }
  private struct Origin: Hashable {
    var address: String?
    var device: String?

    /// What is another here than there, where both name it; nil if that is nothing.
    func difference(from other: Origin) -> String? {
      func differ(_ one: String?, _ other: String?) -> Bool { one != nil && other != nil && one != other }
      let words = [
        differ(address, other.address) ? "address" : nil, differ(device, other.device) ? "device" : nil,
      ].compactMap { $0 }
      return words.isEmpty ? nil : words.joined(separator: ", ")
    }
  }
  /// A sign-in, and the one before it from elsewhere.
  private struct Overlap {
    var user: String
    var before: Use
    var after: Use
    var difference: String
    /// How long after the end of the one the other began, in milliseconds; 0 if they overlap.
    var apart: Int {
      Int(max(0, after.started.microseconds - before.latest.microseconds) / 1_000)
    }
  }
  private let seconds: Int
  private var users: [String: [Use]] = [:]
  private var count = 0

  init(thresholds: Thresholds) { seconds = thresholds.overlapSeconds }

  mutating func add(_ flow: FlowFacts, isAsked: Bool) {
    guard flow.isSignIn, flow.outcome == "success", let user = flow.user?.lowercased() else { return }
    let address = flow.context.client.address ?? flow.signIn.memory["address"]
    let origin = Origin(address: address, device: flow.context.device)
    guard origin.address != nil || origin.device != nil else { return }
    count += 1
    users[user, default: []].append(
      Use(
        started: flow.started, latest: flow.latest, number: count, origin: origin, stream: flow.stream,
        isAsked: isAsked))
  }

  /// Those in which one of the two sign-ins is asked for, in the order of the later ones.
  private var overlaps: [Overlap] {
    users.flatMap { overlaps(of: $0.key, $0.value) }.filter { $0.before.isAsked || $0.after.isAsked }
      .sorted { ($0.after.started, $0.after.number) < ($1.after.started, $1.after.number) }
  }

  /// Each sign-in with the one that ended last before it, or goes on, from elsewhere. Cost: sorting, then linear times
  /// the addresses and devices of a window.
  private func overlaps(of user: String, _ uses: [Use]) -> [Overlap] {
    let window = Int64(seconds) * 1_000_000
    /// The latest sign-in of each origin.
    var near: [Origin: Use] = [:]
    var found: [Overlap] = []
    for use in uses.sorted(by: { ($0.started, $0.number) < ($1.started, $1.number) }) {
      near = near.filter { use.started.microseconds - $0.value.latest.microseconds <= window }
      let others = near.values.filter { use.origin.difference(from: $0.origin) != nil }
      if let before = others.max(by: { ($0.latest, $0.number) < ($1.latest, $1.number) }),
        let difference = use.origin.difference(from: before.origin)
      {
        found.append(Overlap(user: user, before: before, after: use, difference: difference))
      }
      if near[use.origin].map({ $0.latest <= use.latest }) ?? true { near[use.origin] = use }
    }
    return found
  }

  var tables: [ReportTable] {
    let overlaps = overlaps
    var people = Counts()
    for overlap in overlaps { people.add(overlap.user) }
    return [
      people.table("users", "By user", of: .user),
      ReportTable(
        "overlaps", "Sign-ins of one account from two addresses or devices",
        [
          .init("first", "from"), .init("last", "then").minor, .user, .init("apartMs", "apart"),
          .init("differs", "differs"), .init("address", "address"), .init("otherAddress", "other address"),
          .device.minor, .init("otherDevice", "other device").minor, .flow.minor,
          .init("otherFlow", "other flow").minor,
        ],
        overlaps.map { overlap in
          [
            .time(overlap.before.started), .time(overlap.after.started), .text(overlap.user),
            .milliseconds(overlap.apart), .text(overlap.difference), .text(overlap.before.origin.address),
            .text(overlap.after.origin.address), .text(overlap.before.origin.device),
            .text(overlap.after.origin.device), .text(overlap.before.stream), .text(overlap.after.stream),
          ]
        }),
    ]
  }

  var notes: [String] {
    [
      "Rule: two sign-ins or recoveries of one account succeed, from two addresses or two devices, and the later one begins before the earlier one ends or within \(seconds) s after. Each is set beside the one of another address or device that ended last. A person who goes from one network to another keeps the device; a flow that names neither address nor device is in no pair."
    ]
  }
}
