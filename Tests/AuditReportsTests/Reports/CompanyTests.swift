import AuditReports
import EventStore
import FlowRecording
import Foundation
import SimulatedCompany
import Testing

/// A store in a folder of its own, removed at the end.
final class CompanyFolder {
  let path: String
  let incidents: [CompanyIncident]

  init(seed: UInt64, flows: Int) throws {
    path = FileManager.default.temporaryDirectory.appendingPathComponent("company-\(UUID().uuidString)").path
    let log = try EventLog.open(at: path, options: EventLog.Options(durability: .os))
    incidents = try SimulatedCompany(seed: seed, flows: flows).write(to: log)
    try log.close()
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}

/// Which planted incidents a detection finds, and what it finds besides.
struct Score: Equatable {
  var found = 0
  var planted = 0
  var wrong = 0
}

@Suite struct CompanyTests {
  static func score(_ facts: some FactsSource, _ incidents: [CompanyIncident], _ kind: CompanyIncident.Kind) throws
    -> Score
  {
    let (name, table): (ReportName, String) =
      switch kind {
      case .fatigue: (.push, "fatigue")
      case .spray: (.spray, "episodes")
      case .stuffing: (.stuffing, "episodes")
      case .lockout: (.lockouts, "lockouts")
      case .theft: (.theft, "findings")
      case .enrollment: (.enrollments, "changes")
      case .shared: (.shared, "shared")
      case .guessing: (.guessing, "episodes")
      // No report of the log can say that it was put back.
      case .rollback: (.integrity, "totals")
      }
    let report = try ReportRequest(name, filter: FlowFilter(), now: Timestamp(microseconds: 0)).report(on: facts)
    let rows = report.json["tables"]?[table]?.array ?? []
    func overlaps(_ row: JSON, _ incident: CompanyIncident) -> Bool {
      guard let first = (row["first"] ?? row["at"])?.string.flatMap({ Timestamp($0) }),
        let last = (row["last"] ?? row["at"])?.string.flatMap({ Timestamp($0) })
      else { return false }
      let margin: Int64 = 60_000_000
      let isThen =
        first.microseconds <= incident.last.microseconds + margin
        && last.microseconds >= incident.first.microseconds - margin
      guard isThen else { return false }
      return switch kind {
      case .fatigue, .guessing: row["user"]?.string == incident.user
      case .shared: row["id"]?.string == incident.device
      case .spray, .stuffing, .lockout, .theft, .enrollment, .rollback: row["place"]?.string == incident.place
      }
    }
    let planted = incidents.filter { $0.kind == kind }
    return Score(
      found: planted.filter { incident in rows.contains { overlaps($0, incident) } }.count, planted: planted.count,
      // These two list all that there is, whoever did it.
      wrong: [.lockout, .enrollment].contains(kind)
        ? 0 : rows.filter { row in !planted.contains { overlaps(row, $0) } }.count)
  }

  @Test("every planted attack is found, and nothing else is", arguments: [UInt64(3), 4])
  func detections(seed: UInt64) throws {
    let company = try CompanyFolder(seed: seed, flows: 3_000)
    let facts = try LogFacts.reading([LogReader(directory: company.path)])
    #expect(facts.flows.count == 3_000)
    #expect(facts.flows.allSatisfy { $0.isFlow && $0.context.app.version != nil })
    for kind in CompanyIncident.Kind.allCases where kind != .rollback {
      let score = try Self.score(facts, company.incidents, kind)
      #expect(score.planted == 1 && score.found == score.planted && score.wrong == 0, "\(kind) \(score)")
    }
    for incident in company.incidents where incident.kind == .spray || incident.kind == .stuffing {
      let name: ReportName = incident.kind == .spray ? .spray : .stuffing
      let report = try ReportRequest(name, filter: FlowFilter(), now: incident.last).report(on: facts)
      #expect(
        report.json["tables"]?["episodes"]?.array?.first?["entered"]?.string == incident.entered.joined(separator: ", ")
      )
    }
  }

