// Plays whose every choice comes from a seed:
//
//     #expect(await FlowBattery(MagicLinkKind.self).walks(200, seed: seed, walk) == [])

import FlowRecording

extension FlowBattery {
  /// Random walks. Each is a play of its own, for which holds what holds of every play; what it threw and did not expect is a
  /// finding.
  ///
  /// - Parameters:
  ///   - count: how many.
  ///   - seed: of the first one; each further one has the next number. Findings name it, and a walk of that seed alone
  ///     repeats it.
  ///   - walk: makes a walk. It takes every choice from the dice.
  public func walks(
    _ count: Int, seed: UInt64, _ walk: @Sendable (Dice) -> FlowScenario
  ) async -> [String] {
    var findings: [String] = []
    for number in 0..<count {
      let seed = seed &+ UInt64(number)
      let scenario = walk(Dice(seed: seed))
      let play = await play(scenario)
      let name = "\(scenario.name), seed \(seed)"
      if let error = play.error { findings.append("\(name) ends in \(error)") }
      findings += check(play, of: scenario, name)
    }
    return findings
  }
}

/// Choices from a seed.
public struct Dice: Sendable {
  private let entropy: SeededEntropy

  /// Dice that fall the same way each time.
  public init(seed: UInt64) { entropy = SeededEntropy(seed: seed) }

  /// True so many times of a hundred.
  public func chance(_ percent: UInt64) -> Bool { entropy.next() % 100 < percent }

  /// A number from 0 up to, but not including, a limit.
  public func number(below limit: Int) -> Int { limit > 0 ? Int(entropy.next() % UInt64(limit)) : 0 }

  /// One of some; nil if there are none.
  public func pick<Element>(_ list: [Element]) -> Element? { list.isEmpty ? nil : list[number(below: list.count)] }
}
