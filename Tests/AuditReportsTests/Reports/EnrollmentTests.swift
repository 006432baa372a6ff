import AuditReports
import EventStore
import Testing

/// Who set up which factor, and what else reports list of each person: approvals, strengths, lockouts, failures.
@Suite struct EnrollmentTests {
  private func time(_ second: Int) throws -> Timestamp {
    let start = try #require(Timestamp("2026-11-21T12:00:00Z"))
    return Timestamp(microseconds: start.microseconds + Int64(second) * 1_000_000)
  }

  private func texts(_ rows: [JSON], _ name: String) -> [String] { rows.map { $0[name]?.string ?? "-" } }

  @Test("enrollments: who set up, replaced and removed which factor, when, from where, and what was proved before")
  func enrollments() throws {
    var made = MadeSignIns()
    try made.enroll("ann", "sms", at: 0, from: "198.51.100.1", on: "laptop")
    try made.enroll("bob", "push", at: 50, from: nil, on: nil)
    try made.enroll("Ann", "sms", at: 100, from: "203.0.113.9", on: "tablet")
    try made.device("ann", "enrollment.completed", at: 200)
    try made.device("ann", "enrollment.deleted", at: 300)
    let rows = try made.rows(.enrollments, "changes")
    #expect(texts(rows, "user") == ["ann", "bob", "Ann", "ann", "-"])
    #expect(texts(rows, "factor") == ["sms", "push", "sms", "push", "push"])
    #expect(texts(rows, "change") == Array(repeating: "factorEnrolled", count: 4) + ["factorRemoved"])
    #expect(rows[0]["place"] == "198.51.100.1" && rows[0]["device"] == "laptop" && rows[0]["proofs"] == "password")
    #expect(rows[0]["before"] == .null && rows[0]["outcome"] == "success" && rows[0]["at"]?.string != nil)
    // A device proves nothing before it is set up.
    #expect(rows[3]["proofs"] == .null && rows[4]["proofs"] == .null)
    #expect(rows[2]["before"] == rows[0]["at"] && rows[2]["place"] == "203.0.113.9")
    #expect(texts(rows, "origin") == ["first", "-", "new", "-", "-"])
    // What was set up before the time that is asked for is known.
    let late = try made.rows(.enrollments, "changes") { $0.filter.since = try? time(90) }
    #expect(late == Array(rows[2...]))
    #expect(try made.rows(.enrollments, "changes") { $0.filter.user = "ANN" } == [rows[0], rows[2], rows[3]])
    #expect(try made.rows(.enrollments, "changes") { $0.filter.until = try? time(49) } == [rows[0]])
    #expect(try made.rows(.enrollments, "changes") { $0.filter.place = "203.0.113.*" } == [rows[2]])
    let totals = try made.rows(.enrollments, "totals")
    #expect(texts(totals, "factor") == ["push", "sms"])
    #expect(totals[1]["enrolled"] == 2 && totals[1]["again"] == 1 && totals[1]["removed"] == 0)
    #expect(totals[1]["users"] == 1 && totals[0]["removed"] == 1 && totals[0]["again"] == 0)
  }

  @Test("enrollments: abandoned ones, sign-ins and challenges do not count; what was removed is not set up again")
  func noEnrollments() throws {
    var made = MadeSignIns()
    try made.enroll("ann", "sms", at: 0, from: nil, on: nil, isGivenUp: true)
    try made.password("ann", right: true, at: 100)
    try made.push("ann", nil, at: 200)
    try made.unlock("ann", at: 300)
    #expect(try made.rows(.enrollments, "changes").isEmpty && made.rows(.enrollments, "totals").isEmpty)
    try made.device("ann", "enrollment.completed", at: 400)
    // A flow in which the org names the user, so that the removal does too.
    try made.device("ann", "challenge.parsed", at: 500, then: "enrollment.deleted")
    try made.device("ann", "enrollment.completed", at: 600)
    let rows = try made.rows(.enrollments, "changes")
    #expect(texts(rows, "change") == ["factorEnrolled", "factorRemoved", "factorEnrolled"])
    #expect(rows[1]["before"] == rows[0]["at"] && rows[2]["before"] == .null)
  }

