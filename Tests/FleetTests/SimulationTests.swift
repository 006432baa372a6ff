import Foundation
import Testing

@testable import EventStore
@testable import Fleet

/// All that can go wrong, from seeds: as many runs as `FLOWRECORDER_FLEET_RUNS` says; `FLOWRECORDER_SEED` is the first of them.
@Suite struct SimulationTests {
  static let runs = ProcessInfo.processInfo.environment["FLOWRECORDER_FLEET_RUNS"].flatMap { UInt64($0) } ?? 500
  static let firstSeed = ProcessInfo.processInfo.environment["FLOWRECORDER_SEED"].flatMap { UInt64($0) } ?? 1
  /// How many parts the seeds are divided into, which run at once.
  static let parts: UInt64 = 2

  @Test(arguments: 0..<parts) func `copies stay prefixes, become equal, only forks are found`(part: UInt64) throws {
    let seeds = stride(from: Self.firstSeed + part, to: Self.firstSeed + Self.runs, by: Int(Self.parts))
    var tally: [String: Int] = [:]
    var failed = 0
    var count = 0
    for seed in seeds where failed < 10 {
      do {
        let simulation = try Simulation(seed: seed)
        try simulation.run()
        tally.merge(simulation.tally, uniquingKeysWith: +)
      } catch {
        failed += 1
        Issue.record(
          "seed \(seed): \(error); FLOWRECORDER_SEED=\(seed) FLOWRECORDER_FLEET_RUNS=1 repeats it")
      }
      count += 1
    }
    if count >= 50 {
      for fault in Self.faults { #expect(tally[fault] ?? 0 > 0, "\(fault) did not happen") }
    }
    let text = tally.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
    print("torture: fleet simulation: \(count) runs, each second seed from \(Self.firstSeed + part) on: \(text)")
  }

  private static let faults = [
    "drop", "duplicate", "reorder", "stale read", "false ack", "lost ack", "two winners", "unreachable", "flip", "wipe",
    "full", "forge", "seal", "host's power cut", "collector's power cut", "collector killed", "shipper killed",
    "last words: twin", "last words: note", "last words: identity", "rolledBack", "forked", "forkedEqually", "cloned",
  ]

  @Test(arguments: [3, 4, 5] as [UInt64]) func `a seed repeats a run`(seed: UInt64) throws {
    let runs = try (0..<2).map { _ in
      let simulation = try Simulation(seed: seed)
      try simulation.run()
      return simulation.digest
    }
    #expect(runs[0] == runs[1])
  }

  /// Seeds of long runs that once failed, and what they found: docs/FLEET.md, "Simulation".
  @Test(
    arguments: [
      // A copy whose newest segment had a part of its header after a power cut.
      5216,
      // Called collected what a power cut could take.
      14409, 18043,
      // A copy whose newest segment had a name and no bytes after a power cut.
      34885, 46670, 49967,
      // Forged bytes that announce more than will come: the collector has as many bytes as the host, and less of them is whole.
      45994,
    ] as [UInt64]) func `seeds that once failed hold`(seed: UInt64) throws
  {
    try Simulation(seed: seed).run()
  }
}
