import AuditReports
import EventStore
import FlowRecording
import Foundation
import Testing

/// What a report is asked for: places, programs, factors, times; and what a narrow terminal keeps of it.
@Suite struct ScopeTests {
  private let company: CompanyFolder
  private let facts: LogFacts

  init() throws {
    company = try CompanyFolder(seed: 31, flows: 600)
    facts = try LogFacts.reading([LogReader(directory: company.path)])
  }

  private func report(
    _ name: ReportName, _ filter: FlowFilter = FlowFilter(), asOf: String? = nil, against: String? = nil
  ) throws -> Report {
    var request = ReportRequest(name, filter: filter, now: try #require(Timestamp("2026-03-01T00:00:00Z")))
    request.asOf = asOf.flatMap { Timestamp($0) }
    request.against = against.flatMap { Timestamp($0) }
    return try request.report(on: facts)
  }

  private func rows(_ report: Report, _ table: String) throws -> [JSON] {
    try #require(report.json["tables"]?[table]?.array)
  }

  @Test("a filter by place, program, factor or outcome lets through what it names, whatever the case, and nothing else")
  func filters() throws {
    let all = try rows(report(.signIns), "signIns")
    let place = try #require(all.first?["place"]?.string)
    let network = place.prefix { $0 != "." } + ".*"
    func check(_ filter: FlowFilter, _ isMeant: (JSON) -> Bool) throws {
      let found = try rows(report(.signIns, filter), "signIns")
      #expect(found == all.filter(isMeant) && !found.isEmpty, "\(filter)")
    }
    func text(_ row: JSON, _ name: String) -> String { row[name]?.string ?? "" }
    try check(FlowFilter(place: place)) { text($0, "place") == place }
    try check(FlowFilter(place: String(network))) { text($0, "place").hasPrefix(network.dropLast()) }
    try check(FlowFilter(client: "portal 4.2")) { text($0, "client") == "Portal 4.2" }
    try check(FlowFilter(client: "Portal")) { text($0, "client").hasPrefix("Portal") }
    try check(FlowFilter(factor: "PUSH")) { text($0, "factors").contains("push") }
    try check(FlowFilter(outcome: "Failed")) { text($0, "outcome") == "failed" }
    try check(FlowFilter(place: "dev-5")) { text($0, "device") == "dev-5" }
    for filter in [FlowFilter(client: "ortal"), FlowFilter(place: "203"), FlowFilter(factor: "pus")] {
      #expect(try rows(report(.signIns, filter), "signIns").isEmpty)
    }
    let named = try report(.failures, FlowFilter(user: "ann", place: "x")).rendered(as: .html)
    #expect(named.contains("<title>Failures: user ann, place x</title>"))
    let only = FlowFilter(onlyFactor: "password")
    #expect(only.json == ["onlyFactor": "password"])
    #expect(try report(.failures, only).rendered(as: .html).contains("<title>Failures: onlyFactor password</title>"))
  }

  @Test("tokens are said as of a time: what came after is left out, and those run out whose time is over")
  func asOf() throws {
    let tokens = try rows(report(.tokens), "tokens")
    let statuses: Set<String> = ["expired", "renewable", "refused", "revoked"]
    #expect(tokens.allSatisfy { statuses.contains($0["status"]?.string ?? "") })
    let issued = try #require(tokens.first { $0["expires"]?.string != nil && $0["renewed"] == 0 })
    let id = issued["id"]
    let began = try #require(issued["began"]?.string)
    let last = try #require(issued["expires"]?.string.flatMap { Timestamp($0) })
    func status(_ time: Timestamp) throws -> String? {
      try rows(report(.tokens, asOf: time.description), "tokens").first { $0["id"] == id }?["status"]?.string
    }
    #expect(try status(#require(Timestamp(began))) == "active")
    #expect(try status(Timestamp(microseconds: last.microseconds - 1)) == "active")
    let end = try status(last)
    #expect(end == "expired" || end == "renewable")
    let before = Timestamp(microseconds: try #require(Timestamp(began)).microseconds - 1)
    #expect(try status(before) == nil)
    #expect(try rows(report(.tokens, asOf: began), "tokens").allSatisfy { $0["began"]?.string ?? "" <= began })
  }

  @Test("a time is compared with another that is named, as long as it and no part of it")
  func against() throws {
    let (since, until) = (Timestamp("2026-01-19T00:00:00Z"), Timestamp("2026-01-25T23:59:59.999999Z"))
    let filter = FlowFilter(since: since, until: until)
    func figures(_ report: Report, _ name: String) throws -> [Int?] {
      try rows(report, "figures").map { $0[name]?.int }
    }
    let weekBefore = try report(.compare, filter, against: "2026-01-12T00:00:00Z")
    #expect(try figures(weekBefore, "before") == figures(report(.compare, filter), "before"))
    let first = FlowFilter(since: Timestamp("2026-01-05T00:00:00Z"), until: Timestamp("2026-01-11T23:59:59.999999Z"))
    let named = try report(.compare, filter, against: "2026-01-05T00:00:00Z")
    #expect(try figures(named, "before") == figures(report(.compare, first), "now"))
    #expect(try figures(named, "now") == figures(weekBefore, "now"))
    let later = try report(.compare, first, against: "2026-01-19T00:00:00Z")
    #expect(try figures(later, "before") == figures(named, "now"))
    let overlapping = try report(.compare, filter, against: "2026-01-18T00:00:00Z")
    let day = FlowFilter(since: Timestamp("2026-01-18T00:00:00Z"), until: Timestamp("2026-01-18T23:59:59.999999Z"))
    #expect(try figures(overlapping, "before") == figures(report(.compare, day), "now"))
  }

  @Test("a time inside the requested one is nothing to compare it with")
  func againstItself() throws {
    let (since, until) = (Timestamp("2026-01-19T00:00:00Z"), Timestamp("2026-01-25T23:59:59.999999Z"))
    for (against, isRefused) in [
      ("2026-01-18T23:59:59Z", false), ("2026-01-19T00:00:00Z", true), ("2026-01-20T00:00:00Z", true),
      ("2026-01-25T23:59:59Z", true), ("2026-01-26T00:00:00Z", false),
    ] {
      let filter = FlowFilter(since: since, until: until)
      var request = ReportRequest(.compare, filter: filter, now: try #require(Timestamp("2026-03-01T00:00:00Z")))
      request.against = Timestamp(against)
      #expect((request.problemOfAgainst != nil) == isRefused, "\(against)")
      request.name = .days
      #expect(request.problemOfAgainst == nil)
    }
    // Without a time it is the last week.
    var request = ReportRequest(.compare, filter: FlowFilter(), now: try #require(Timestamp("2026-03-01T00:00:00Z")))
    #expect(request.problemOfAgainst == nil)
    request.against = Timestamp("2026-02-27T00:00:00Z")
    #expect(request.problemOfAgainst?.contains("inside the requested time") == true)
  }

  @Test("days are those of the zone, none is left out, and their sum is the number of sign-ins")
  func days() throws {
    var request = ReportRequest(.days, filter: FlowFilter(), now: .now())
    request.zone = try #require(Zone("Pacific/Auckland"))
    let report = try request.report(on: facts)
    let days = try rows(report, "days")
    let signIns = try rows(self.report(.signIns), "signIns").filter { $0["purpose"] == "signIn" }
    #expect(days.reduce(0) { $0 + ($1["signIns"]?.int ?? 0) } == signIns.count)
    #expect(try rows(report, "weeks").reduce(0) { $0 + ($1["signIns"]?.int ?? 0) } == signIns.count)
    let dates = days.compactMap { $0["day"]?.string }
    #expect(dates == dates.sorted() && Set(dates).count == dates.count && dates.count >= 27)
    #expect(
      days.allSatisfy { day in
        let parts = ["succeeded", "failed", "lockedOut", "abandoned", "other"].map { day[$0]?.int ?? -1 }
        return parts.reduce(0, +) == day["signIns"]?.int && parts.allSatisfy { $0 >= 0 }
      })
    let weekdays = Set(days.map { $0["weekday"]?.string ?? "" })
    #expect(weekdays.count == 7)
  }

  @Test("a narrow terminal keeps the columns that answer the question, and says which it leaves out")
  func narrow() throws {
    for (name, titles) in [
      (ReportName.push, ["USER", "REFUSED", "THEN APPROVED"]), (.spray, ["PLACE", "FAILED", "ENTERED"]),
      (.stuffing, ["PLACE", "ENTERED"]), (.lockouts, ["USER", "WRONG BEFORE", "UNLOCKED"]),
      (.signIns, ["USER", "PLACE", "FACTORS", "OUTCOME"]), (.theft, ["USER", "TOKENS", "WHY", "PLACE"]),
      (.detections, ["RULE", "ACCOUNTS", "PLACE", "GOT IN"]), (.tokens, ["USER", "STATUS"]),
      (.recovery, ["USER", "CHANGE", "PROVED BY", "PLACE", "ORIGIN"]),
    ] {
      let text = try report(name).rendered(as: .text, width: LineWidth(80, isStrict: true))
      let lines = text.split(separator: "\n")
      #expect(lines.contains { line in titles.allSatisfy(line.contains) }, "\(name): \(text.prefix(1_500))")
      #expect(lines.allSatisfy { $0.count <= 80 } && text.contains("left out, which a wider terminal"), "\(name)")
    }
    let user = try rows(report(.people), "people").first?["user"]?.string
    for name in [ReportName.signIns, .hours, .places, .sessions, .tokens, .http, .user] {
      let filter = FlowFilter(user: name == .user ? user : nil)
      let text = try report(name, filter).rendered(as: .text, width: 80)
      #expect(text.firstMatch(of: /\d\.\d+\.[\d.]*…/) == nil, "\(name): an address is cut")
      #expect(text.split(separator: "\n").allSatisfy { $0.count <= 80 }, "\(name)")
      let narrow = try report(name, filter).rendered(as: .text, width: 60)
      #expect(narrow.split(separator: "\n").allSatisfy { $0.count <= 60 }, "\(name)")
    }
    let cut = try report(.people).limited(to: 3)
    #expect(cut.tables.allSatisfy { $0.rows.count <= 3 } && cut.notes.last?.contains("left out") == true)
    #expect(try report(.people).limited(to: 100_000).notes == report(.people).notes)
  }

  @Test("times that people write are understood: minutes with a zone, months, weeks, years")
  func times() throws {
    let now = try #require(Timestamp("2026-03-04T05:06:07Z"))
    for (text, first, last) in [
      ("2026-01-07T07:00Z", "2026-01-07T07:00:00Z", "2026-01-07T07:00:59.999999Z"),
      ("2026-01-07T07:00+02:00", "2026-01-07T05:00:00Z", "2026-01-07T05:00:59.999999Z"),
      ("2026-01", "2026-01-01T00:00:00Z", "2026-01-31T23:59:59.999999Z"),
      ("2026-W02", "2026-01-05T00:00:00Z", "2026-01-11T23:59:59.999999Z"),
      ("2020-W53", "2020-12-28T00:00:00Z", "2021-01-03T23:59:59.999999Z"),
      ("tomorrow", "2026-03-05T00:00:00Z", "2026-03-05T23:59:59.999999Z"),
      ("last year", "2025-01-01T00:00:00Z", "2025-12-31T23:59:59.999999Z"),
      ("this year", "2026-01-01T00:00:00Z", "2026-12-31T23:59:59.999999Z"),
    ] {
      let time = try #require(TimeExpression(text, now: now))
      #expect(time.first == Timestamp(first) && time.last == Timestamp(last), "\(text): \(time)")
    }
    for text in ["2026-W00", "2026-W54", "2021-W53", "2026-13", "2026-01-07T07:00", "2026-01-07T25:00Z", "2026-1"] {
      let time = TimeExpression(text, now: now)
      #expect(time == nil || text == "2026-01-07T07:00", "\(text)")
    }
  }
}
