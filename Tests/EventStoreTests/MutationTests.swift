import Foundation
import Testing

@testable import EventStore

/// Bytes that someone changed, before all that reads bytes: a typed error or a value, never a trap.
@Suite struct MutationTests {
  /// How many inputs for each entry.
  private static let inputs = Effort.number("MUTATIONS", short: 1_500)

  @Test(arguments: FuzzEntry.allCases) func `changed bytes never trap, and never give what is not there`(
    _ entry: FuzzEntry
  ) throws {
    let folder = try TemporaryStore()
    let seeds = try #require(try FuzzEntry.seeds(in: folder.path)[entry])
    for seed in seeds { #expect(entry.fault(in: seed) == nil) }
    var random = SeededRandom(Effort.seed)
    // A segment takes some thousand times as long as a line.
    let count = entry == .segment || entry == .closed ? Self.inputs / 5 : Self.inputs
    for number in 0..<count {
      let seed = try #require(seeds.randomElement(using: &random))
      let other = try #require(seeds.randomElement(using: &random))
      let isForged = entry == .segment && number % 2 == 0
      let bytes =
        try isForged
        ? FuzzEntry.forged(from: seed, using: &random) : FuzzEntry.mutated(seed, with: other, using: &random)
      let fault = entry.fault(in: bytes)
      try #require(fault == nil, "input \(number) of seed \(Effort.seed): \(fault ?? ""): \(Base64.encode(bytes))")
    }
    Effort.report("mutations: \(entry): \(count) inputs, seed \(Effort.seed), no trap and nothing wrong")
  }
}
