import AuditReports
import EventStore
import FlowRecording
import Testing

/// Who set up which factor, from where accounts are used, and what devices they share.
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
    #expect(rows[2]["before"] == rows[0]["at"] && rows[2]["place"] == "203.0.113.9")
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

  @Test("enrollments: what was given up, and sign-ins and challenges, are none; what was removed is not set up again")
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

  @Test("overlaps: one account from two addresses or devices, at a time or within the window")
  func overlaps() throws {
    var made = MadeSignIns()
    try made.signIn("ann", at: 0, for: 30, from: "198.51.100.1", on: "laptop")
    try made.signIn("Ann", at: 10, for: 2, from: "203.0.113.9", on: nil)
    try made.signIn("ann", at: 90, for: 2, from: "198.51.100.1", on: "phone")
    try made.signIn("ann", at: 153, for: 2, from: "198.51.100.7", on: "phone")
    let rows = try made.rows(.overlaps, "overlaps")
    #expect(texts(rows, "differs") == ["address", "device"] && rows.allSatisfy { $0["user"] == "ann" })
    #expect(rows.map { $0["apartMs"]?.int } == [0, 60_000])
    #expect(rows[0]["address"] == "198.51.100.1" && rows[0]["otherAddress"] == "203.0.113.9")
    #expect(rows[1]["device"] == "laptop" && rows[1]["otherDevice"] == "phone")
    let wide = try made.rows(.overlaps, "overlaps") { $0.thresholds.overlapSeconds = 61 }
    #expect(wide.count == 3 && wide[2]["differs"] == "address" && wide[2]["apartMs"] == 61_000)
    #expect(try made.rows(.overlaps, "overlaps") { $0.thresholds.overlapSeconds = 59 } == [rows[0]])
    // One of the two is enough for the time that is asked for.
    #expect(try made.rows(.overlaps, "overlaps") { $0.filter.since = try? time(5) } == rows)
    #expect(try made.rows(.overlaps, "overlaps") { $0.filter.until = try? time(5) } == rows)
    #expect(try made.rows(.overlaps, "overlaps") { $0.filter.since = try? time(60) } == [rows[1]])
    #expect(try made.rows(.overlaps, "overlaps") { $0.filter.user = "ANN" } == rows)
    #expect(try made.rows(.overlaps, "users").first?["count"] == 2)
  }

  @Test("overlaps: other people, the same place, what failed, and what names no place are none")
  func noOverlaps() throws {
    var made = MadeSignIns()
    try made.signIn("ann", at: 0, for: 30, from: "198.51.100.1", on: "laptop")
    try made.signIn("bob", at: 1, for: 2, from: "203.0.113.9", on: "other")
    try made.signIn("ann", at: 2, for: 2, from: "198.51.100.1", on: "laptop")
    try made.signIn("ann", at: 3, for: 2, from: "203.0.113.9", on: "other", right: false)
    try made.signIn("ann", at: 4, for: 2, from: nil, on: nil)
    // Nothing says that it is another: one names the address alone, the other the device.
    try made.signIn("ann", at: 5, for: 2, from: nil, on: "laptop")
    try made.signIn("ann", at: 91, for: 2, from: "203.0.113.9", on: "other")
    #expect(try made.rows(.overlaps, "overlaps").isEmpty && made.rows(.overlaps, "users").isEmpty)
  }

  @Test("shared: devices and keys of authenticators that several accounts use")
  func shared() throws {
    var made = MadeSignIns()
    try made.signIn("ann", at: 0, for: 2, from: "198.51.100.1", on: "kiosk")
    try made.signIn("bob", at: 100, for: 2, from: "198.51.100.2", on: "kiosk", right: false)
    try made.signIn("cleo", at: 200, for: 2, from: "198.51.100.3", on: "kiosk")
    try made.device("dan", "challenge.parsed", at: 300, key: "k1", then: "challenge.resolved")
    try made.device("eve", "challenge.parsed", at: 400, key: "k1")
    let rows = try made.rows(.shared, "shared")
    #expect(texts(rows, "id") == ["kiosk", "k1"] && texts(rows, "kind") == ["device", "key"])
    #expect(rows[0]["users"] == 3 && rows[0]["names"] == "ann, bob, cleo" && rows[0]["entered"] == "ann, cleo")
    #expect(rows[0]["flows"] == 3 && rows[1]["names"] == "dan, eve" && rows[1]["entered"] == "dan")
    #expect(try made.rows(.shared, "shared") { $0.thresholds.sharedUsers = 3 } == [rows[0]])
    #expect(try made.rows(.shared, "shared") { $0.filter.user = "BOB" } == [rows[0]])
    #expect(try made.rows(.shared, "shared") { $0.filter.since = try? time(250) } == [rows[1]])
  }

  @Test("shared: one user by any case, flows without a user, and an address of many are none")
  func notShared() throws {
    var made = MadeSignIns()
    try made.signIn("ann", at: 0, for: 2, from: "198.51.100.1", on: "laptop")
    try made.signIn("ANN", at: 100, for: 2, from: "198.51.100.1", on: "laptop")
    try made.signIn("bob", at: 200, for: 2, from: "198.51.100.1", on: "other")
    try made.token("t", "refreshed", at: 300, device: "laptop", address: "198.51.100.1")
    try made.device("ann", "challenge.parsed", at: 400, key: "k1")
    try made.device("bob", "challenge.parsed", at: 500, key: "k2")
    #expect(try made.rows(.shared, "shared").isEmpty)
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
    #expect(try quiet(8)[0]["days"] == 10 && quiet(90).isEmpty)
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

  @Test("http: the users whose requests met server errors, no answer or a rate limit")
  func affected() throws {
    var made = MadeSignIns()
    try made.answered("ann", 200, at: 0)
    try made.answered("bob", 503, at: 100)
    try made.answered("Bob", 429, at: 200)
    try made.answered("cleo", nil, at: 300)
    try made.answered("dan", 404, at: 400)
    let rows = try made.rows(.http, "affected")
    #expect(texts(rows, "user") == ["bob", "cleo"])
    #expect(rows[0]["serverErrors"] == 1 && rows[0]["rateLimits"] == 1 && rows[0]["flows"] == 2)
    #expect(rows[1]["unanswered"] == 1 && rows[1]["serverErrors"] == 0 && rows[1]["failed"] == 1)
  }
}