  @Test("guesses, an attacker's factor and a device of several accounts are planted, beside what employees do")
  func footholds() throws {
    let company = try CompanyFolder(seed: 3, flows: 3_000)
    let facts = try LogFacts.reading([LogReader(directory: company.path)])
    func rows(_ name: ReportName, _ table: String) throws -> [JSON] {
      let report = try ReportRequest(name, filter: FlowFilter(), now: Timestamp(microseconds: 0)).report(on: facts)
      return report.json["tables"]?[table]?.array ?? []
    }
    let enrollment = try #require(company.incidents.first { $0.kind == .enrollment })
    let changes = try rows(.enrollments, "changes")
    #expect(changes.count == 2 && changes.allSatisfy { $0["factor"] == "totp" && $0["proofs"] == "password" })
    let attacker = changes.filter { $0["place"]?.string == enrollment.place }
    #expect(attacker.count == 1 && attacker.first?["user"]?.string == enrollment.user)
    #expect(attacker.first?["device"] == .null && enrollment.entered.first == enrollment.user)
    let employee = changes.filter { $0["device"]?.string?.hasPrefix("dev-") == true }
    #expect(employee.count == 1 && employee.first?["origin"] == "known" && attacker.first?["origin"] == "new")
    let shared = try #require(company.incidents.first { $0.kind == .shared })
    let row = try #require(try rows(.shared, "shared").first)
    #expect(row["id"]?.string == shared.device && row["users"]?.int == shared.entered.count)
    #expect(row["names"]?.string == shared.entered.joined(separator: ", ") && row["entered"] == row["names"])
    #expect(shared.json["device"]?.string == shared.device && enrollment.json["device"] == nil)
    let guessing = try #require(company.incidents.first { $0.kind == .guessing })
    let guessed = try rows(.guessing, "episodes")
    #expect(guessed.count == 1 && guessed.first?["user"]?.string == guessing.user)
    #expect(guessed.first?["places"] == 3 && guessed.first?["outcome"] == "succeeded")
    #expect(guessing.entered.first == guessing.user && (guessed.first?["tries"]?.int ?? 0) >= 18)
    #expect(guessed.first?["place"]?.string?.contains(guessing.place ?? "-") == true)
    // An employee who mistypes three times, which the rule finds if it is set so low, and which is no attack.
    var low = ReportRequest(.guessing, filter: FlowFilter(), now: Timestamp(microseconds: 0))
    low.thresholds.guessTries = 3
    low.thresholds.guessSeconds = 60
    let three = try low.report(on: facts).json["tables"]?["episodes"]?.array ?? []
    #expect(three.contains { $0["tries"] == 3 && $0["place"] == $0["enteredPlace"] && $0["outcome"] == "succeeded" })
    // A small company has none of them, and stays as it was.
    let small = try CompanyFolder(seed: 3, flows: 300)
    #expect(!small.incidents.contains { [.enrollment, .shared, .guessing].contains($0.kind) })
  }

  @Test("the same seed writes the same flows; another one others")
  func seeds() throws {
    func lines(_ seed: UInt64) throws -> [[UInt8]] {
      let company = try CompanyFolder(seed: seed, flows: 300)
      var lines: [[UInt8]] = []
      try LogReader(directory: company.path).forEach { record in
        if record.stream != "log" { lines.append(Array(record.stream.utf8) + Array(record.data)) }
      }
      return lines
    }
    let first = try lines(9)
    #expect(try first == lines(9))
    #expect(try first != lines(10))
  }

  @Test("the flows of a company can be narrated and decoded, as recorded ones can")
  func narrated() throws {
    let company = try CompanyFolder(seed: 5, flows: 400)
    let log = try LogReader(directory: company.path)
    var streams: [String: [StoredRecord]] = [:]
    try log.forEach { streams[$0.stream, default: []].append($0) }
    for (stream, records) in streams where stream != "log" {
      let line = try #require(try TimeLine(records))
      #expect(line.entries.allSatisfy { !$0.words.isEmpty })
    }
  }
}
