// The report `overlaps`: one account used from two places at once.

import EventStore
import FlowRecording

/// Successful sign-ins of one person from two addresses or devices, at the same time or shortly after one another.
struct OverlapsTally: HistoryTally {
  static let parts: FlowParts = [.place, .successes]
  /// A successful sign-in. A flow has several if the application reuses it.
  private struct Use {
    var started: Timestamp
    /// When it succeeded.
    var ended: Timestamp
    /// Its place in log order.
    var number: Int
    var origin: Origin
    var stream: String
    /// Whether it passes the filters of the report.
    var isAsked: Bool

    /// Whether it ended later, or at the same time and is later in the logs.
    func isLater(than other: Use) -> Bool { (ended, number) > (other.ended, other.number) }
  }
  private struct Origin {
    var address: String?
    var device: String?

    /// The property that differs between the two origins, if both name it; nil if none differs.
    func difference(from other: Origin) -> String? {
      func differ(_ one: String?, _ other: String?) -> Bool { one != nil && other != nil && one != other }
      let words = [
        differ(address, other.address) ? "address" : nil, differ(device, other.device) ? "device" : nil,
      ].compactMap { $0 }
      return words.isEmpty ? nil : words.joined(separator: ", ")
    }
  }
  /// The latest sign-ins from two different addresses or devices of one person.
  private struct Latest {
    private var last: (name: String, use: Use)?
    /// The latest one with any other name.
    private var other: (name: String, use: Use)?

    mutating func add(_ use: Use, of name: String?) {
      guard let name else { return }
      if let known = last, known.name == name {
        if use.isLater(than: known.use) { last = (name, use) }
        return
      }
      if other.map({ use.isLater(than: $0.use) }) ?? true { other = (name, use) }
      guard let next = other, last.map({ next.use.isLater(than: $0.use) }) ?? true else { return }
      (last, other) = (next, last)
    }

    /// The latest sign-in with a different name; nil if there is none.
    func use(otherThan name: String?) -> Use? {
      guard let name, let last else { return nil }
      return last.name == name ? other?.use : last.use
    }
  }
  /// A sign-in and the previous one from elsewhere.
  private struct Overlap {
    var user: String
    var before: Use
    var after: Use
    var difference: String
    /// The time from the end of the first to the beginning of the second, in milliseconds; 0 if they overlap.
    var apart: Int {
      Int(max(0, after.started.microseconds - before.ended.microseconds) / 1_000)
    }
  }
  private let seconds: Int
  private var users: [String: [Use]] = [:]
  private var count = 0

  init(thresholds: Thresholds) { seconds = thresholds.overlapSeconds }

  mutating func add(_ flow: FlowFacts, isAsked: Bool) {
    guard !flow.successes.isEmpty, flow.isSignIn, let user = flow.user?.lowercased() else { return }
    let address = flow.address
    let origin = Origin(address: address, device: flow.context.device)
    guard origin.address != nil || origin.device != nil else { return }
    for success in flow.successes {
      count += 1
      users[user, default: []].append(
        Use(
          started: success.began, ended: success.ended, number: count, origin: origin, stream: flow.stream,
          isAsked: isAsked))
    }
  }

  /// The overlaps in which at least one of the two sign-ins passes the filters, in the order of the later ones.
  private var overlaps: [Overlap] {
    users.flatMap { overlaps(of: $0.key, $0.value) }.filter { $0.before.isAsked || $0.after.isAsked }
      .sorted { ($0.after.started, $0.after.number) < ($1.after.started, $1.after.number) }
  }

  /// Pairs each sign-in with the latest one from elsewhere that ended before it or is still in progress. Cost: sorting,
  /// then linear.
  private func overlaps(of user: String, _ uses: [Use]) -> [Overlap] {
    var (addresses, devices) = (Latest(), Latest())
    var found: [Overlap] = []
    for use in uses.sorted(by: { ($0.started, $0.number) < ($1.started, $1.number) }) {
      let others = [
        addresses.use(otherThan: use.origin.address), devices.use(otherThan: use.origin.device),
      ].compactMap { $0 }
      if let before = others.max(by: { $1.isLater(than: $0) }),
        use.started.isWithin(seconds: seconds, after: before.ended),
        let difference = use.origin.difference(from: before.origin)
      {
        found.append(Overlap(user: user, before: before, after: use, difference: difference))
      }
      addresses.add(use, of: use.origin.address)
      devices.add(use, of: use.origin.device)
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
      "Rule: two sign-ins or recoveries of one account succeed, from two addresses or two devices, and the later one begins before the earlier one ends or within \(seconds) s after. Each is set beside the one of another address or device that ended last. A person who goes from one network to another keeps the device; a flow that names neither address nor device is in no pair. A flow that the application keeps and begins again is one sign-in for each time that it succeeded."
    ]
  }
}
