import AuditReports
import EventStore
import FlowRecording
import SimulatedCompany
import Testing

/// A filter chooses what is shown. What is usual, whose tokens they are and what became of them stands in the whole log.
@Suite struct HistoryTests {
  private func time(_ second: Int) throws -> Timestamp {
    let start = try #require(Timestamp("2026-11-21T12:00:00Z"))
    return Timestamp(microseconds: start.microseconds + Int64(second) * 1_000_000)
  }

  @Test("theft: the holder is who the tokens were issued to, however long before the time that is asked for")
  func theft() throws {
    var made = MadeSignIns()
    try made.token("a", "issued", at: 0, device: "phone", address: "198.51.100.1")
    try made.token("a", "refreshed", at: 100, device: "phone", address: "198.51.100.1")
    try made.token("a", "refreshed", at: 5_000, device: "laptop", address: "203.0.113.7")
    try made.token("a", "refreshed", at: 6_000, device: "phone", address: "198.51.100.1")
    for since in [0, 4_000, 5_000] {
      let rows = try made.rows(.theft, "findings") { $0.filter.since = try? time(since) }
      #expect(rows.count == 1 && rows.first?["device"] == "laptop" && rows.first?["ownDevice"] == "phone", "\(since)")
      #expect(rows.first?["heldSince"] == "yes")
    }
    #expect(try made.rows(.theft, "findings") { $0.filter.since = try? time(5_001) }.isEmpty)
    #expect(try made.rows(.theft, "findings") { $0.filter.until = try? time(4_999) }.isEmpty)
    #expect(try made.rows(.theft, "findings") { $0.filter.until = try? time(5_000) }.count == 1)
  }

  @Test("theft: asked about the victim, it is found, though renewals name no one")
  func theftOfPerson() throws {
    let company = try CompanyFolder(seed: 24, flows: 700)
    let facts = try withExtendedLifetime(company) { try LogFacts.reading([LogReader(directory: company.path)]) }
    let planted = company.incidents.filter { $0.kind == .theft }
    #expect(!planted.isEmpty)
    for incident in planted {
      for since in [nil, incident.first] {
        let filter = FlowFilter(user: incident.user, since: since)
        let report = try ReportRequest(.theft, filter: filter, now: incident.last).report(on: facts)
        let rows = report.json["tables"]?["findings"]?.array ?? []
        #expect(rows.count == 1 && rows.first?["place"]?.string == incident.place, "\(rows)")
      }
    }
    let other = FlowFilter(user: "nobody@acme.example")
    let none = try ReportRequest(.theft, filter: other, now: .now()).report(on: facts)
    #expect(none.json["tables"]?["findings"]?.array?.isEmpty == true)
  }

  @Test("places: a device that was used before is not new because one asks from later on")
  func places() throws {
    var made = MadeSignIns()
    for index in 0..<4 { try made.password("ann", right: true, at: index * 1_000, from: "198.51.100.\(index % 2)") }
    try made.password("ann", right: true, at: 9_000, from: "203.0.113.5")
    #expect(try made.rows(.places, "new").count == 2)
    let rows = try made.rows(.places, "new") { $0.filter.since = try? time(1_500) }
    #expect(rows.compactMap { $0["place"]?.string } == ["203.0.113.5"])
    let places = try made.rows(.places, "places") { $0.filter.since = try? time(1_500) }
    #expect(places.compactMap { $0["signIns"]?.int }.reduce(0, +) == 3)
    // A flow that says nothing of where it came from is from no new place.
    try made.password("ann", right: true, at: 9_100, from: nil)
    #expect(try made.rows(.places, "new").count == 2)
  }

  @Test("lockouts: wrong passwords before, and the unlocking after, the time that is asked for")
  func lockouts() throws {
    var made = MadeSignIns()
    for index in 0..<4 { try made.password("ann", right: false, at: index * 60, from: nil) }
    try made.lockout("ann", at: 300)
    try made.unlock("ann", at: 4_000)
    for filter in [FlowFilter(), FlowFilter(since: try time(299), until: try time(301)), FlowFilter(user: "ANN")] {
      let rows = try made.rows(.lockouts, "lockouts") { $0.filter = filter }
      #expect(rows.count == 1 && rows.first?["wrongPasswords"] == 4, "\(rows)")
      #expect(rows.first?["unlockedAt"]?.string?.hasPrefix("2026-11-21T13:06:40") == true, "\(rows)")
    }
    #expect(try made.rows(.lockouts, "lockouts") { $0.filter.since = try? time(301) }.isEmpty)
  }

  @Test("lockouts: a wrong password, and an account that was never locked, are none")
  func noLockouts() throws {
    var made = MadeSignIns()
    for index in 0..<9 { try made.password("ann", right: index == 8, at: index * 60, from: nil) }
    try made.unlock("bob", at: 100)
    #expect(try made.rows(.lockouts, "lockouts").isEmpty)
  }