  @Test("recovery: whether the person had succeeded from the device or the place before, and the next success")
  func recoveryOrigins() throws {
    var made = MadeSignIns()
    func reset(_ user: String, at second: Int, from address: String, on device: String?) throws {
      let (stream, at) = ("authn/reset-\(second)", second * 1_000)
      let context: JSON = .members([("client", ["address": .string(address)]), ("device", device.map(JSON.string))])
      let account: JSON = ["username": .string(user), "factorType": "SMS"]
      try made.log.add(
        stream, "flow.started", ["kind": "authn", "sdk": "s", "settings": [:], "context": context], after: at)
      try made.log.add(stream, "call.made", ["call": "recoverPassword", "arguments": account], after: at)
      try made.log.add(stream, "call.made", ["call": "resetPassword", "arguments": [:]], after: at)
      try made.log.add(
        stream, "status.changed", ["status": "SUCCESS", "previous": "PASSWORD_RESET", "summary": [:]], after: at)
      try made.log.add(stream, "flow.ended", ["outcome": "success"], after: at)
    }
    try reset("ann", at: 0, from: "198.51.100.1", on: "laptop")
    try made.signIn("bob", at: 10, for: 1, from: "198.51.100.2", on: nil)
    try reset("bob", at: 100, from: "198.51.100.2", on: nil)
    try reset("Ann", at: 200, from: "203.0.113.9", on: "laptop")
    try reset("ann", at: 300, from: "203.0.113.9", on: nil)
    try reset("ann", at: 400, from: "203.0.113.9", on: nil)
    // A try that failed makes nothing known.
    try made.signIn("bob", at: 450, for: 1, from: "203.0.113.10", on: nil, right: false)
    try reset("bob", at: 500, from: "203.0.113.10", on: nil)
    // It begins before the next success, and ends after it.
    try made.signIn("ann", at: 590, for: 30, from: "203.0.113.78", on: nil)
    try made.signIn("ANN", at: 600, for: 5, from: "203.0.113.77", on: nil)
    let rows = try made.rows(.recovery, "changes")
    #expect(texts(rows, "origin") == ["first", "known", "known", "new", "known", "new"], "\(rows)")
    #expect(texts(rows, "device") == ["laptop", "-", "laptop", "-", "-", "-"])
    // What came before, and what failed, is no next success.
    let next = "203.0.113.77"
    #expect(texts(rows, "enteredPlace") == [next, "-", next, next, next, "-"], "\(rows)")
    #expect(rows[0]["enteredAt"]?.string?.hasPrefix("2026-11-21T12:10:05") == true)
    // By the whole log, whatever is asked for.
    let late = try made.rows(.recovery, "changes") { $0.filter.since = try? time(250) }
    #expect(late == Array(rows[3...]))
    #expect(try made.rows(.recovery, "changes") { $0.filter.until = try? time(550) } == rows)
    #expect(try made.rows(.recovery, "changes") { $0.filter.user = "BOB" } == [rows[1], rows[5]])
  }

  @Test("push: what is approved at once, and how many a person gets")
  func quickApprovals() throws {
    var made = MadeSignIns()
    try made.push("ann", nil, at: 0)
    try made.push("bob", nil, at: 100)
    try made.push("bob", "REJECTED", at: 200)
    #expect(try made.rows(.push, "quick").isEmpty)
    let quick = try made.rows(.push, "quick") { $0.thresholds.quickSeconds = 9 }
    #expect(texts(quick, "user") == ["ann", "bob"] && quick.allSatisfy { $0["tookMs"] == 9_000 })
    #expect(try made.rows(.push, "quick") { $0.thresholds.quickSeconds = 8 }.isEmpty)
    let bob = try made.rows(.push, "quick") {
      $0.thresholds.quickSeconds = 9
      $0.filter.since = try? time(50)
    }
    #expect(bob == [quick[1]])
    let each = try made.rows(.push, "perUser")
    #expect(each.count == 1 && each[0]["users"] == 2 && each[0]["pushes"] == 3)
    #expect(each[0]["p50"] == 1 && each[0]["p95"] == 2 && each[0]["most"] == 2)
    #expect(try MadeSignIns().rows(.push, "perUser").isEmpty)
  }

  @Test("push: what is approved at the first poll of the classic API is approved at once")
  func quickByPolls() throws {
    var made = MadeSignIns()
    try made.pushes("ann", at: 0, again: 0)
    try made.push("bob", nil, at: 100)
    let quick = try made.rows(.push, "quick")
    #expect(texts(quick, "user") == ["ann"] && quick[0]["tookMs"] == 5_000)
    #expect(try made.rows(.push, "quick") { $0.thresholds.quickSeconds = 4 }.isEmpty)
    #expect(try notes(.push, of: made).contains("5 s in the classic API"))
  }

  private func notes(
    _ name: ReportName, of made: MadeSignIns, _ change: (inout ReportRequest) -> Void = { _ in }
  ) throws -> String {
    var request = ReportRequest(name, filter: FlowFilter(), now: try time(0))
    change(&request)
    return try request.report(on: made.log.facts).notes.joined(separator: "\n")
  }

