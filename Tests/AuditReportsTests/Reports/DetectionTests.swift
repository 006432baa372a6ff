import AuditReports
import EventStore
import Testing

/// Writes sign-ins as the classic kind does, in as few events as the detections look at.
struct MadeSignIns {
  var log = Written()
  private var count = 0

  /// A sign-in by password at a second, right or wrong.
  mutating func password(_ user: String, right: Bool, at second: Int, from place: String? = "198.51.100.9") throws {
    let stream = try start(user, at: second, from: place)
    if right {
      try log.add(stream, "status.changed", ["status": "SUCCESS", "summary": [:]], after: second * 1_000 + 200)
      try log.add(stream, "flow.ended", ["outcome": "success"], after: second * 1_000 + 200)
    } else {
      try log.add(
        stream, "call.returned",
        [
          "call": 1, "outcome": "error", "error": "serverRespondedWithError",
          "details": ["errorCode": "E0000004", "httpStatus": 401],
        ], after: second * 1_000 + 200)
      try log.add(stream, "flow.ended", ["outcome": "failed"], after: second * 1_000 + 300)
    }
  }

  /// A sign-in whose push ends as the org says: `REJECTED`, `TIMEOUT`; nil for an approval.
  mutating func push(_ user: String, _ result: String?, at second: Int) throws {
    let stream = try start(user, at: second, from: nil)
    let factors: JSON = [["type": "push", "provider": "OKTA"]]
    try log.add(
      stream, "status.changed",
      ["status": "MFA_CHALLENGE", "summary": ["factors": factors, "factorResult": "WAITING"]],
      after: second * 1_000)
    if let result {
      try log.add(stream, "factor.updated", ["result": .string(result), "call": 1], after: second * 1_000 + 9_000)
      try log.add(stream, "flow.ended", ["outcome": "abandoned"], after: second * 1_000 + 9_000)
    } else {
      try log.add(
        stream, "status.changed", ["status": "SUCCESS", "previous": "MFA_CHALLENGE", "summary": [:]],
        after: second * 1_000 + 9_000)
      try log.add(stream, "flow.ended", ["outcome": "success"], after: second * 1_000 + 9_000)
    }
  }

  /// A sign-in whose push is sent again `count` times, every 20 seconds, and then approved.
  mutating func pushes(_ user: String, at second: Int, again count: Int) throws {
    let stream = try start(user, at: second, from: nil)
    let waiting: JSON = ["factors": [["type": "push", "provider": "OKTA"]], "factorResult": "WAITING"]
    try log.add(stream, "status.changed", ["status": "MFA_CHALLENGE", "summary": waiting], after: second * 1_000)
    for index in 0..<count {
      let time = (second + 20 * (index + 1)) * 1_000
      try log.add(stream, "call.made", ["call": "resendFactor", "arguments": [:]], after: time)
      try log.add(
        stream, "status.changed", ["status": "MFA_CHALLENGE", "previous": "MFA_CHALLENGE", "summary": waiting],
        after: time + 100)
    }
    let end = (second + 20 * count + 5) * 1_000
    try log.add(
      stream, "status.changed", ["status": "SUCCESS", "previous": "MFA_CHALLENGE", "summary": [:]], after: end)
    try log.add(stream, "flow.ended", ["outcome": "success"], after: end)
  }

  /// A sign-in that leaves its push after four seconds for a code by SMS, right or wrong.
  mutating func pushThenCode(_ user: String, right: Bool, at second: Int) throws {
    let stream = try start(user, at: second, from: nil)
    func challenge(_ type: String, after: Int) throws {
      try log.add(
        stream, "status.changed",
        ["status": "MFA_CHALLENGE", "summary": ["factors": [["type": .string(type), "provider": "OKTA"]]]], after: after
      )
    }
    try challenge("push", after: second * 1_000)
    try challenge("sms", after: second * 1_000 + 4_000)
    if right {
      try log.add(
        stream, "status.changed", ["status": "SUCCESS", "previous": "MFA_CHALLENGE", "summary": [:]],
        after: second * 1_000 + 9_000)
    }
    try log.add(stream, "flow.ended", ["outcome": right ? "success" : "abandoned"], after: second * 1_000 + 9_000)
  }

