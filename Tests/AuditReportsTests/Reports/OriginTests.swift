import AuditReports
import EventStore
import FlowKinds
import FlowRecording
import Testing

/// From where accounts are used, and what devices they share.
@Suite struct OriginTests {
  private func time(_ second: Int) throws -> Timestamp {
    let start = try #require(Timestamp("2026-11-21T12:00:00Z"))
    return Timestamp(microseconds: start.microseconds + Int64(second) * 1_000_000)
  }

  private func texts(_ rows: [JSON], _ name: String) -> [String] { rows.map { $0[name]?.string ?? "-" } }

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

  @Test("overlaps: of many addresses and devices each stands beside the one from elsewhere that ended last")
  func manyOrigins() throws {
    struct Use {
      var start: Int
      var end: Int
      var address: String?
      var device: String?
      var stream: String
    }
    func differ(_ one: String?, _ other: String?) -> Bool { one != nil && other != nil && one != other }
    var made = MadeSignIns()
    var uses: [Use] = []
    for index in 0..<300 {
      let address = index % 3 == 0 ? nil : "198.51.100.\(index * 5 % 11)"
      let device = index % 4 == 0 ? nil : "d\(index * 3 % 7)"
      let (start, stream) = (index * 10, "authn/s\(made.log.records.count)")
      let end = start + 1 + index * 7 % 40
      try made.signIn("ann", at: start, for: end - start, from: address, on: device)
      uses.append(Use(start: start, end: end, address: address, device: device, stream: stream))
    }
    var pairs: [String] = []
    for (index, use) in uses.enumerated() {
      let near = uses[..<index].filter {
        use.start - $0.end <= 8 && (differ($0.address, use.address) || differ($0.device, use.device))
      }
      // Of two that ended at once, the later one.
      guard let end = near.map(\.end).max(), let before = near.last(where: { $0.end == end }) else { continue }
      pairs.append("\(before.stream) \(use.stream) \(max(0, use.start - end) * 1_000)")
    }
    let rows = try made.rows(.overlaps, "overlaps") { $0.thresholds.overlapSeconds = 8 }
    let found = rows.map { row in
      "\(row["flow"]?.string ?? "-") \(row["otherFlow"]?.string ?? "-") \(row["apartMs"]?.int ?? -1)"
    }
    #expect(found == pairs && pairs.count > 50)
  }

  @Test("a flow that is kept and begun again is a sign-in for each success, and nothing between them")
  func keptFlows() throws {
    var made = MadeSignIns()
    try made.kept("ann", at: [0, 28_800], on: "desk")
    try made.kept("ann", at: [14_400], on: "phone")
    #expect(try made.rows(.overlaps, "overlaps").isEmpty)
    try made.kept("Ann", at: [28_810], on: "phone")
    let rows = try made.rows(.overlaps, "overlaps")
    #expect(rows.count == 1 && rows[0]["apartMs"] == 5_000 && rows[0]["differs"] == "device", "\(rows)")
    #expect(rows[0]["device"] == "desk" && rows[0]["otherDevice"] == "phone")
    #expect(rows[0]["first"]?.string?.hasPrefix("2026-11-21T20:00:00") == true)
    // The last success of a person counts, and not when its flow began.
    try made.kept("bob", at: [0, 28_800], on: "desk")
    func quiet(_ seconds: Int) throws -> [JSON] {
      let now = try time(10 * 86_400)
      return try made.rows(.people, "quiet") {
        $0.now = now
        $0.thresholds.quietSeconds = seconds
      }
    }
    let last = 10 * 86_400 - 28_805
    #expect(try quiet(last + 10).isEmpty && texts(quiet(last - 1), "user") == ["bob"])
    #expect(try quiet(last - 1)[0]["lastSuccess"]?.string?.hasPrefix("2026-11-21T20:00:05") == true)
    // Facts that an index keeps and goes on with are those of the whole log.
    for flow in made.log.facts.flows {
      let records = made.log.records.filter { $0.stream == flow.stream }
      var facts = FlowFacts(startingWith: records[0], kinds: .standard)
      for record in records.dropFirst() {
        facts = try #require(FlowFacts(bytes: facts.bytes[...]))
        facts.add(record, .standard)
      }
      #expect(facts == flow && FlowFacts(bytes: facts.bytes[...], parts: [])?.successes.isEmpty == true)
      #expect(FlowFacts(bytes: facts.bytes[...], parts: .successes)?.successes == flow.successes)
    }
    #expect(made.log.facts.flows.map(\.successes.count).sorted() == [1, 1, 2, 2])
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
}