  @Test("lockouts: an account that the same flow enters later is locked no more")
  func lockoutOfKept() throws {
    var made = MadeSignIns()
    let stream = "authn/kept"
    let call: JSON = ["call": "authenticate", "arguments": ["username": "ann", "password": "$secret.password.1$"]]
    try made.log.add(stream, "flow.started", ["kind": "authn", "sdk": "s", "settings": [:]], after: 300_000)
    try made.log.add(stream, "call.made", call, after: 300_000)
    try made.log.add(stream, "status.changed", ["status": "LOCKED_OUT", "summary": [:]], after: 301_000)
    try made.log.add(stream, "flow.ended", ["outcome": "lockedOut"], after: 302_000)
    #expect(try made.rows(.lockouts, "locked").count == 1)
    try made.log.add(stream, "call.made", call, after: 4_000_000)
    try made.log.add(stream, "status.changed", ["status": "SUCCESS", "summary": [:]], after: 4_000_000)
    try made.log.add(stream, "flow.ended", ["outcome": "success"], after: 4_000_000)
    #expect(try made.rows(.lockouts, "locked").isEmpty)
    let rows = try made.rows(.lockouts, "lockouts")
    #expect(rows.count == 1 && rows.first?["enteredAt"]?.string?.hasPrefix("2026-11-21T13:06:40") == true, "\(rows)")
  }

  @Test("lockouts: a flow that unlocks the account that it found locked is listed as an unlocking")
  func unlockedByItself() throws {
    var made = MadeSignIns()
    let stream = "authn/kept"
    let call: JSON = ["call": "authenticate", "arguments": ["username": "ann", "password": "$secret.password.1$"]]
    let unlock: JSON = ["call": "unlockAccount", "arguments": ["username": "ann"]]
    try made.log.add(stream, "flow.started", ["kind": "authn", "sdk": "s", "settings": [:]], after: 300_000)
    try made.log.add(stream, "call.made", call, after: 300_000)
    try made.log.add(stream, "status.changed", ["status": "LOCKED_OUT", "summary": [:]], after: 301_000)
    try made.log.add(stream, "flow.ended", ["outcome": "lockedOut"], after: 302_000)
    #expect(try made.rows(.lockouts, "unlocked").isEmpty)
    try made.log.add(stream, "call.made", unlock, after: 900_000)
    try made.log.add(stream, "status.changed", ["status": "SUCCESS", "summary": [:]], after: 960_000)
    try made.log.add(stream, "flow.ended", ["outcome": "success"], after: 961_000)
    let rows = try made.rows(.lockouts, "unlocked")
    #expect(rows.count == 1 && rows.first?["lockedMs"] == 659_000 && rows.first?["flow"] == "authn/kept", "\(rows)")
    #expect(rows.first?["lockedAt"]?.string?.hasPrefix("2026-11-21T12:05:01") == true, "\(rows)")
    #expect(try made.rows(.lockouts, "locked").isEmpty)
  }

  @Test("summary and user: one person in two spellings is one")
  func spellingsOfOne() throws {
    var made = MadeSignIns()
    try made.password("Ann", right: false, at: 0)
    try made.password("ann", right: true, at: 60)
    try made.log.add("authn/2", "status.changed", ["status": "SUCCESS", "summary": ["user": "ANN"]], after: 61_000)
    let summary = try SignInSummary(made.log.facts)
    #expect(summary.users.map(\.name) == ["ann"] && summary.users.map(\.number) == [2])
    let names = try made.rows(.user, "names") { $0.filter.user = "aNN" }
    #expect(names.count == 1 && names.first?["name"] == "ann" && names.first?["count"] == 2, "\(names)")
  }

  @Test("failures: one person in two spellings is one, and the page of a report says its zone")
  func spellings() throws {
    var made = MadeSignIns()
    try made.password("Ann", right: false, at: 0)
    try made.password("ann", right: false, at: 60)
    let rows = try made.rows(.failures, "users")
    #expect(rows.count == 1 && rows.first?["user"] == "ann" && rows.first?["failed"] == 2, "\(rows)")
    let zone = try #require(Zone("Europe/Berlin"))
    let report = try ReportRequest(.signIns, filter: FlowFilter(), now: time(0)).report(on: made.log.facts)
    let html = report.rendered(as: .html, zone: zone)
    #expect(html.contains("<caption>Sign-ins (Europe/Berlin)</caption>"))
    // Days stay on one line, and numbers alone are at the right.
    #expect(html.contains("<th scope=\"row\"><span class=\"whole\">2026-11-21<") && html.contains("<td>ann</td>"))
    #expect(html.contains("<th scope=\"col\" class=\"number\">took</th>"))
  }

