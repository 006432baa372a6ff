import ArgumentParser
import AuditReports
import EventStore
import Foundation

/// `auditctl bench`
struct BenchCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bench", abstract: "Measure the log on this machine, beside SQLite in the same run.",
    discussion: """
      Writes a log and a SQLite table of the same made-up sign-in events into a temporary directory, reads both, and \
      removes them; one sign-in that was recorded is folded and replayed. SQLite gets transactions of 1,000 rows, WAL and synchronous NORMAL. Each figure is the median of \
      the rounds; on a machine that does other things they differ from run to run. TMPDIR says which disk is measured.

      EXAMPLES
        auditctl bench
        auditctl bench --events 1000000
        auditctl bench --json | jq .figures
      """)

  @Option(help: ArgumentHelp("How many events are written and read.", valueName: "N")) var events = 100_000
  @Option(help: ArgumentHelp("How many rounds count; one more comes before them.", valueName: "N")) var rounds = 5
  @OptionGroup var json: JSONFlag

  mutating func validate() throws {
    guard (100...10_000_000).contains(events) else {
      throw ValidationError("--events \(events) is not 100 to 10000000")
    }
    guard (1...100).contains(rounds) else { throw ValidationError("--rounds \(rounds) is not 1 to 100") }
  }

  func run() async throws {
    let bench = try await MachineBench(events: events)
    defer { bench.remove() }
    let progress = Progress("measuring")
    defer { progress.end() }
    var all: [BenchRound] = []
    for round in 0...rounds {
      progress.show(round, of: rounds + 1)
      let figures = try bench.round()
      if round > 0 { all.append(figures) }
    }
    progress.end()
    let report = BenchReport(rounds: all, events: events)
    let output = Output()
    if json.isOn {
      try output.json(report.json)
    } else {
      try output.lines(report.lines)
    }
    try output.flush()
  }
}