  /// An event of tokens, in a flow of its own, from a device and an address.
  mutating func token(
    _ id: String, _ event: String, at second: Int, device: String?, address: String?, _ more: JSON = [:]
  ) throws {
    count += 1
    let stream = "oidc/\(count)"
    let context: JSON = .members([
      ("client", address.map { ["address": .string($0)] }), ("device", device.map(JSON.string)),
    ])
    try log.add(
      stream, "flow.started", ["kind": "oidc", "sdk": "s", "settings": [:], "context": context], after: second * 1_000)
    var data: [(String, JSON?)] = [("id", .string(id))]
    if event == "refused" { data += [("operation", "renew"), ("error", "errorFetchingFreshTokens")] }
    data += more.object?.members.map { ($0.key, $0.value) } ?? []
    try log.add(stream, "token.\(event)", .members(data), after: second * 1_000)
  }

  private mutating func start(_ user: String, at second: Int, from place: String?) throws -> String {
    count += 1
    let stream = "authn/\(count)"
    let context: JSON? = place.map { ["client": ["address": .string($0)]] }
    try log.add(
      stream, "flow.started",
      .members([("kind", "authn"), ("sdk", "s"), ("settings", [:]), ("context", context)]), after: second * 1_000)
    try log.add(
      stream, "call.made",
      ["call": "authenticate", "arguments": ["username": .string(user), "password": "$secret.password.1$"]],
      after: second * 1_000)
    return stream
  }

  /// The rows of a report's table.
  func rows(
    _ name: ReportName, _ table: String, _ change: (inout ReportRequest) -> Void = { _ in }
  ) throws -> [JSON] {
    var request = ReportRequest(name, filter: FlowFilter(), now: Timestamp(microseconds: 0))
    change(&request)
    return try request.report(on: log.facts).json["tables"]?[table]?.array ?? []
  }
}

@Suite struct DetectionTests {
  @Test("fatigue: three refused or unanswered pushes in a row, then an approval")
  func fatigue() throws {
    var made = MadeSignIns()
    for (index, result) in ["REJECTED", "TIMEOUT", "REJECTED", nil].enumerated() {
      try made.push("Ann", result, at: index * 120)
    }
    try made.push("ann", "REJECTED", at: 9_000)
    // Two are a mistake; three that lie hours apart are three mistakes.
    for (index, result) in ["REJECTED", "REJECTED", nil].enumerated() { try made.push("bob", result, at: index * 60) }
    for index in 0..<3 { try made.push("cleo", "TIMEOUT", at: index * 4_000) }
    let rows = try made.rows(.push, "fatigue")
    #expect(rows.count == 1)
    #expect(rows.first?["user"] == "ann" && rows.first?["rejected"] == 2 && rows.first?["unanswered"] == 1)
    #expect(rows.first?["approvedAt"]?.string?.hasPrefix("2026-11-21T12:06:00") == true)
    #expect(rows.first?["flow"] == "authn/4")
    #expect(try made.rows(.push, "fatigue") { $0.thresholds.fatiguePushes = 4 }.isEmpty)
    #expect(try made.rows(.push, "fatigue") { $0.thresholds.fatigueSeconds = 100 }.isEmpty)
    #expect(try made.rows(.push, "fatigue") { $0.thresholds.fatigueSeconds = 4_000 }.count == 2)
  }