  @Test("people: factors that resist phishing, those that have no strength, and who is not named")
  func strengths() throws {
    var made = MadeSignIns()
    try made.challenged("ann", "signed_nonce", at: 0)
    try made.challenged("bob", "smart_card_idp", at: 100)
    try made.challenged("cleo", "tac", at: 200)
    try made.challenged("dan", "sms", at: 300)
    try made.fetched("eve", at: 400)
    let named = try made.rows(.people, "strength")
    try made.fetched(nil, at: 500)
    let strengths = try made.rows(.people, "strength")
    #expect(texts(strengths, "strength") == ["phishing-resistant", "none", "other", "phone or mail"])
    #expect(strengths.map { $0["count"] } == [2, 1, 1, 1] && strengths == named)
    func quiet(now: Int, until: Int?) throws -> [String] {
      let today = try time(now)
      let end = try until.map { try time($0) }
      let rows = try made.rows(.people, "quiet") {
        $0.now = today
        $0.filter.until = end
      }
      return texts(rows, "user")
    }
    let days = 86_400
    #expect(try quiet(now: 100 * days, until: nil) == ["ann", "bob", "cleo", "dan", "eve"])
    // Nothing is known of a time that has not come.
    #expect(try quiet(now: days, until: 100 * days).isEmpty)
    #expect(try quiet(now: 200 * days, until: 100 * days).count == 5)
    #expect(try notes(.people, of: made).contains("for more than 90 days before now"))
    let short = try notes(.people, of: made) { $0.thresholds.quietSeconds = 3_600 }
    #expect(short.contains("for more than 3600 s before now"))
  }

  @Test("people: who has not signed in for long, and by how strong a factor people sign in")
  func quiet() throws {
    var made = MadeSignIns()
    try made.password("ann", right: true, at: 0)
    try made.password("bob", right: true, at: 86_400)
    try made.password("cleo", right: false, at: 0)
    try made.push("dan", nil, at: 86_400)
    func quiet(_ days: Int, until second: Int? = nil, since: Int? = nil) throws -> [JSON] {
      let now = try time(10 * 86_400)
      return try made.rows(.people, "quiet") {
        $0.now = now
        $0.thresholds.quietSeconds = days * 86_400
        $0.filter.until = second.flatMap { try? time($0) }
        $0.filter.since = since.flatMap { try? time($0) }
      }
    }
    #expect(try texts(quiet(9), "user") == ["ann"])
    #expect(try texts(quiet(8), "user") == ["ann", "bob", "dan"])
    // Whole days, from the end of the sign-in.
    #expect(try quiet(8)[0]["days"] == 9 && quiet(90).isEmpty)
    // By the whole log, whatever time is asked for, and as of its end.
    #expect(try texts(quiet(9, since: 5 * 86_400), "user") == ["ann"])
    #expect(try texts(quiet(1, until: 2 * 86_400), "user") == ["ann"])
    let strengths = try made.rows(.people, "strength")
    #expect(texts(strengths, "strength") == ["knowledge", "possession"])
    #expect(strengths[0]["count"] == 2 && strengths[1]["count"] == 1)
  }

  @Test("lockouts: how long an account was locked, and by which proof and from where it was unlocked")
  func unlocked() throws {
    var made = MadeSignIns()
    try made.unlock("ann", at: 10)
    try made.lockout("ann", at: 100)
    try made.lockout("ann", at: 160)
    try made.lockout("bob", at: 200)
    try made.unlock("ann", at: 400)
    let rows = try made.rows(.lockouts, "unlocked")
    #expect(rows.count == 1 && rows[0]["user"] == "ann" && rows[0]["lockedMs"] == 240_000)
    #expect(rows[0]["proofs"] == "" && rows[0]["flow"] == "authn/unlocked-ann-400")
    #expect(try made.rows(.lockouts, "unlocked") { $0.filter.until = try? time(150) }.first?["lockedMs"] == 300_000)
    #expect(try made.rows(.lockouts, "unlocked") { $0.filter.user = "bob" }.isEmpty)
  }

  @Test("lockouts: who got in, or was unlocked, after a lockout is not unlocked once more")
  func notUnlocked() throws {
    var made = MadeSignIns()
    try made.lockout("ann", at: 100)
    try made.password("ann", right: true, at: 200)
    try made.unlock("ann", at: 400)
    #expect(try made.rows(.lockouts, "unlocked").isEmpty)
    try made.lockout("ann", at: 500)
    try made.password("ann", right: false, at: 550)
    try made.unlock("ann", at: 600)
    try made.unlock("ann", at: 700)
    let rows = try made.rows(.lockouts, "unlocked")
    #expect(rows.count == 1 && rows[0]["flow"] == "authn/unlocked-ann-600" && rows[0]["lockedMs"] == 100_000)
    #expect(try made.rows(.lockouts, "locked").isEmpty)
  }

