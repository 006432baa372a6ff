// Day by day.

import EventStore
import FlowRecording

/// `days`
struct DaysTally: ReportTally {
  static let parts: FlowParts = .tries
  private struct Row {
    var signIns = 0
    var outcomes = Counts()
    var recoveries = 0
    var users: Set<String> = []

    mutating func add(_ flow: FlowFacts) {
      if let user = flow.user { users.insert(user.lowercased()) }
      guard flow.isPlainSignIn else {
        recoveries += 1
        return
      }
      signIns += 1
      outcomes.add(flow.outcome)
    }
  }
  private let zone: Zone
  private var days: [String: Row] = [:]
  private var weeks: [String: Row] = [:]
  /// The week of each day.
  private var mondays: [String: String] = [:]

  /// - Parameter zone: the zone of the days.
  init(zone: Zone) { self.zone = zone }

  mutating func add(_ flow: FlowFacts) {
    guard flow.isSignIn else { return }
    let day = zone.day(flow.started)
    let monday = mondays[day] ?? zone.monday(before: day) ?? day
    mondays[day] = monday
    days[day, default: Row()].add(flow)
    weeks[monday, default: Row()].add(flow)
  }

  /// Gaps of more days without sign-ins are not filled in: they come from a wrong clock.
  private static let most = 3_660

  /// Each day from the first to the last, including days without sign-ins.
  private var allDays: [String] {
    let sorted = days.keys.sorted()
    guard let first = sorted.first, let last = sorted.last, var time = zone.noon(of: first) else { return sorted }
    var all: [String] = []
    while all.count < Self.most {
      let day = zone.day(time)
      all.append(day)
      guard day < last else { return all }
      guard let next = zone.time(time, adding: 1) else { return sorted }
      time = next
    }
    return sorted
  }

  private static let columns: [ReportTable.Column] = [
    .init("signIns", "sign-ins"), .init("succeeded", "succeeded"), .init("failed", "failed"),
    .init("lockedOut", "locked out"), .init("abandoned", "abandoned"), .init("other", "other").minor,
    .init("recoveries", "recoveries").minor, .init("users", "users"),
  ]

  private static func cells(_ row: Row) -> [ReportTable.Cell] {
    let counts = ["success", "failed", "lockedOut", "abandoned"].map { row.outcomes.numbers[$0] ?? 0 }
    return [.number(row.signIns)] + counts.map { .number($0) } + [
      .number(row.signIns - counts.reduce(0, +)), .number(row.recoveries), .number(row.users.count),
    ]
  }

  var tables: [ReportTable] {
    let allDays = allDays
    // A week without sign-ins has days without them.
    let allWeeks = Set(allDays.map { mondays[$0] ?? zone.monday(before: $0) ?? $0 })
    return [
      ReportTable(
        "days", "By day", [.init("day", "day"), .init("weekday", "on")] + Self.columns,
        allDays.map { day in
          let weekday = zone.noon(of: day).map { HoursTally.days[zone.weekday($0) - 1] }
          return [.text(day), .text(weekday)] + Self.cells(days[day] ?? Row())
        }),
      ReportTable(
        "weeks", "By week, from Monday", [.init("week", "week of")] + Self.columns,
        allWeeks.sorted().map { [.text($0)] + Self.cells(weeks[$0] ?? Row()) }),
    ]
  }

  var notes: [String] {
    [
      "Days are those of the zone \(zone.name). Recoveries, unlocks and registrations are no sign-ins; users are those of both."
    ]
  }
}