  @Test("a run of pushes, and a burst of attempts, that crosses the edge of the time is found from both sides")
  func edges() throws {
    var made = MadeSignIns()
    for (index, result) in ["REJECTED", "REJECTED", "TIMEOUT", nil].enumerated() {
      try made.push("ann", result, at: index * 120)
    }
    for index in 0..<30 { try made.password("user\(index)", right: index == 29, at: 1_000 + index * 10) }
    let start = try #require(made.log.facts.flows.first?.started)
    func at(_ second: Int) -> Timestamp { Timestamp(microseconds: start.microseconds + Int64(second) * 1_000_000) }
    for (since, until) in [(nil, at(130)), (at(130), nil), (at(100), at(130))] as [(Timestamp?, Timestamp?)] {
      let rows = try made.rows(.push, "fatigue") { $0.filter = FlowFilter(since: since, until: until) }
      #expect(rows.count == 1 && rows.first?["rejected"] == 2 && rows.first?["approvedAt"]?.string != nil)
    }
    #expect(try made.rows(.push, "fatigue") { $0.filter = FlowFilter(since: at(400)) }.isEmpty)
    // What is counted is what is asked for.
    let outcomes = try made.rows(.push, "outcomes") { $0.filter = FlowFilter(until: at(130)) }
    #expect(outcomes.map { $0["count"] } == [2])
    for filter in [FlowFilter(until: at(1_100)), FlowFilter(since: at(1_100)), FlowFilter(user: "user3")] {
      let rows = try made.rows(.stuffing, "episodes") { $0.filter = filter }
      #expect(rows.count == 1 && rows.first?["users"] == 30, "\(filter)")
    }
    #expect(try made.rows(.stuffing, "episodes") { $0.filter = FlowFilter(user: "ann") }.isEmpty)
    #expect(try made.rows(.stuffing, "episodes") { $0.filter = FlowFilter(until: at(900)) }.isEmpty)
  }

  @Test("fatigue: a push that is sent again is one more")
  func fatigueByResending() throws {
    var made = MadeSignIns()
    try made.pushes("ann", at: 0, again: 9)
    let rows = try made.rows(.push, "fatigue")
    #expect(rows.count == 1 && rows.first?["unanswered"] == 9 && rows.first?["approvedAt"]?.string != nil)
    let users = try made.rows(.push, "users")
    #expect(users.first?["pushes"] == 10 && users.first?["approved"] == 1)
    // Twice is impatience.
    var other = MadeSignIns()
    try other.pushes("ann", at: 0, again: 2)
    #expect(try other.rows(.push, "fatigue").isEmpty)
  }

  @Test("fatigue: who goes over to another factor, and gets in by it, is not worn down")
  func noFatigueByAnotherFactor() throws {
    var made = MadeSignIns()
    for index in 0..<4 { try made.pushThenCode("ann", right: true, at: index * 100) }
    #expect(try made.rows(.push, "fatigue").isEmpty)
    // Who does not get in by it either may be someone else.
    for index in 0..<4 { try made.pushThenCode("bob", right: false, at: index * 100) }
    #expect(try made.rows(.push, "fatigue").compactMap { $0["user"]?.string } == ["bob"])
  }

  @Test("fatigue: pushes that nothing followed count too")
  func fatigueWithoutApproval() throws {
    var made = MadeSignIns()
    for index in 0..<5 { try made.push("ann", "TIMEOUT", at: index * 300) }
    let rows = try made.rows(.push, "fatigue")
    #expect(rows.count == 1 && rows.first?["unanswered"] == 5 && rows.first?["approvedAt"] == .null)
  }

  @Test("spray: a few tries on many accounts from one place, spread over an hour")
  func spray() throws {
    var made = MadeSignIns()
    for index in 0..<12 { try made.password("u\(index)", right: index == 7, at: index * 240) }
    let rows = try made.rows(.spray, "episodes")
    #expect(rows.count == 1)
    #expect(rows.first?["users"] == 12 && rows.first?["failed"] == 11 && rows.first?["entered"] == "u7")
    #expect(rows.first?["place"] == "198.51.100.9")
    #expect(try made.rows(.stuffing, "episodes").isEmpty)
    #expect(try made.rows(.spray, "episodes") { $0.thresholds.spray.users = 13 }.isEmpty)
    #expect(try made.rows(.spray, "episodes") { $0.thresholds.spray.seconds = 600 }.isEmpty)
  }

