import Foundation
import Testing

@testable import EventStore
@testable import Fleet

/// All that can go wrong, from seeds: as many runs as `FLOWRECORDER_FLEET_RUNS` says; `FLOWRECORDER_SEED` repeats one.
@Suite(.enabled(if: ProcessInfo.processInfo.environment["FLOWRECORDER_FLEET_RUNS"] != nil, "runs in make torture"))
struct SimulationTests {
  static let runs = ProcessInfo.processInfo.environment["FLOWRECORDER_FLEET_RUNS"].flatMap { UInt64($0) } ?? 500
  static let firstSeed = ProcessInfo.processInfo.environment["FLOWRECORDER_SEED"].flatMap { UInt64($0) } ?? 1

  @Test func `copies stay prefixes, become equal, and forks alone are told`() throws {
    print("fleet simulation: seeds \(Self.firstSeed) to \(Self.firstSeed + Self.runs - 1)")
    var tally: [String: Int] = [:]
    for seed in Self.firstSeed..<Self.firstSeed + Self.runs {
      do {
        let simulation = try Simulation(seed: seed)
        try simulation.run()
        tally.merge(simulation.tally, uniquingKeysWith: +)
      } catch {
        Issue.record("seed \(seed): \(error)")
        return
      }
    }
    if Self.runs >= 500 {
      for fault in [
        "drop", "duplicate", "reorder", "stale read", "false ack", "lost ack", "two winners", "unreachable", "wipe",
        "full", "forge", "seal", "host's power cut", "collector's power cut", "collector killed", "shipper killed",
        "rolledBack", "forked",
      ] {
        #expect(tally[fault] ?? 0 > 0, "\(fault) did not happen")
      }
    }
    let text = tally.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
    print("torture: fleet simulation: \(Self.runs) runs from seed \(Self.firstSeed): \(text)")
  }
}
