// Habits: the factors, places and times that people usually sign in with, and exceptions to them.

import EventStore
import FlowRecording

/// `people`
struct PeopleTally: HistoryTally {
  static let parts: FlowParts = [.tries, .place, .successes]
  private struct Person {
    /// Whether a flow names the user; unnamed users may be several people.
    var isNamed = false
    var signIns = 0
    var recoveries = 0
    var succeeded = 0
    var withSecond = 0
    var factors: Set<String> = []
    var places: Set<String> = []
    var devices: Set<String> = []
    var first: Timestamp
    var last: Timestamp
  }
  private var people: [String: Person] = [:]
  /// The last success of each person up to the end, regardless of the other filters.
  private var successes: [String: Timestamp] = [:]
  /// A person's first success in the log.
  private struct First {
    var at: Timestamp
    var place: String?
    var device: String?
    var factors: String
    var stream: String
    /// Whether its flow passes the filters of the report.
    var isAsked: Bool
  }
  private var firsts: [String: First] = [:]
  private let end: Timestamp
  private let quietSeconds: Int

  /// - Parameter until: the time up to which inactivity is measured.
  init(until: Timestamp, thresholds: Thresholds) { (end, quietSeconds) = (until, thresholds.quietSeconds) }

  mutating func add(_ flow: FlowFacts, isAsked: Bool) {
    guard flow.isSignIn else { return }
    let user = flow.user?.lowercased()
    if let user, flow.isPlainSignIn {
      for success in flow.successes where success.ended <= end {
        successes[user] = max(successes[user] ?? success.ended, success.ended)
      }
      note(flow, of: user, isAsked)
    }
    guard isAsked else { return }
    let name = user ?? "unknown"
    var person = people[name] ?? Person(first: flow.started, last: flow.started)
    person.isNamed = person.isNamed || user != nil
    if flow.isPlainSignIn { person.signIns += 1 } else { person.recoveries += 1 }
    person.first = min(person.first, flow.started)
    person.last = max(person.last, flow.started)
    if let place = flow.place { person.places.insert(place) }
    if let device = flow.context.device { person.devices.insert(device) }
    if flow.outcome == "success", flow.isPlainSignIn {
      let verified = Set(flow.signIn.tries.filter(\.isVerified).map(\.factor.rawValue))
      person.succeeded += 1
      person.withSecond += verified.count > 1 ? 1 : 0
      person.factors.formUnion(verified)
    }
    people[name] = person
  }

  /// Takes up the flow's first success, if the person has no earlier one.
  private mutating func note(_ flow: FlowFacts, of user: String, _ isAsked: Bool) {
    guard let began = flow.successes.map(\.began).min() else { return }
    if let first = firsts[user], first.at <= began { return }
    firsts[user] = First(
      at: began, place: flow.place, device: flow.context.device, factors: flow.factors.joined(separator: ", "),
      stream: flow.stream, isAsked: isAsked)
  }

  var tables: [ReportTable] {
    let people = people.sorted { ($1.value.signIns, $0.key) < ($0.value.signIns, $1.key) }
    return [
      ReportTable(
        "people", "People",
        [
          .user, .init("signIns", "sign-ins"), .init("succeeded", "succeeded"),
          .init("withSecond", "with a second factor"),
          .init("factors", "factors"), .init("places", "places"), .init("devices", "devices"),
          .init("recoveries", "recoveries"), .init("first", "first").minor, .init("last", "last"),
        ],
        people.map { name, person in
          [
            .text(name), .number(person.signIns), .number(person.succeeded), .number(person.withSecond),
            .text(person.factors.sorted().joined(separator: ", ")), .number(person.places.count),
            .number(person.devices.count), .number(person.recoveries), .time(person.first), .time(person.last),
          ]
        }),
      ReportTable(
        "withoutSecond", "People who signed in, and never with a second factor",
        [.user, .init("succeeded", "succeeded"), .init("last", "last")],
        people.filter { $0.value.succeeded > 0 && $0.value.withSecond == 0 }.map { name, person in
          [.text(name), .number(person.succeeded), .time(person.last)]
        }),
      strength, quiet, first,
    ]
  }

