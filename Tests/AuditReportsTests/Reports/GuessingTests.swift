import AuditReports
import EventStore
import Testing

/// Many wrong passwords or codes on one account, and what followed.
@Suite struct GuessingTests {
  private func time(_ second: Int) throws -> Timestamp {
    let start = try #require(Timestamp("2026-11-21T12:00:00Z"))
    return Timestamp(microseconds: start.microseconds + Int64(second) * 1_000_000)
  }

  private func outcomes(_ made: MadeSignIns) throws -> [String] {
    try made.rows(.guessing, "episodes").map { "\($0["user"]?.string ?? "-") \($0["outcome"]?.string ?? "-")" }
  }

  @Test("guessing: many wrong passwords of one account from several addresses, and the success after them")
  func succeeded() throws {
    var made = MadeSignIns()
    for index in 0..<8 {
      try made.password(index == 3 ? "Ann" : "ann", right: false, at: index * 60, from: "198.51.100.\(index % 4)")
    }
    try made.password("ann", right: true, at: 600, from: "203.0.113.9")
    try made.password("ann", right: true, at: 660, from: "203.0.113.10")
    let rows = try made.rows(.guessing, "episodes")
    #expect(rows.count == 1)
    let row = try #require(rows.first)
    #expect(row["user"] == "ann" && row["tries"] == 8 && row["places"] == 4 && row["outcome"] == "succeeded")
    #expect(row["place"] == "198.51.100.0, 198.51.100.1, 198.51.100.2, 198.51.100.3")
    #expect(row["first"]?.string?.hasPrefix("2026-11-21T12:00:00") == true)
    #expect(row["last"]?.string?.hasPrefix("2026-11-21T12:07:00") == true)
    #expect(row["enteredAt"]?.string?.hasPrefix("2026-11-21T12:10:00") == true)
    #expect(row["enteredPlace"] == "203.0.113.9" && row["flow"] == "authn/9")
    #expect(try made.rows(.guessing, "episodes") { $0.thresholds.guessTries = 9 }.isEmpty)
    #expect(try made.rows(.guessing, "episodes") { $0.thresholds.guessSeconds = 419 }.isEmpty)
    #expect(try made.rows(.guessing, "episodes") { $0.thresholds.guessSeconds = 420 } == rows)
  }

