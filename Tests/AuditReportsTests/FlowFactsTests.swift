import AuditReports
import EventStore
import Testing

/// Makes the records of a log without a disk.
struct Written {
  var records: [StoredRecord] = []
  private var revisions: [[UInt8]: Int] = [:]

  /// Adds a record, `after` milliseconds into 2026-11-21T12:00:00Z.
  mutating func add(
    _ stream: String, _ type: String, _ data: JSON = [:], after: Int = 0, cause: Int? = nil
  ) throws {
    let revision = revisions[Array(stream.utf8), default: 0]
    revisions[Array(stream.utf8)] = revision + 1
    let start = try #require(Timestamp("2026-11-21T12:00:00Z"))
    let at = Timestamp(microseconds: start.microseconds + Int64(after) * 1_000)
    let line =
      #"{"n":\#(records.count),"at":"\#(at)","stream":"\#(stream)","rev":\#(revision),"type":"\#(type)","v":1,"#
      + (cause.map { "\"cause\":\($0)," } ?? "") + #""data":\#(data.text)}"#
    records.append(try StoredRecord(line: Array(line.utf8)))
  }

  var facts: LogFacts {
    var facts = LogFacts()
    for record in records { facts.add(record) }
    return facts
  }
}

@Suite struct FlowFactsTests {
  @Test("names that Unicode takes as equal are two flows, and each is found by its bytes")
  func canonicallyEqualNames() throws {
    let (composed, decomposed) = ("authn/caf\u{E9}", "authn/cafe\u{301}")
    var log = Written()
    for stream in [composed, decomposed, composed] { try log.add(stream, "flow.started", ["kind": "authn"]) }
    let names = log.facts.flows.map { Array($0.stream.utf8) }
    #expect(names == [Array(composed.utf8), Array(decomposed.utf8)] && log.facts.prunedFlows == 0)
    for name in [composed, decomposed] {
      guard case .one(let found) = FlowReference.match(name, in: [composed, decomposed]) else {
        Issue.record("\(name) is not found")
        continue
      }
      #expect(Array(found.utf8) == Array(name.utf8))
    }
    #expect(FlowReference.match("authn/c", in: [composed, decomposed]) == .several(count: 2))
  }

  private func log() throws -> Written {
    var log = Written()
    try log.add("log", "log.opened", ["store": "x"])
    try log.add("authn/01A", "flow.started", ["kind": "authn", "sdk": "s", "settings": [:]])
    try log.add("authn/01A", "call.made", ["call": "authenticate", "arguments": ["username": "ann"]])
    try log.add("app/1", "note", ["a": 1])
    try log.add("authn/01A", "request.sent", ["method": "POST"], after: 1)
    try log.add("authn/01A", "response.received", ["status": 429, "headers": []], after: 5)
    try log.add(
      "authn/01A", "status.changed",
      ["status": "MFA_CHALLENGE", "summary": ["user": "ann@acme.example", "factors": [["type": "push"]]]], after: 6)
    try log.add(
      "authn/01A", "call.returned",
      ["call": 1, "outcome": "error", "error": "serverRespondedWithError", "details": ["errorCode": "E0000047"]],
      after: 7)
    try log.add("authn/01A", "body.part", ["text": "x"], after: 7)
    try log.add("authn/01A", "flow.ended", ["outcome": "failed"], after: 40)
    try log.add("log", "log.gap", ["lost": 12, "flows": ["authn/0"]])
    return log
  }

  @Test("the facts of a flow are user, status, duration, outcome, factors and errors")
  func facts() throws {
    let facts = try log().facts
    #expect(facts.flows.map(\.stream) == ["authn/01A", "app/1"])
    let flow = try #require(facts.flows.first)
    #expect(flow.user == "ann" && flow.status == "MFA_CHALLENGE" && flow.outcome == "failed")
    #expect(flow.durationMilliseconds == 40 && flow.events == 7)
    #expect(flow.factors == ["push"] && flow.errors == ["E0000047": 1])
    #expect(flow.requests == 1 && flow.rateLimited == 1 && flow.isFlow)
    #expect(facts.flows.last?.isFlow == false && facts.flows.last?.outcome == "open")
    #expect(facts.gaps == 1 && facts.lostEvents == 12)
  }

  @Test("data that cannot be read leaves the other facts")
  func unreadable() throws {
    var log = Written()
    try log.add("authn/01A", "flow.started", ["kind": 7])
    try log.add("authn/01A", "status.changed", ["status": [], "summary": "x"])
    try log.add("authn/01A", "call.returned", ["outcome": "error"])
    let flow = try #require(log.facts.flows.first)
    #expect(flow.kind == "authn" && flow.status == nil && flow.errors == ["unknown": 1])
  }