  private var first: ReportTable {
    let rows = firsts.filter { $0.value.isAsked }.sorted { ($0.value.at, $0.key) < ($1.value.at, $1.key) }
    return ReportTable(
      "first", "First success of a person in the log",
      [.at, .user, .place, .device, .init("factors", "factors"), .flow.minor],
      rows.map { user, first in
        [
          .time(first.at), .text(user), .text(first.place), .text(first.device), .text(first.factors),
          .text(first.stream),
        ]
      })
  }

  /// Factors from the strongest to the weakest; unlisted factors keep their own name. A password counts as knowledge,
  /// regardless of what the org may have required elsewhere.
  private static let strengths: [(word: String, factors: Set<String>)] = [
    ("phishing-resistant", ["webauthn", "signed_nonce", "smart_card_idp"]),
    ("possession", ["push", "totp", "token"]), ("elsewhere", ["web"]), (other, []),
    ("phone or mail", ["sms", "call", "phone", "email"]), ("knowledge", ["password", "question"]),
  ]
  private static let other = "other"
  private static let known = strengths.reduce(into: Set<String>()) { $0.formUnion($1.factors) }

  private static func strength(of factors: Set<String>) -> String {
    let hasOther = !factors.isSubset(of: known)
    return strengths.first { $0.word == other ? hasOther : !$0.factors.isDisjoint(with: factors) }?.word ?? "none"
  }

  private var strength: ReportTable {
    var counts = Counts()
    for person in people.values where person.isNamed && person.succeeded > 0 {
      counts.add(Self.strength(of: person.factors))
    }
    return counts.table(
      "strength", "People, by the strongest factor that they signed in with", of: .init("strength", "strength"))
  }

  private var quiet: ReportTable {
    let day: Int64 = 86_400_000_000
    let rows = successes.map {
      (user: $0.key, last: $0.value, length: end.microseconds.subtracting($0.value.microseconds))
    }
    .filter { !end.isWithin(seconds: quietSeconds, after: $0.last) }.sorted { ($0.last, $0.user) < ($1.last, $1.user) }
    return ReportTable(
      "quiet", "People who have not signed in for long",
      [.user, .init("lastSuccess", "last success"), .init("days", "days")],
      rows.map { [.text($0.user), .time($0.last), .number(Int($0.length / day))] })
  }

  var notes: [String] {
    let day = 86_400
    let long = quietSeconds % day == 0 ? Quantity.count(quietSeconds / day, "day") : "\(quietSeconds) s"
    return [
      "A second factor counts if two different ones were verified in one sign-in that succeeded. Strength: webauthn, signed_nonce and smart_card_idp are phishing-resistant; push, totp and token are possession; sms, call, phone and email are phone or mail; password and question are knowledge; web is asked elsewhere; any factor that is not named here is other; none is that the log has no factor. Not for long is for more than \(long) before now, or the end of the time that is asked for if that is earlier, by the whole log; who never succeeded, or is not named, is not listed. First is the first success of a person in the whole log, which may be before the time that is asked for: it is not listed then. Who signed in before the log begins counts as new when it begins."
    ]
  }
}

/// `places`
struct PlacesTally: HistoryTally {
  static let parts: FlowParts = [.tries, .place]
  private struct Place {
    var users: Set<String> = []
    var signIns = 0
    var recoveries = 0
    var failed = 0
    var first: Timestamp
    var last: Timestamp

    var count: Int { signIns + recoveries }

    mutating func add(_ flow: FlowFacts, of user: String?) {
      if let user { users.insert(user) }
      if flow.isPlainSignIn { signIns += 1 } else { recoveries += 1 }
      failed += flow.reason == nil ? 0 : 1
      first = min(first, flow.started)
      last = max(last, flow.started)
    }
  }
  private var places: [String: Place] = [:]
  private var origins = KnownOrigins()
  private var new: [[ReportTable.Cell]] = []

  mutating func add(_ flow: FlowFacts, isAsked: Bool) {
    guard flow.isSignIn else { return }
    if isAsked {
      places[flow.place ?? "unknown", default: Place(first: flow.started, last: flow.started)]
        .add(flow, of: flow.user?.lowercased())
    }
    guard origins.note(flow) == .new, flow.outcome == "success", isAsked else { return }
    new.append([
      .time(flow.started), .text(flow.user), .text(flow.context.device), .text(flow.place),
      .text(flow.factors.joined(separator: ", ")), .text(flow.stream),
    ])
  }