  @Test("detections of one person name the attacks that tried the account, in vain too")
  func triedInVain() throws {
    var made = MadeSignIns()
    for index in 0..<12 { try made.password("u\(index)", right: index == 7, at: index * 240) }
    for (user, entered) in [("U3", "no"), ("u7", "yes")] {
      let findings = try made.rows(.detections, "findings") { $0.filter.user = user }
      #expect(findings.count == 1 && findings.first?["rule"] == "spray", "\(findings)")
      #expect(findings.first?["users"] == .string(user.lowercased()) && findings.first?["entered"] == .string(entered))
      let accounts = try made.rows(.detections, "accounts") { $0.filter.user = user }
      #expect(accounts.count == 1 && accounts.first?["entered"] == .string(entered), "\(accounts)")
    }
    #expect(try made.rows(.detections, "findings") { $0.filter.user = "zoe" }.isEmpty)
    #expect(try made.rows(.detections, "accounts").map { $0["user"] } == ["u7"])
  }

  @Test("spray: people who mistype, one who forgot, and many places are none")
  func noSpray() throws {
    var made = MadeSignIns()
    // An office behind one address: most get in.
    for index in 0..<60 { try made.password("w\(index)", right: index % 4 != 0, at: index * 20, from: "203.0.113.1") }
    // One account, many tries.
    for index in 0..<40 { try made.password("ann", right: false, at: index * 30, from: "203.0.113.2") }
    // Many accounts, each from its own place.
    for index in 0..<40 { try made.password("x\(index)", right: false, at: index * 30, from: "192.0.2.\(index)") }
    // Few accounts with many tries each.
    for index in 0..<60 { try made.password("y\(index % 9)", right: false, at: index * 50, from: "203.0.113.3") }
    #expect(try made.rows(.spray, "episodes").isEmpty && made.rows(.stuffing, "episodes").isEmpty)
  }

  @Test("stuffing: a burst over many accounts, and no spray besides")
  func stuffing() throws {
    var made = MadeSignIns()
    for index in 0..<50 { try made.password("u\(index)", right: index % 10 == 0, at: index * 6) }
    let rows = try made.rows(.stuffing, "episodes")
    #expect(rows.count == 1 && rows.first?["users"] == 50 && rows.first?["failed"] == 45)
    #expect(rows.first?["entered"] == "u0, u10, u20, u30, u40")
    #expect(try made.rows(.spray, "episodes").isEmpty)
  }

  @Test("a burst in the midst of spray from the same place takes its own attempts away, and no others")
  func burstDuringSpray() throws {
    var made = MadeSignIns()
    // Ten hours, one account every three minutes; the right passwords long before and long after the burst.
    for index in 0..<200 { try made.password("u\(index)", right: index % 100 == 7, at: index * 180) }
    for index in 0..<40 { try made.password("v\(index)", right: index == 30, at: 18_000 + index * 5) }
    let bursts = try made.rows(.stuffing, "episodes")
    #expect(bursts.count == 1 && bursts.first?["entered"] == "v30", "\(bursts)")
    let spray = try made.rows(.spray, "episodes")
    #expect(spray.count == 1 && spray.first?["entered"] == "u107, u7", "\(spray)")
    // Each attempt counts once, in one of the two.
    let tries = (bursts + spray).compactMap { $0["tries"]?.int }
    #expect(tries.count == 2 && tries.reduce(0, +) == 240, "\(tries)")
    let accounts = try made.rows(.detections, "accounts")
    #expect(Set(accounts.compactMap { $0["user"]?.string }) == ["u7", "u107", "v30"], "\(accounts)")
    // What the place tried shortly before its burst is not spray if it is too little by itself.
    var other = MadeSignIns()
    for index in 0..<9 { try other.password("u\(index)", right: false, at: index * 120) }
    for index in 0..<40 { try other.password("v\(index)", right: false, at: 1_800 + index * 5) }
    #expect(try other.rows(.spray, "episodes").isEmpty && other.rows(.stuffing, "episodes").count == 1)
  }

