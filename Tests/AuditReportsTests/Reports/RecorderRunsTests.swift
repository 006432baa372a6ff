import EventStore
import FlowRecording
import Foundation
import Testing

@testable import AuditReports

/// When recorders ran, and when they did not, as `report integrity` says it.
@Suite struct RecorderRunsTests {
  private var made = MadeSignIns()

  private mutating func add(_ event: String, at second: Int, heartbeat: Int? = nil) throws {
    let data: JSON = .members([
      ("sdk", event == "started" ? "FlowRecorder/9" : nil), ("heartbeat", heartbeat.map(JSON.int)),
    ])
    try made.log.add("log", "recorder." + event, data, after: second * 1_000)
  }

  private func runs(_ change: (inout ReportRequest) -> Void = { _ in }) throws -> [String] {
    try made.rows(.integrity, "runs", change).map { row in
      "\(Self.clock(row["started"])) \(Self.clock(row["last"])) \(row["end"]?.string ?? "")"
    }
  }

  private func outages(_ change: (inout ReportRequest) -> Void = { _ in }) throws -> [String] {
    try made.rows(.integrity, "outages", change).map { row in
      "\(Self.clock(row["from"])) \(Self.clock(row["to"])) \(row["milliseconds"]?.int ?? -1) \(row["why"]?.string ?? "")"
    }
  }

  private static func clock(_ time: JSON?) -> Substring { (time?.string ?? "").dropFirst(11).prefix(8) }

