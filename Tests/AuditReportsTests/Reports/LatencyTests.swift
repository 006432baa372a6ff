import AuditReports
import EventStore
import FlowRecording
import Testing

/// Where the time of requests goes.
@Suite struct LatencyTests {
  /// A request that is answered after so many milliseconds, with what the transport says of it.
  private func add(_ timing: JSON?, _ body: JSON = [:], after: Int, to log: inout Written) throws {
    let stream = "authn/1"
    let position = log.records.count
    try log.add(
      stream, "request.sent", ["method": "POST", "url": "https://a.example/api/v1/authn", "headers": []])
    try log.add(
      stream, "response.received",
      .members([("status", 200), ("headers", []), ("body", body), ("timing", timing)]), after: after, cause: position)
  }

  private func report(_ log: Written) throws -> JSON {
    let request = ReportRequest(.latency, filter: FlowFilter(), now: Timestamp(microseconds: 0))
    return try request.report(on: log.facts).json["tables"] ?? .null
  }

  @Test("connection, org, answer and our own share are kept apart")
  func parts() throws {
    var log = Written()
    try log.add("authn/1", "flow.started", ["kind": "authn", "sdk": "s", "settings": [:]])
    // A new connection of 20 ms with TLS, 70 ms for the org, 5 ms for the answer, and 3 ms here.
    try add(
      ["lookup": 1_000, "connect": 9_000, "secured": 20_000, "firstByte": 90_000, "total": 95_000, "bytes": 9],
      after: 98, to: &log)
    // One that stood.
    try add(["firstByte": 40_000, "total": 41_000, "bytes": 9], after: 51, to: &log)
    // Answers of before, and one whose body looks like it.
    try add(nil, after: 10, to: &log)
    try add(nil, ["timing": ["total": 9, "bytes": 9]], after: 10, to: &log)
    let tables = try report(log)
    let rows = tables["parts"]?.array ?? []
    #expect(rows.count == 2 && tables["requests"]?.array?.first?["count"] == 4)
    for row in rows {
      #expect(row["count"] == 2 && row["connections"] == 1 && row["connectMs"] == 20)
      #expect(row["waitMs"] == 40 && row["waitP95Ms"] == 70 && row["receiveMs"] == 1)
      #expect(row["ownMs"] == 3 && row["ownP95Ms"] == 10)
    }
    // The facts of an index say the same.
    for flow in log.facts.flows {
      #expect(FlowFacts(bytes: flow.bytes[...]) == flow)
      #expect(FlowFacts(bytes: flow.bytes[...], parts: [])?.requests == 4)
    }
  }

  @Test("numbers that make no sense make none, and do not trap")
  func nonsense() throws {
    let numbers: [JSON] = [.int(.min), .int(.max), -1, 0, 7]
    var log = Written()
    try log.add("authn/1", "flow.started", ["kind": "authn", "sdk": "s", "settings": [:]])
    for number in numbers {
      for other in numbers {
        try add(
          ["connect": number, "secured": other, "firstByte": number, "total": other, "bytes": number], after: 5,
          to: &log)
      }
    }
    let row = try #require(try report(log)["parts"]?.array?.first)
    for name in ["connectMs", "waitMs", "receiveMs", "ownMs", "ownP95Ms"] {
      #expect(row[name] == .null || row[name]?.int.map { $0 >= 0 } == true, "\(name): \(row)")
    }
  }

  @Test("a log without any has an empty table")
  func none() throws {
    var log = Written()
    try log.add("authn/1", "flow.started", ["kind": "authn", "sdk": "s", "settings": [:]])
    try add(nil, after: 10, to: &log)
    #expect(try report(log)["parts"]?.array == [])
  }
}