  @Test("detections: what was changed in an account after someone got in, and nothing of others or before")
  func changedAfter() throws {
    var made = MadeSignIns()
    try made.enroll("ann", "sms", at: 0, from: nil, on: nil)
    for (index, result) in ["REJECTED", "TIMEOUT", "REJECTED", nil].enumerated() {
      try made.push("ann", result, at: 1_000 + index * 100)
    }
    for index in 0..<3 { try made.push("bob", "REJECTED", at: 1_000 + index * 100) }
    try made.enroll("bob", "push", at: 5_000, from: nil, on: nil)
    try made.enroll("ann", "push", at: 5_000, from: "203.0.113.9", on: nil)
    let rows = try made.rows(.detections, "changed")
    #expect(rows.count == 1 && rows[0]["user"] == "ann" && rows[0]["factor"] == "push", "\(rows)")
    #expect(rows[0]["change"] == "factorEnrolled" && rows[0]["place"] == "203.0.113.9")
    #expect(try made.rows(.detections, "changed") { $0.filter.user = "bob" }.isEmpty)
    #expect(try made.rows(.detections, "changed") { $0.filter.user = "ANN" } == rows)
  }

  @Test("detections: what was changed while an attack went on counts from the moment when someone got in")
  func changedDuring() throws {
    var made = MadeSignIns()
    for (index, result) in ["REJECTED", "TIMEOUT", "REJECTED", nil].enumerated() {
      try made.push("ann", result, at: 1_000 + index * 100)
    }
    // Between the first refusal and the approval, which comes nine seconds after the last push was sent.
    try made.enroll("ann", "sms", at: 1_050, from: nil, on: nil)
    try made.enroll("ann", "sms", at: 1_302, from: nil, on: nil)
    try made.enroll("ann", "push", at: 1_310, from: nil, on: nil)
    for index in 0..<12 { try made.password("u\(index)", right: index == 7, at: 10_000 + index * 240) }
    try made.enroll("u7", "sms", at: 10_100, from: nil, on: nil)
    try made.enroll("u7", "push", at: 20_000, from: nil, on: nil)
    let rows = try made.rows(.detections, "changed")
    #expect(texts(rows, "user") == ["ann", "u7"] && texts(rows, "factor") == ["push", "push"], "\(rows)")
    let since = texts(rows, "since").map { $0.prefix(19) }
    #expect(since == ["2026-11-21T12:21:49", "2026-11-21T15:14:40"])
    // To the end of the log, whatever time is asked for; the note says so.
    let until = try time(15_000)
    #expect(try made.rows(.detections, "changed") { $0.filter.until = until } == rows)
    #expect(try notes(.detections, of: made).contains("to the end of the log"))
    #expect(try made.rows(.detections, "changed") { $0.filter.since = until }.isEmpty)
  }

  @Test("http: the users whose requests met server errors, failures or a rate limit")
  func affected() throws {
    var made = MadeSignIns()
    try made.answered("ann", 200, at: 0)
    try made.answered("bob", 503, at: 100)
    try made.answered("Bob", 429, at: 200)
    try made.answered("cleo", nil, at: 300, isLeftOpen: true)
    try made.answered("dan", 404, at: 400, isLeftOpen: true)
    let rows = try made.rows(.http, "affected")
    #expect(texts(rows, "user") == ["bob", "cleo"])
    #expect(rows[0]["serverErrors"] == 1 && rows[0]["rateLimits"] == 1 && rows[0]["flows"] == 2)
    #expect(rows[0]["failures"] == 0 && rows[0]["unanswered"] == 0)
    #expect(rows[1]["failures"] == 1 && rows[1]["unanswered"] == 1)
    #expect(rows[1]["serverErrors"] == 0 && rows[1]["failed"] == 1)
    // Each of these requests by itself: not the answer 404, and not the one without an answer.
    let troubled = try made.rows(.http, "troubled")
    #expect(texts(troubled, "user") == ["bob", "Bob", "cleo"] && texts(troubled, "answer") == ["503", "429", "reset"])
    #expect(troubled.allSatisfy { $0["request"] == "POST /api/v1/authn" && $0["ms"] == 90 })
    #expect(texts(troubled, "at").map { $0.prefix(19).suffix(5) } == ["01:40", "03:20", "05:00"])
    #expect(try made.rows(.http, "troubled") { $0.filter.user = "bob" } == Array(troubled[..<2]))
    // A flow that names no one has no name in either table.
    try made.log.add("oidc/1", "flow.started", ["kind": "oidc", "sdk": "s", "settings": [:]], after: 600_000)
    let sent = made.log.records.count
    try made.log.add(
      "oidc/1", "request.sent", ["method": "POST", "url": "https://acme.example/token", "headers": []], after: 600_000)
    try made.log.add("oidc/1", "response.received", ["status": 503, "headers": []], after: 600_090, cause: sent)
    #expect(try made.rows(.http, "affected").map { $0["user"] } == ["bob", .null, "cleo"])
    #expect(try made.rows(.http, "troubled").last?["user"] == .null)
  }
}