  @Test("two episodes of a place that lie apart are two; attempts without a place are looked at together")
  func apart() throws {
    var made = MadeSignIns()
    for index in 0..<30 { try made.password("u\(index)", right: false, at: index * 10, from: nil) }
    for index in 0..<30 { try made.password("v\(index)", right: false, at: 7_200 + index * 10, from: nil) }
    let rows = try made.rows(.stuffing, "episodes")
    #expect(rows.count == 2 && rows.allSatisfy { $0["place"] == "(no place given)" })
  }

  @Test("theft: tokens renewed from another device, another place, or after their end; a roaming holder is none")
  func theft() throws {
    var made = MadeSignIns()
    try made.token("a", "issued", at: 0, device: "phone", address: "198.51.100.1")
    try made.token("a", "refreshed", at: 100, device: "phone", address: "203.0.113.7")
    try made.token("a", "refreshed", at: 200, device: "laptop", address: "203.0.113.7")
    try made.token("a", "refreshed", at: 210, device: "laptop", address: "203.0.113.8")
    try made.token("a", "refused", at: 300, device: "phone", address: "198.51.100.1")
    var rows = try made.rows(.theft, "findings")
    #expect(rows.count == 1)
    #expect(rows.first?["cause"] == "another device" && rows.first?["uses"] == 2 && rows.first?["heldSince"] == "yes")
    #expect(rows.first?["ownDevice"] == "phone" && rows.first?["ownPlace"] == "203.0.113.7")
    #expect(try made.rows(.theft, "findings") { $0.thresholds.theftSeconds = 99 }.isEmpty)
    #expect(try made.rows(.theft, "findings") { $0.thresholds.theftSeconds = 100 }.first?["uses"] == 1)
    try made.token("b", "issued", at: 1_000, device: nil, address: "198.51.100.2")
    try made.token("b", "refreshed", at: 1_100, device: "phone", address: "198.51.100.3")
    try made.token("c", "issued", at: 2_000, device: "phone", address: nil)
    try made.token("c", "revoked", at: 2_100, device: nil, address: nil, ["hint": "refresh_token"])
    try made.token("c", "refused", at: 2_200, device: "phone", address: nil)
    rows = try made.rows(.theft, "findings")
    #expect(rows.compactMap { $0["cause"]?.string } == ["another device", "another place", "after their end"])
    #expect(rows.compactMap { $0["id"]?.string } == ["a", "b", "c"])
    #expect(rows.last?["heldSince"] == "no")
  }

  @Test("theft: what is ordinary is none")
  func noTheft() throws {
    var made = MadeSignIns()
    // A token that ran out, and one whose access token alone was revoked.
    try made.token("a", "issued", at: 0, device: "phone", address: "198.51.100.1")
    try made.token("a", "refused", at: 100, device: "phone", address: "198.51.100.1")
    try made.token("b", "issued", at: 0, device: "phone", address: "198.51.100.1")
    try made.token("b", "revoked", at: 50, device: "phone", address: nil, ["hint": "access_token"])
    try made.token("b", "refreshed", at: 100, device: "phone", address: nil)
    // A server that asks about it, and nothing known of where.
    try made.token("c", "issued", at: 0, device: nil, address: nil)
    try made.token("c", "refreshed", at: 100, device: nil, address: nil)
    try made.token("c", "introspected", at: 150, device: nil, address: "203.0.113.9")
    // A revocation by an administrator elsewhere.
    try made.token("d", "issued", at: 0, device: "phone", address: "198.51.100.1")
    try made.token("d", "revoked", at: 100, device: "desk", address: "198.51.100.9")
    #expect(try made.rows(.theft, "findings").isEmpty)
  }