  @Test("stopped, died, silent and open are kept apart")
  mutating func kinds() throws {
    try add("started", at: 0, heartbeat: 60_000)
    for second in [60, 120] { try add("heartbeat", at: second) }
    try add("stopped", at: 150)
    try add("started", at: 3_600, heartbeat: 60_000)
    try add("heartbeat", at: 3_660)
    try add("heartbeat", at: 3_900)  // four minutes in which nothing says that it ran
    try add("started", at: 7_200, heartbeat: 60_000)
    try add("heartbeat", at: 7_320)  // one that came late is no outage
    #expect(try runs() == ["12:00:00 12:02:30 stopped", "13:00:00 13:05:00 died", "14:00:00 14:02:00 open"])
    #expect(
      try outages() == [
        "12:02:30 13:00:00 3450000 stopped", "13:01:00 13:05:00 240000 silent", "13:05:00 14:00:00 3300000 died",
      ])
    #expect(try made.rows(.integrity, "runs").first?["heartbeatMilliseconds"]?.int == 60_000)
    #expect(try made.rows(.integrity, "runs").first?["version"]?.string == "FlowRecorder/9")
  }

  @Test("a run that died, and one that is open, went on up to its last record; one that stopped did not")
  mutating func records() throws {
    try add("started", at: 0, heartbeat: 600_000)
    try add("heartbeat", at: 60)
    try made.password("ann@acme.example", right: true, at: 90)
    try add("started", at: 600, heartbeat: 600_000)
    try made.password("ann@acme.example", right: true, at: 610)
    try add("stopped", at: 620)
    try made.password("ann@acme.example", right: true, at: 630)
    try add("started", at: 1_200, heartbeat: 600_000)
    try made.password("ann@acme.example", right: true, at: 1_230)
    #expect(try runs() == ["12:00:00 12:01:30 died", "12:10:00 12:10:20 stopped", "12:20:00 12:20:30 open"])
    #expect(try outages() == ["12:01:30 12:10:00 509800 died", "12:10:20 12:20:00 580000 stopped"])
  }

  @Test("flows that were recorded between two late heartbeats show that the recorder ran")
  mutating func recordsBetween() throws {
    try add("started", at: 0, heartbeat: 60_000)
    for second in stride(from: 100, through: 500, by: 100) {
      try made.password("ann@acme.example", right: true, at: second)
    }
    try add("heartbeat", at: 600)
    #expect(try outages().isEmpty)
    // What lies before, between and behind them may be too long by itself.
    try made.password("ann@acme.example", right: true, at: 800)
    try made.password("ann@acme.example", right: true, at: 1_100)
    try add("stopped", at: 1_400)
    #expect(
      try outages() == [
        "12:10:00 12:13:20 200000 silent", "12:13:20 12:18:20 299800 silent", "12:18:20 12:23:20 299800 silent",
      ])
  }

  @Test("the same is read from a log of which the recorder's events alone are known")
  func recordsBetweenInLog() throws {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("runs-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    let log = try EventLog.open(at: path, options: EventLog.Options(durability: .os))
    func record(_ stream: String, _ type: String, _ data: String = "{}", at second: Int64) -> NewRecord {
      NewRecord(
        at: Timestamp(microseconds: second * 1_000_000), stream: stream, type: type, data: Array(data.utf8))
    }
    var records = [record("log", "recorder.started", #"{"heartbeat":60000,"sdk":"s"}"#, at: 1_000)]
    for second: Int64 in [1_100, 1_200, 1_500] { records.append(record("app/1", "shop.opened", at: second)) }
    for second: Int64 in [1_600, 1_650] { records.append(record("log", "recorder.heartbeat", at: second)) }
    records.append(record("app/1", "shop.opened", at: 1_700))
    _ = try log.append(records)
    try log.close()
    let reader = try LogReader(directory: path)
    let known = try reader.keptRecords(of: LogFacts.ownStream).compactMap(OwnEvent.init)
    let alone = RecorderRuns(try known.withRecords(of: reader, before: reader.size()))
    let all = RecorderRuns(try LogFacts.reading([reader]).own)
    #expect(alone.outages.map(\.span) == all.outages.map(\.span))
    #expect(alone.outages.map { [$0.span.from, $0.span.to].map { $0.microseconds / 1_000_000 } } == [[1_200, 1_500]])
    #expect(alone.runs.map(\.last) == all.runs.map(\.last))
  }

  @Test("a time that is asked for chooses the runs and outages that it touches")
  mutating func filter() throws {
    for start in [0, 1_000, 2_000] {
      try add("started", at: start, heartbeat: 600_000)
      try add("stopped", at: start + 500)
    }
    let asked = Timestamp("2026-11-21T12:18:00Z")  // 1,080 s
    #expect(try runs { $0.filter.since = asked }.count == 2)
    #expect(try runs { $0.filter.until = asked }.count == 2)
    #expect(try outages { $0.filter.since = asked } == ["12:25:00 12:33:20 500000 stopped"])
    #expect(try outages { $0.filter.until = asked } == ["12:08:20 12:16:40 500000 stopped"])
  }

  @Test("no promise, no silence; what was pruned, a clock that was set back and forged numbers are no outages")
  mutating func odd() throws {
    try add("heartbeat", at: 0)  // its beginning is pruned
    try add("stopped", at: 5)
    try add("started", at: 10)
    try add("heartbeat", at: 100_000)
    try add("stopped", at: 90_000)
    try add("started", at: 50_000, heartbeat: -1)
    try add("heartbeat", at: 900_000)
    try add("started", at: 900_001, heartbeat: Int.max)
    try add("stopped", at: 900_001)
    #expect(try runs().map { $0.split(separator: " ").last } == ["stopped", "stopped", "died", "stopped"])
    #expect(
      try outages().map { $0.split(separator: " ").dropFirst(2).joined(separator: " ") } == [
        "5000 stopped", "1000 died",
      ])
  }

  @Test("without a recorder the tables are empty")
  func none() throws {
    #expect(try runs().isEmpty && outages().isEmpty)
  }

  @Test("stores are apart: the end of one is no outage of the other")
  func stores() throws {
    func event(_ store: String, _ type: String, _ second: Int64) -> OwnEvent {
      OwnEvent(store: store, at: Timestamp(microseconds: second * 1_000_000), position: 0, type: type, data: [:])
    }
    let runs = RecorderRuns([
      event("a", "recorder.started", 0), event("b", "recorder.started", 100), event("b", "recorder.stopped", 200),
    ])
    #expect(runs.runs.map(\.end) == [.open, .stopped] && runs.outages.isEmpty)
  }
}