  var tables: [ReportTable] {
    [
      ReportTable(
        "places", "Places",
        [
          .place, .init("users", "users"), .init("signIns", "sign-ins"), .init("recoveries", "recoveries"),
          .init("failed", "failed"), .init("failedPercent", "share"), .init("first", "first").minor,
          .init("last", "last"),
        ],
        places.sorted {
          ($1.value.users.count, $1.value.count, $0.key) < ($0.value.users.count, $0.value.count, $1.key)
        }
        .map { name, place in
          [
            .text(name), .number(place.users.count), .number(place.signIns), .number(place.recoveries),
            .number(place.failed), .share(place.failed, of: place.count), .time(place.first), .time(place.last),
          ]
        }),
      ReportTable(
        "new", "First success from a device, or a place without a device, that is new to a person",
        [.at, .user, .device, .place, .init("factors", "factors"), .flow.minor], new),
    ]
  }

  var notes: [String] {
    [
      "New is what no earlier success of the person in the log came from, before the time that is asked for too. The first success of a person in the log is not listed."
    ]
  }
}

/// `hours`
struct HoursTally: ReportTally {
  static let parts: FlowParts = [.tries, .place]
  /// The sign-ins of an hour or of a day of the week.
  private struct Row {
    var signIns = 0
    var failed = 0
    var users: Set<String> = []

    mutating func add(_ flow: FlowFacts, of user: String?) {
      signIns += 1
      failed += flow.reason == nil ? 0 : 1
      if let user { users.insert(user) }
    }
  }
  private let zone: Zone
  private let work: Range<Int>
  private var hours: [Int: Row] = [:]
  /// By the number of the day, from Monday, 1, on.
  private var weekdays: [Int: Row] = [:]
  private var outside: [[ReportTable.Cell]] = []

  /// - Parameters:
  ///   - zone: the zone of the hours.
  ///   - work: the hours of work, Monday to Friday.
  init(zone: Zone, work: Range<Int>) { (self.zone, self.work) = (zone, work) }

  mutating func add(_ flow: FlowFacts) {
    guard flow.isPlainSignIn else { return }
    let (hour, weekday) = (zone.hour(flow.started), zone.weekday(flow.started))
    let user = flow.user?.lowercased()
    // Modified in place, so that the names are not copied for each flow.
    hours[hour, default: Row()].add(flow, of: user)
    weekdays[weekday, default: Row()].add(flow, of: user)
    guard weekday > 5 || !work.contains(hour) else { return }
    outside.append([
      .time(flow.started), .text(Self.days[weekday - 1]), .text(flow.user), .text(flow.place),
      .text(flow.factors.joined(separator: ", ")), .text(flow.outcome), .text(flow.stream),
    ])
  }

  static let days = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]

  var tables: [ReportTable] {
    [
      ReportTable(
        "hours", "Sign-ins, by hour of the day",
        [.init("hour", "hour"), .init("signIns", "sign-ins"), .init("failed", "failed"), .init("users", "users")],
        hours.sorted { $0.key < $1.key }.map { hour, row in
          [.number(hour), .number(row.signIns), .number(row.failed), .number(row.users.count)]
        }),
      ReportTable(
        "weekdays", "Sign-ins, by day of the week",
        [
          .init("day", "day"), .init("signIns", "sign-ins"), .init("failed", "failed"),
          .init("failedPercent", "share"), .init("users", "users"),
        ],
        weekdays.sorted { $0.key < $1.key }.map { weekday, row in
          [
            .text(Self.days[weekday - 1]), .number(row.signIns), .number(row.failed),
            .share(row.failed, of: row.signIns), .number(row.users.count),
          ]
        }),
      ReportTable(
        "outside", "Sign-ins outside working hours",
        [
          .at, .init("day", "day"), .user, .place, .init("factors", "factors"), .init("outcome", "outcome"),
          .flow.minor,
        ], outside),
    ]
  }

  var notes: [String] {
    ["Working hours are \(work.lowerBound) to \(work.upperBound), Monday to Friday, in the zone \(zone.name)."]
  }
}