extension MadeSignIns {
  /// A classic flow of a user that has begun, with a password that is not answered yet.
  private mutating func open(_ user: String, at second: Int, from address: String?, on device: String?) throws -> String
  {
    let stream = "authn/s\(log.records.count)"
    let context: JSON = .members([
      ("client", address.map { ["address": .string($0)] }), ("device", device.map(JSON.string)),
    ])
    try log.add(
      stream, "flow.started", ["kind": "authn", "sdk": "s", "settings": [:], "context": context], after: second * 1_000)
    try log.add(
      stream, "call.made",
      ["call": "authenticate", "arguments": ["username": .string(user), "password": "$secret.password.1$"]],
      after: second * 1_000)
    return stream
  }

  /// A sign-in by password that takes so many seconds.
  mutating func signIn(
    _ user: String, at second: Int, for length: Int, from address: String?, on device: String?, right: Bool = true
  ) throws {
    let stream = try open(user, at: second, from: address, on: device)
    let end = (second + length) * 1_000
    if right { try log.add(stream, "status.changed", ["status": "SUCCESS", "summary": [:]], after: end) }
    try log.add(stream, "flow.ended", ["outcome": right ? "success" : "abandoned"], after: end)
  }

  /// A sign-in in which a factor is set up, or given up.
  mutating func enroll(
    _ user: String, _ factor: String, at second: Int, from address: String?, on device: String?,
    isGivenUp: Bool = false
  ) throws {
    let stream = try open(user, at: second, from: address, on: device)
    let at = second * 1_000
    let factors: JSON = [["type": .string(factor), "provider": "OKTA"]]
    try log.add(stream, "status.changed", ["status": "MFA_ENROLL", "summary": ["factors": factors]], after: at + 100)
    try log.add(stream, "call.made", ["call": "enrollFactor", "arguments": ["factor": 0]], after: at + 200)
    try log.add(
      stream, "status.changed",
      ["status": "MFA_ENROLL_ACTIVATE", "previous": "MFA_ENROLL", "summary": ["factors": factors]], after: at + 300)
    if isGivenUp {
      try log.add(stream, "call.made", ["call": "cancel", "arguments": [:]], after: at + 400)
      try log.add(
        stream, "status.changed",
        ["status": "CANCELLED", "previous": "MFA_ENROLL_ACTIVATE", "summary": [:]], after: at + 500)
    } else {
      try log.add(
        stream, "status.changed",
        ["status": "SUCCESS", "previous": "MFA_ENROLL_ACTIVATE", "summary": [:]], after: at + 500)
    }
    try log.add(stream, "flow.ended", ["outcome": isGivenUp ? "cancelled" : "success"], after: at + 600)
  }

  /// A flow at a device with one event that may name the user, and another after it.
  mutating func device(
    _ user: String, _ event: String, at second: Int, key: String? = nil, then next: String? = nil
  ) throws {
    let stream = "device/d\(log.records.count)"
    let at = second * 1_000
    try log.add(stream, "flow.started", ["kind": "device", "sdk": "s", "settings": [:]], after: at)
    let names = event != "enrollment.deleted"
    try log.add(stream, event, names ? ["userName": .string(user), "transactionId": "ft1"] : [:], after: at)
    if let key {
      try log.add(
        stream, "response.signed", ["keyType": "proofOfPossession", "kid": .string(key)], after: at + 100)
    }
    if let next { try log.add(stream, next, ["outcome": "approved"], after: at + 200) }
    let outcome = next == "challenge.resolved" ? "approved" : key == nil ? "success" : "abandoned"
    try log.add(stream, "flow.ended", ["outcome": .string(outcome)], after: at + 300)
  }

  /// A sign-in whose request is answered by a status, or not at all, and that ends then.
  mutating func answered(_ user: String, _ status: Int?, at second: Int) throws {
    let stream = try open(user, at: second, from: nil, on: nil)
    let (at, sent) = (second * 1_000, log.records.count)
    try log.add(
      stream, "request.sent", ["method": "POST", "url": "https://acme.example/api/v1/authn", "headers": []], after: at)
    if let status {
      try log.add(
        stream, "response.received", ["status": .int(status), "headers": []], after: at + 90, cause: sent)
    } else {
      try log.add(stream, "request.failed", ["code": "reset", "message": "gone"], after: at + 90, cause: sent)
    }
    try log.add(stream, "flow.ended", ["outcome": "abandoned"], after: at + 100)
  }
}