  @Test("control characters of data do not reach a terminal, nor any other column out of line")
  func hostile() throws {
    var log = Written()
    try log.add("authn/01A", "flow.started", ["kind": "authn", "sdk": "s", "settings": [:]])
    try log.add(
      "authn/01A", "call.made", ["call": "authenticate", "arguments": ["username": "\u{1B}]0;x\u{07}<script>,\"=1+1"]])
    let flows = log.facts.flows
    let table = FlowTable.lines(flows, among: flows)
    #expect(table.allSatisfy { line in line.columns <= 80 && !line.unicodeScalars.contains { $0.value < 0x20 } })
    let summary = try SignInSummary(log.facts)
    let html = summary.rendered(as: .html)
    #expect(!html.contains("<script") && html.contains("&lt;script&gt;"))
    #expect(summary.rendered(as: .csv).contains("\"\\u001b]0;x\\u0007<script>,\"\"=1+1\""))
    let line = try #require(try TimeLine(log.records))
    #expect(line.lines().allSatisfy { !$0.unicodeScalars.contains { $0.value < 0x20 } })
  }

  @Test("percentiles are of the flows that ended, by nearest rank")
  func percentiles() throws {
    var log = Written()
    for number in 1...20 {
      try log.add("authn/\(number)", "flow.started", ["kind": "authn", "sdk": "s", "settings": [:]])
      try log.add("authn/\(number)", "flow.ended", ["outcome": "success"], after: number * 10)
    }
    let summary = try SignInSummary(log.facts)
    #expect(summary.flows == 20 && summary.medianMilliseconds == 100 && summary.p95Milliseconds == 190)
    #expect(summary.outcomes.map(\.name) == ["success"] && summary.outcomes.map(\.number) == [20])
    #expect(try SignInSummary(LogFacts()).medianMilliseconds == nil)
  }

  @Test("filters go by user, status or outcome, kind, and time of start")
  func filters() throws {
    let flow = try #require(try log().facts.flows.first)
    #expect(FlowFilter(user: "ANN@acme.example").passes(flow) && FlowFilter(user: "Ann").passes(flow))
    #expect(!FlowFilter(user: "bob").passes(flow))
    #expect(FlowFilter(status: "mfa_challenge").passes(flow) && FlowFilter(status: "FAILED").passes(flow))
    #expect(!FlowFilter(kind: "idx").passes(flow) && FlowFilter().isEmpty)
    var written = Written()
    let app: JSON = ["app": ["name": "MyPortal Portal", "version": "4.1"]]
    try written.add("authn/01B", "flow.started", ["kind": "authn", "sdk": "s", "settings": [:], "context": app])
    let named = try #require(written.facts.flows.first)
    #expect(FlowFilter(client: "Portal 4.1").passes(named) && FlowFilter(client: "portal").passes(named))
    #expect(!FlowFilter(client: "ortal").passes(named))
    let later = Timestamp(microseconds: flow.started.microseconds + 1)
    #expect(!FlowFilter(since: later).passes(flow) && FlowFilter(until: later).passes(flow))
  }

  @Test("a filter by place finds address, device and host, whichever of them the flow is counted under")
  func placeFilter() throws {
    var log = Written()
    let context: JSON = ["client": ["address": "192.0.2.7"], "device": "d-1", "instance": "web-4"]
    try log.add("authn/1", "flow.started", ["kind": "authn", "sdk": "s", "settings": [:], "context": context])
    let flow = try #require(log.facts.flows.first)
    for place in ["192.0.2.*", "D-1", "web-4", "WEB-*"] { #expect(FlowFilter(place: place).passes(flow), "\(place)") }
    #expect(!FlowFilter(place: "web").passes(flow))
  }

  @Test("flows whose beginning was pruned are not counted, and a note says how many")
  func withoutBeginning() throws {
    var log = Written()
    for _ in 0..<2 {
      for stream in ["authn/1", "authn/2"] { try log.add(stream, "flow.started", ["kind": "authn"]) }
    }
    #expect(try log.facts.notes == [])
    log.records.removeFirst()
    #expect(try log.facts.notes == ["1 flow without its beginning is not counted."])
    log.records.removeFirst()
    #expect(try log.facts.notes == ["2 flows without their beginning are not counted."])
    #expect(log.facts.flows.isEmpty)
  }

  @Test("names find a flow by stream, id, or a beginning that fits one only")
  func references() {
    let streams = ["authn/01ABCD", "authn/01ABXY", "idx/01ZZ"]
    #expect(FlowReference.match("authn/01ABCD", in: streams) == .one("authn/01ABCD"))
    #expect(FlowReference.match("01abc", in: streams) == .one("authn/01ABCD"))
    #expect(FlowReference.match("idx", in: streams) == .one("idx/01ZZ"))
    #expect(FlowReference.match("01AB", in: streams) == .several(count: 2))
    #expect(FlowReference.match("02", in: streams) == .none)
    #expect(FlowReference.shortLength(of: ["01ABCDEFGHJK", "01ABCDEFGHXY"]) == 11)
    #expect(FlowReference.shortLength(of: ["01A"]) == 8)
  }
}