  @Test("tokens: those of the time that is asked for, with their whole lives")
  func tokens() throws {
    var made = MadeSignIns()
    try made.token("a", "issued", at: 0, device: nil, address: nil, ["scope": "openid"])
    try made.token("a", "refreshed", at: 1_000, device: nil, address: nil)
    try made.token("a", "revoked", at: 2_000, device: nil, address: nil, ["hint": "refresh_token"])
    try made.token("b", "issued", at: 3_000, device: nil, address: nil)
    let rows = try made.rows(.tokens, "tokens") {
      $0.filter = FlowFilter(since: try? time(900), until: try? time(1_100))
    }
    #expect(rows.count == 1 && rows.first?["id"] == "a" && rows.first?["status"] == "revoked")
    #expect(rows.first?["began"]?.string?.hasPrefix("2026-11-21T12:00:00") == true && rows.first?["scope"] == "openid")
    #expect(rows.first?["renewed"] == 1)
    // A sign-in that was refused brought no tokens, and says nothing of others.
    try made.log.add("oidc/refused", "flow.started", ["kind": "oidc", "sdk": "s", "settings": [:]], after: 1_000_000)
    try made.log.add("oidc/refused", "token.refused", ["operation": "signIn"], after: 1_000_000)
    let same = try made.rows(.tokens, "tokens") {
      $0.filter = FlowFilter(since: try? time(900), until: try? time(1_100))
    }
    #expect(same.compactMap { $0["id"]?.string } == ["a"])
    #expect(try made.rows(.tokens, "tokens").count == 2)
    #expect(
      try made.rows(.tokens, "tokens") { $0.filter.since = try? time(2_500) }.compactMap { $0["id"]?.string } == ["b"])
  }

  @Test("tokens: those that are good still come first")
  func goodTokens() throws {
    var made = MadeSignIns()
    let renewable: JSON = ["expiresIn": 60, "scope": "openid offline_access"]
    try made.token("a", "issued", at: 0, device: nil, address: nil, ["expiresIn": 60])
    try made.token("b", "issued", at: 10, device: nil, address: nil, renewable)
    try made.token("c", "issued", at: 20, device: nil, address: nil)
    try made.token("c", "revoked", at: 30, device: nil, address: nil, ["hint": "refresh_token"])
    try made.token("d", "issued", at: 40, device: nil, address: nil)
    let rows = try made.rows(.tokens, "tokens") { $0.asOf = try? time(1_000) }
    #expect(rows.compactMap { $0["id"]?.string } == ["b", "d", "a", "c"])
    #expect(rows.compactMap { $0["status"]?.string } == ["renewable", "active", "expired", "revoked"])
    let early = try made.rows(.tokens, "tokens") { $0.asOf = try? time(25) }
    #expect(early.compactMap { $0["id"]?.string } == ["a", "b", "c"])
  }

  @Test("tokens, sessions: a note says as of when, in the report's zone", arguments: [ReportName.tokens, .sessions])
  func asOfWhen(name: ReportName) throws {
    var request = ReportRequest(name, filter: FlowFilter(), now: try time(7_200))
    request.zone = try #require(Zone("+01:00"))
    let facts = MadeSignIns().log.facts
    #expect(try request.report(on: facts).notes.last?.contains(" by 2026-11-21T15:00:00.000000+01:00, they") == true)
    request.asOf = try time(0)
    #expect(try request.report(on: facts).notes.last?.contains(" by 2026-11-21T13:00:00.000000+01:00, they") == true)
  }

  @Test("tokens: what was revoked after the clock was put back is revoked, and used after its end")
  func clockPutBack() throws {
    var made = MadeSignIns()
    try made.token("a", "issued", at: 0, device: "phone", address: "198.51.100.1", ["scope": "openid"])
    try made.token("a", "refreshed", at: 7_000, device: "phone", address: "198.51.100.1", ["expiresIn": 3_600])
    // An hour back.
    try made.token("a", "revoked", at: 3_500, device: "phone", address: "198.51.100.1", ["hint": "refresh_token"])
    let rows = try made.rows(.tokens, "tokens")
    #expect(rows.count == 1 && rows.first?["status"] == "revoked" && rows.first?["last"] == "revoked", "\(rows)")
    #expect(rows.first?["lastAt"]?.string?.hasPrefix("2026-11-21T12:58:20") == true, "\(rows)")
    #expect(try made.rows(.theft, "findings").isEmpty)
    try made.token("a", "refused", at: 3_600, device: "phone", address: "203.0.113.7")
    let findings = try made.rows(.theft, "findings")
    #expect(findings.count == 1 && findings.first?["cause"] == "after their end", "\(findings)")
    #expect(try made.rows(.tokens, "tokens").first?["lastPlace"] == "203.0.113.7")
    // The facts that an index keeps have the order too.
    for flow in made.log.facts.flows {
      #expect(FlowFacts(bytes: flow.bytes[...])?.tokens.map(\.position) == flow.tokens.map(\.position))
    }
    #expect(made.log.facts.flows.flatMap { $0.tokens.map(\.position) } == [1, 3, 5, 7])
  }

  @Test("sessions: what a flow goes on with after a time does not take away what it had brought by then")
  func sessionsAsOf() throws {
    var made = MadeSignIns()
    let stream = "authn/kept"
    func signIn(at second: Int) throws {
      let call: JSON = ["call": "authenticate", "arguments": ["username": "ann", "password": "$secret.password.1$"]]
      let summary: JSON = ["sessionToken": "$secret.sessionToken.1$"]
      try made.log.add(stream, "call.made", call, after: second * 1_000)
      try made.log.add(stream, "status.changed", ["status": "SUCCESS", "summary": summary], after: second * 1_000)
      try made.log.add(stream, "flow.ended", ["outcome": "success"], after: second * 1_000)
    }
    try made.log.add(stream, "flow.started", ["kind": "authn", "sdk": "s", "settings": [:]])
    try signIn(at: 60)
    try made.log.add(stream, "shop.noted", ["text": "x"], after: 4_000_000)
    for (asOf, clock) in [(59, nil), (60, "12:01:00"), (3_600, "12:01:00"), (8_000, "12:01:00")] as [(Int, String?)] {
      let rows = try made.rows(.sessions, "sessions") { $0.asOf = try? time(asOf) }
      #expect(rows.map { $0["at"]?.string?.contains(clock ?? "-") } == (clock == nil ? [] : [true]), "\(rows)")
    }
    try signIn(at: 7_200)
    for (asOf, clock) in [(3_600, "12:01:00"), (7_200, "14:00:00")] {
      let rows = try made.rows(.sessions, "sessions") { $0.asOf = try? time(asOf) }
      #expect(rows.count == 1 && rows.first?["at"]?.string?.contains(clock) == true, "\(rows)")
    }
  }

  @Test("user: the renewals of a person's tokens are the person's, and what became of the tokens is said to the end")
  func user() throws {
    var made = MadeSignIns()
    try made.password("ann", right: true, at: 0)
    let stream = "authn/1"
    try made.log.add(stream, "token.issued", ["id": "a"], after: 300)
    try made.token("a", "refreshed", at: 1_000, device: nil, address: nil)
    try made.token("a", "refused", at: 5_000, device: nil, address: nil)
    try made.token("b", "issued", at: 6_000, device: nil, address: nil)
    let flows = try made.rows(.user, "flows") { $0.filter.user = "Ann" }
    #expect(flows.compactMap { $0["flow"]?.string } == ["authn/1", "oidc/2", "oidc/3"])
    // A flow that names another is of that person, whatever tokens it had to do with.
    try made.password("bob", right: true, at: 7_000)
    try made.log.add("authn/5", "token.introspected", ["id": "a"], after: 7_000_300)
    #expect(try made.rows(.user, "flows") { $0.filter.user = "ann" }.count == 3)
    let tokens = try made.rows(.user, "tokens") { $0.filter = FlowFilter(user: "ann", until: try? time(2_000)) }
    #expect(tokens.count == 1 && tokens.first?["status"] == "refused")
    let early = try made.rows(.user, "flows") { $0.filter = FlowFilter(user: "ann", until: try? time(2_000)) }
    #expect(early.count == 2)
    #expect(try made.rows(.tokens, "tokens") { $0.filter.user = "ann" }.compactMap { $0["id"]?.string } == ["a"])
  }
}

extension MadeSignIns {
  /// A sign-in that meets a locked account.
  mutating func lockout(_ user: String, at second: Int) throws {
    let stream = "authn/locked-\(user)-\(second)"
    try begin(stream, user, "authenticate", at: second)
    try log.add(stream, "status.changed", ["status": "LOCKED_OUT", "summary": [:]], after: second * 1_000)
    try log.add(stream, "flow.ended", ["outcome": "lockedOut"], after: second * 1_000)
  }

  /// An account that is unlocked.
  mutating func unlock(_ user: String, at second: Int) throws {
    let stream = "authn/unlocked-\(user)-\(second)"
    try begin(stream, user, "unlockAccount", at: second)
    try log.add(stream, "status.changed", ["status": "SUCCESS", "summary": [:]], after: second * 1_000)
    try log.add(stream, "flow.ended", ["outcome": "success"], after: second * 1_000)
  }

  private mutating func begin(_ stream: String, _ user: String, _ call: String, at second: Int) throws {
    try log.add(stream, "flow.started", ["kind": "authn", "sdk": "s", "settings": [:]], after: second * 1_000)
    try log.add(
      stream, "call.made", ["call": .string(call), "arguments": ["username": .string(user)]], after: second * 1_000)
  }
}