  @Test("guessing: a terminal of 80 columns shows from where the tries came, and from where the success did")
  func narrow() throws {
    var made = MadeSignIns()
    for index in 0..<8 { try made.password("ann@acme.example", right: false, at: index, from: "198.51.100.\(index)") }
    try made.password("ann@acme.example", right: true, at: 60, from: "203.0.113.9")
    let request = ReportRequest(.guessing, filter: FlowFilter(), now: Timestamp(microseconds: 0))
    let text = try request.report(on: made.log.facts).rendered(as: .text, width: 80)
    let lines = text.split(separator: "\n").map(String.init)
    #expect(lines.allSatisfy { $0.count <= 80 })
    let row = try #require(lines.first { $0.hasPrefix("2026-11-21 12:00:00") })
    #expect(
      row.contains("  ann@acme.exa") && row.contains("  198.51.100.0,") && row.hasSuffix("  203.0.113.9"), "\(text)")
    #expect(row.contains("  succeeded  "))
  }

  @Test("guessing: who forgets twice, who tries for days, and one try each of many accounts are none")
  func none() throws {
    var made = MadeSignIns()
    for index in 0..<3 { try made.password("ann", right: index == 2, at: index * 30) }
    for index in 0..<7 { try made.password("bob", right: false, at: index * 30) }
    for index in 0..<30 { try made.password("cleo", right: false, at: index * 43_200) }
    for index in 0..<30 { try made.password("u\(index)", right: false, at: index * 30) }
    for index in 0..<30 { try made.lockout("dan", at: index * 30) }
    for index in 0..<30 { try made.push("eve", "REJECTED", at: index * 30) }
    #expect(try made.rows(.guessing, "episodes").isEmpty)
    // One more is enough.
    try made.password("bob", right: false, at: 300)
    #expect(try outcomes(made) == ["bob stopped"])
    #expect(try made.rows(.guessing, "episodes").first?["flow"]?.string?.hasPrefix("authn/") == true)
  }

  @Test("guessing: the window holds tries and the success up to its last second, and none after it")
  func windowEdge() throws {
    for (last, right, expected) in [
      (3_600, 7_199, ["ann succeeded"]), (3_600, 7_200, ["ann stopped"]), (3_601, 3_700, []),
    ] as [(Int, Int, [String])] {
      var made = MadeSignIns()
      for second in [0, 1, 2, 3, 4, 5, 6, last] { try made.password("ann", right: false, at: second) }
      try made.password("ann", right: true, at: right)
      #expect(try outcomes(made) == expected, "\(last) \(right)")
    }
    // Windows that overlap are one episode, and bursts that lie apart are two.
    var made = MadeSignIns()
    for index in 0..<20 { try made.password("ann", right: false, at: index * 400) }
    for index in 0..<8 { try made.password("ann", right: false, at: 50_000 + index) }
    #expect(try made.rows(.guessing, "episodes").map { $0["tries"] } == [20, 8])
    #expect(try made.rows(.guessing, "episodes") { $0.thresholds.guessSeconds = .max }.map { $0["tries"] } == [28])
  }

  @Test("guessing: a success before so many tries is that of a person who mistyped")
  func earlySuccess() throws {
    var made = MadeSignIns()
    for index in 0..<9 { try made.password("ann", right: index == 4, at: index * 30) }
    #expect(try outcomes(made) == ["ann stopped"])
    try made.password("ann", right: false, at: 400)
    try made.password("ann", right: true, at: 500)
    try made.password("ann", right: false, at: 600)
    #expect(try outcomes(made) == ["ann succeeded"])
    #expect(try made.rows(.guessing, "episodes").first?["tries"] == 10)
  }

  @Test("guessing: a lockout ends it, and who gets in after the unlocking did not guess")
  func lockouts() throws {
    var made = MadeSignIns()
    for index in 0..<8 { try made.password("ann", right: false, at: index * 10) }
    try made.lockout("ann", at: 100)
    try made.unlock("ann", at: 200)
    try made.password("ann", right: true, at: 300)
    let rows = try made.rows(.guessing, "episodes")
    #expect(rows.count == 1 && rows.first?["outcome"] == "locked" && rows.first?["enteredAt"] == .null)
    // Tries before and after a lockout are counted apart.
    for second in [0, 10, 20, 30, 200, 210, 220, 230] { try made.password("bob", right: false, at: second) }
    try made.lockout("bob", at: 100)
    #expect(try outcomes(made) == ["ann locked"])
    for index in 0..<8 { try made.password("ann", right: false, at: 400 + index * 10) }
    try made.password("ann", right: true, at: 500)
    #expect(try outcomes(made) == ["ann locked", "ann succeeded"])
    // An unlocking by itself lets no one in.
    for index in 0..<8 { try made.password("cleo", right: false, at: 1_000 + index * 10) }
    try made.unlock("cleo", at: 1_100)
    #expect(try outcomes(made).last == "cleo stopped")
  }

  @Test("guessing: wrong codes after the right password count, and the last one lets in")
  func codes() throws {
    var made = MadeSignIns()
    try made.codes("ann", wrong: 9, right: true, at: 0)
    try made.codes("bob", wrong: 8, right: false, at: 0)
    try made.codes("cleo", wrong: 7, right: true, at: 0)
    #expect(try outcomes(made) == ["ann succeeded", "bob stopped"])
    let row = try made.rows(.guessing, "episodes").first
    #expect(row?["tries"] == 9 && row?["flow"] == "authn/codes-ann" && row?["places"] == 0 && row?["place"] == .null)
  }

  @Test("guessing that crosses the edge of the time is found from both sides, whole, and by its success")
  func span() throws {
    var made = MadeSignIns()
    for index in 0..<10 { try made.password("ann", right: false, at: index * 60, from: "198.51.100.\(index)") }
    try made.password("ann", right: true, at: 1_200, from: "203.0.113.9")
    let all = try made.rows(.guessing, "episodes")
    #expect(all.count == 1 && all.first?["tries"] == 10)
    for filter in [
      FlowFilter(until: try time(100)), FlowFilter(since: try time(500)), FlowFilter(since: try time(1_000)),
      FlowFilter(since: try time(100), until: try time(130)), FlowFilter(user: "ANN"),
      FlowFilter(place: "198.51.100.4"), FlowFilter(place: "203.0.113.9"),
    ] {
      #expect(try made.rows(.guessing, "episodes") { $0.filter = filter } == all, "\(filter)")
    }
    for filter in [
      FlowFilter(since: try time(1_300)), FlowFilter(until: try time(-1)), FlowFilter(user: "bob"),
      FlowFilter(place: "192.0.2.1"),
    ] {
      #expect(try made.rows(.guessing, "episodes") { $0.filter = filter }.isEmpty, "\(filter)")
    }
  }

  @Test("detections list guessing, with the account as entered if a success followed")
  func detections() throws {
    var made = MadeSignIns()
    for index in 0..<8 { try made.password("ann", right: false, at: index * 60, from: "198.51.100.7") }
    try made.password("ann", right: true, at: 600, from: "203.0.113.9")
    for index in 0..<9 { try made.password("bob", right: false, at: 5_000 + index * 60, from: nil) }
    let rows = try made.rows(.detections, "findings")
    #expect(rows.map { $0["rule"] } == ["guessing", "guessing"] && rows.map { $0["users"] } == ["ann", "bob"])
    #expect(rows.map { $0["entered"] } == ["yes", "no"] && rows.first?["place"] == "198.51.100.7")
    #expect(rows.map { $0["what"] } == ["8 wrong tries, then one succeeded", "9 wrong tries, none succeeded"])
    #expect(try made.rows(.detections, "findings") { $0.filter.user = "BOB" } == [rows[1]])
    #expect(try made.rows(.detections, "findings") { $0.thresholds.guessTries = 9 } == [rows[1]])
    // What was changed before the success is none of the attacker's.
    try made.unlock("ann", at: 500)
    try made.unlock("ann", at: 700)
    let changed = try made.rows(.detections, "changed")
    #expect(changed.count == 1 && changed.first?["flow"] == "authn/unlocked-ann-700")
  }
}