  @Test("lockouts name the wrong passwords before, and the unlocking after")
  func lockouts() throws {
    var made = MadeSignIns()
    for index in 0..<4 { try made.password("ann", right: false, at: index * 10) }
    try made.log.add("authn/l", "flow.started", ["kind": "authn", "sdk": "s", "settings": [:]], after: 50_000)
    try made.log.add(
      "authn/l", "call.made",
      ["call": "authenticate", "arguments": ["username": "ann", "password": "$secret.password.1$"]],
      after: 50_000)
    try made.log.add("authn/l", "status.changed", ["status": "LOCKED_OUT", "summary": [:]], after: 50_100)
    try made.log.add("authn/l", "flow.ended", ["outcome": "lockedOut"], after: 50_200)
    let rows = try made.rows(.lockouts, "lockouts")
    #expect(rows.count == 1 && rows.first?["user"] == "ann" && rows.first?["wrongPasswords"] == 4)
    #expect(rows.first?["unlockedAt"] == .null)
  }

  @Test("every report of an empty log, and of a hostile one, is written in every format")
  func formats() throws {
    var made = MadeSignIns()
    try made.password("\u{1B}]0;x\u{07}<script>,\"=1+1\u{202E}", right: false, at: 1, from: "=cmd|' /C calc'!A0")
    for log in [made.log.facts, LogFacts()] {
      for name in ReportName.allCases {
        let report = try ReportRequest(name, filter: FlowFilter(), now: Timestamp(microseconds: 0)).report(on: log)
        let html = report.rendered(as: .html)
        #expect(!html.contains("<script") && html.contains("Content-Security-Policy"))
        let text = report.rendered(as: .text, width: 80)
        for text in [text, html, report.rendered(as: .csv)] {
          #expect(!text.unicodeScalars.contains { $0.value == 0x1B || $0.value == 0x202E || $0.value == 7 })
        }
        #expect(!report.rendered(as: .csv).contains(",=cmd"))
        var pieces = ""
        report.forEachPieceOfJSON(after: [("schema", 1)]) { pieces += $0 }
        #expect(pieces == "{\"schema\":1,\(report.json.text.dropFirst())")
        #expect(report.json["report"]?.string == name.rawValue && !name.events.isEmpty && name.question.hasSuffix("?"))
      }
    }
  }

  @Test("compare takes whole days by the clock, over a change of it too")
  func compareOverChangeOfClock() throws {
    let made = MadeSignIns()
    for (since, until, before) in [
      ("2026-03-30T00:00:00+02:00", "2026-04-05T23:59:59.999999+02:00", "2026-03-23T00:00:00.000000+01:00"),
      ("2026-10-26T00:00:00+01:00", "2026-10-26T23:59:59.999999+01:00", "2026-10-25T00:00:00.000000+02:00"),
      ("2026-03-29T12:00:00+02:00", "2026-03-29T18:00:00+02:00", "2026-03-29T06:00:00.000000+02:00"),
    ] {
      var request = ReportRequest(
        .compare, filter: FlowFilter(since: Timestamp(since), until: Timestamp(until)), now: Timestamp(microseconds: 0))
      request.zone = try #require(Zone("Europe/Berlin"))
      let report = try request.report(on: made.log.facts)
      #expect(report.notes.first == "Before is the time of the same length, since \(before).", "\(since)")
    }
  }

  @Test("compare sets a period beside the one of the same length before it")
  func compare() throws {
    var made = MadeSignIns()
    for second in [0, 10, 20, 100, 110] { try made.password("u\(second)", right: second < 100, at: second) }
    let start = try #require(Timestamp("2026-11-21T12:01:40Z"))
    let rows = try made.rows(.compare, "figures") {
      $0.filter.since = start
      $0.filter.until = Timestamp(microseconds: start.microseconds + 100_000_000)
    }
    #expect(rows.first == ["figure": "flows", "before": 3, "now": 2, "change": -1, "nowPercent": .number("66.7")])
    let failed = rows.first { $0["figure"] == "setbacks: wrongPassword" }
    #expect(failed?["before"] == 0 && failed?["now"] == 2 && failed?["nowPercent"] == .null)
  }
}
