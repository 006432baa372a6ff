import AuditReports
import EventStore
import Testing

/// Who signs in for the first time, on which days, and what recorded it.
@Suite struct HabitTests {
  private func time(_ second: Int) throws -> Timestamp {
    let start = try #require(Timestamp("2026-11-21T12:00:00Z"))
    return Timestamp(microseconds: start.microseconds + Int64(second) * 1_000_000)
  }

  private func texts(_ rows: [JSON], _ name: String) -> [String] { rows.map { $0[name]?.string ?? "-" } }

  @Test("people: the first success of each in the whole log, listed if it is asked for")
  func first() throws {
    var made = MadeSignIns()
    try made.password("ann", right: false, at: 0)
    try made.password("Ann", right: true, at: 100, from: "198.51.100.1")
    try made.password("bob", right: true, at: 1_500, from: nil)
    try made.password("cleo", right: false, at: 1_600)
    try made.password("ann", right: true, at: 2_000, from: "203.0.113.5")
    try made.unlock("dan", at: 2_100)
    let rows = try made.rows(.people, "first")
    #expect(texts(rows, "user") == ["ann", "bob"] && texts(rows, "place") == ["198.51.100.1", "-"])
    #expect(rows[0]["at"]?.string?.hasPrefix("2026-11-21T12:01:40") == true && rows[0]["factors"] == "password")
    #expect(rows[0]["flow"] == "authn/2" && rows[0]["device"] == .null)
    let since = try time(1_000)
    #expect(try made.rows(.people, "first") { $0.filter.since = since } == [rows[1]])
    #expect(try made.rows(.people, "first") { $0.filter.until = since } == [rows[0]])
    #expect(try made.rows(.people, "first") { $0.filter.user = "ANN" } == [rows[0]])
    // Who signed in before is not new, wherever a later sign-in comes from.
    #expect(try made.rows(.people, "first") { $0.filter.place = "203.0.113.5" }.isEmpty)
  }

  @Test("people: of a flow that is kept, the first success counts, and not how it ended last")
  func firstOfKept() throws {
    var made = MadeSignIns()
    try made.kept("ann", at: [1_000, 90_000], on: "phone")
    try made.password("ann", right: true, at: 50_000)
    let rows = try made.rows(.people, "first")
    #expect(rows.count == 1 && rows[0]["device"] == "phone")
    #expect(rows[0]["at"]?.string?.hasPrefix("2026-11-21T12:16:40") == true, "\(rows)")
  }

  @Test("hours: sign-ins by day of the week, from Monday on, without recoveries")
  func weekdays() throws {
    var made = MadeSignIns()
    let day = 86_400
    // A Saturday, the Sunday after it, a Monday, and a Saturday again.
    try made.password("ann", right: true, at: 0)
    try made.password("Ann", right: false, at: 60)
    try made.unlock("ann", at: 120)
    try made.password("bob", right: true, at: day)
    try made.password("bob", right: false, at: 2 * day)
    try made.password("bob", right: true, at: 7 * day)
    let rows = try made.rows(.hours, "weekdays")
    #expect(texts(rows, "day") == ["Mon", "Sat", "Sun"])
    #expect(rows.map { $0["signIns"]?.int } == [1, 3, 1] && rows.map { $0["failed"]?.int } == [1, 1, 0])
    #expect(rows.map { $0["users"]?.int } == [1, 2, 1])
    let late = try time(3 * day)
    let rest = try made.rows(.hours, "weekdays") { $0.filter.since = late }
    #expect(texts(rest, "day") == ["Sat"])
  }

  @Test("days: a week without sign-ins is listed as its days are")
  func weeks() throws {
    var made = MadeSignIns()
    try made.password("ann", right: true, at: 0)
    try made.password("ann", right: true, at: 15 * 86_400)
    let rows = try made.rows(.days, "weeks")
    #expect(texts(rows, "week") == ["2026-11-16", "2026-11-23", "2026-11-30"])
    #expect(rows.map { $0["signIns"]?.int } == [1, 0, 1] && rows.map { $0["users"]?.int } == [1, 0, 1])
    #expect(try made.rows(.days, "days").count == 16)
  }

  @Test("days, hours, places, enrollments: sign-ins that name no one are no user, and come from no new device")
  func unnamed() throws {
    var made = MadeSignIns()
    try made.password("ann", right: true, at: 0, from: "198.51.100.1")
    for (index, device) in ["desk", "phone"].enumerated() {
      let (stream, at) = ("authn/u\(index)", 1_000 * (index + 1))
      let context: JSON = ["device": .string(device), "client": ["address": "198.51.100.1"]]
      try made.log.add(
        stream, "flow.started", ["kind": "authn", "sdk": "s", "settings": [:], "context": context], after: at)
      try made.log.add(stream, "call.made", ["call": "fetchStatus", "arguments": [:]], after: at)
      try made.log.add(stream, "status.changed", ["status": "SUCCESS", "summary": [:]], after: at + 100)
      try made.log.add(stream, "flow.ended", ["outcome": "success"], after: at + 100)
    }
    try made.device("", "enrollment.deleted", at: 10)
    for (name, table) in [(ReportName.days, "days"), (.days, "weeks"), (.hours, "hours"), (.places, "places")] {
      let rows = try made.rows(name, table)
      #expect(rows.map { $0["signIns"] } == [3] && rows.map { $0["users"] } == [1], "\(table): \(rows)")
    }
    #expect(try made.rows(.places, "new").isEmpty)
    #expect(try made.rows(.enrollments, "totals").map { $0["users"] } == [0])
  }

  @Test("clients: the instances that recorded, each with its first and its latest flow")
  func instances() throws {
    var made = MadeSignIns()
    for (index, instance) in ["web-2", "web-1", "web-2", nil].enumerated() {
      let context: JSON = .members([("instance", instance.map(JSON.string))])
      try made.log.add(
        "authn/\(index)", "flow.started", ["kind": "authn", "sdk": "s", "settings": [:], "context": context],
        after: index * 60_000)
    }
    let rows = try made.rows(.clients, "instances")
    #expect(texts(rows, "instance") == ["web-2", "unknown", "web-1"] && rows.map { $0["count"]?.int } == [2, 1, 1])
    #expect(texts(rows, "first").map { $0.prefix(19).suffix(5) } == ["00:00", "03:00", "01:00"])
    #expect(texts(rows, "last").map { $0.prefix(19).suffix(5) } == ["02:00", "03:00", "01:00"])
  }
}