extension MadeSignIns {
  /// A sign-in by the right password and wrong codes of an app, three seconds apart, and then a right one or none.
  fileprivate mutating func codes(_ user: String, wrong count: Int, right: Bool, at second: Int) throws {
    let stream = "authn/codes-\(user)"
    var at = second * 1_000
    try log.add(stream, "flow.started", ["kind": "authn", "sdk": "s", "settings": [:]], after: at)
    try log.add(
      stream, "call.made",
      ["call": "authenticate", "arguments": ["username": .string(user), "password": "$secret.password.1$"]], after: at)
    let factors: JSON = [["type": "token:software:totp", "provider": "OKTA"]]
    try log.add(stream, "status.changed", ["status": "MFA_REQUIRED", "summary": ["factors": factors]], after: at + 100)
    for index in 0..<(count + (right ? 1 : 0)) {
      at += 3_000
      try log.add(
        stream, "call.made", ["call": "selectFactor", "arguments": ["factor": 0, "passCode": "$secret.passCode.1$"]],
        after: at)
      guard index < count else { break }
      try log.add(
        stream, "call.returned",
        [
          "call": 1, "outcome": "error", "error": "serverRespondedWithError",
          "details": ["errorCode": "E0000068", "httpStatus": 403],
        ], after: at + 200)
    }
    if right {
      try log.add(
        stream, "status.changed", ["status": "SUCCESS", "previous": "MFA_REQUIRED", "summary": [:]], after: at + 200)
    }
    try log.add(stream, "flow.ended", ["outcome": right ? "success" : "failed"], after: at + 200)
  }
}
