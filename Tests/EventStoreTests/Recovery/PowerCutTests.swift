import Foundation
import Testing

@testable import EventStore

/// What a log keeps when the power goes, or a call of the system fails, at any moment.
@Suite struct PowerCutTests {
  /// How many power cuts: 300, or what `FLOWRECORDER_CUTS` says.
  static let cuts = ProcessInfo.processInfo.environment["FLOWRECORDER_CUTS"].flatMap { UInt64($0) } ?? 300
  /// The first seed; `FLOWRECORDER_SEED` repeats a run.
  static let firstSeed = ProcessInfo.processInfo.environment["FLOWRECORDER_SEED"].flatMap { UInt64($0) } ?? 1

  @Test func `a power cut loses nothing durable and invents nothing`() throws {
    print("power cuts: seeds \(Self.firstSeed) to \(Self.firstSeed + Self.cuts - 1)")
    var tally = Tally()
    var seed = Self.firstSeed
    while seed < Self.firstSeed + Self.cuts {
      try cut(seed: seed, &tally)
      seed += 1
    }
    // Threads make runs differ: where chance left a step out, the power goes at that step, a hundred times at most.
    while Self.cuts >= 300, let step = tally.missingStep, seed < Self.firstSeed + Self.cuts + 100 {
      try cut(seed: seed, last: step, &tally)
      seed += 1
    }
    // In the short run each step once in some mode, in the long one in each.
    for step in Play.Step.allCases where step != .seal && step != .prune {
      let modes = ["each", "group", "os"].filter { tally.steps["\($0) \(step)"] != nil }
      #expect(modes.count == 3 || Self.cuts < 5_000, "power cuts during \(step) in modes \(modes) alone")
      #expect(!modes.isEmpty || Self.cuts < 300, "no power cut during \(step)")
    }
    for call in [MemoryDisk.Call.open, .makeDirectory, .rename, .syncDirectory, .read, .write, .sync, .lock] {
      #expect(tally.calls[call] != nil || Self.cuts < 300, "no power cut at \(call)")
    }
    Effort.report(
      "power cuts: \(seed - Self.firstSeed) stores from seed \(Self.firstSeed), \(tally.cuts) cuts, \(tally.failedSyncs) of them after a "
        + "failed sync: none lost, invented or reordered a record")
    Effort.report("power cuts: by mode and step: \(Tally.text(tally.steps)); by call: \(Tally.text(tally.calls))")
  }

  /// Where the power went.
  private struct Tally {
    var cuts = 0
    var failedSyncs = 0
    var steps: [String: Int] = [:]
    var calls: [MemoryDisk.Call: Int] = [:]

    /// A step, but for those that seal and prune, during which the power did not go.
    var missingStep: Play.Step? {
      Play.Step.allCases.first { step in
        step != .seal && step != .prune && !steps.keys.contains { $0.hasSuffix(" \(step)") }
      }
    }

    static func text(_ counts: [some Hashable: Int]) -> String {
      counts.map { "\($0.key) \($0.value)" }.sorted().joined(separator: ", ")
    }
  }

  /// Seeds that found something once: 100433, a directory that reached the disk before a frame in front of it.
  @Test(arguments: [100_433]) func `a power cut that once found something`(_ seed: UInt64) throws {
    var tally = Tally()
    try cut(seed: seed, &tally)
  }

  @Test func `a power cut while sealing and pruning loses nothing that was to be kept`() throws {
    var tally = Tally()
    var seed = Self.firstSeed
    while seed < Self.firstSeed + Self.cuts / 2 {
      try cut(seed: seed, seals: true, &tally)
      seed += 1
    }
    Effort.report("power cuts while sealing and pruning: by mode and step: \(Tally.text(tally.steps))")
  }

  private func cut(seed: UInt64, seals: Bool = false, last: Play.Step? = nil, _ tally: inout Tally) throws {
    var play = try Play(seed: seed, seals: seals)
    var random = SeededRandom(seed)
    var faults = SeededRandom(seed ^ 0xFA17)  // of their own, so that seeds that once found something still do the same
    var disk = MemoryDisk(seed: seed)
    // Up to three sessions on one store, each ended by a cut: so recoveries are cut off too.
    for round in 0...Int(random.next() % 3) {
      let calls = 1 + Int(random.next() % (round == 0 ? 500 : 120))
      if last == nil { disk.cutPower(afterCalls: calls) }
      let failing = faults.next() % 4 == 0 ? Int(1 + faults.next() % 20) : nil
      if let failing { disk.fail(.sync, number: failing, with: .io) }
      play.run(on: disk, steps: last == nil ? 30 : 5, last: last)
      if let call = disk.callAtCut {
        tally.cuts += 1
        let mode = "\(play.durability)".prefix { $0 != "(" }
        tally.steps["\(mode) \(play.step)", default: 0] += 1
        tally.calls[call, default: 0] += 1
        if failing != nil, !disk.isFaultPending { tally.failedSyncs += 1 }
      }
      disk = disk.afterCut()
      let fault = play.fault(on: disk, isAfterCut: true)
      try #require(fault == nil, "seed \(seed), round \(round), \(play.durability): \(fault ?? "")")
    }
  }

  @Test(arguments: MemoryDisk.Call.allCases)
  func `a call that fails once leaves a log that is read, opened and complete`(_ call: MemoryDisk.Call) throws {
    try fail(call, seals: false)
  }

  @Test(arguments: MemoryDisk.Call.allCases)
  func `a call that fails once while sealing or pruning harms nothing`(_ call: MemoryDisk.Call) throws {
    try fail(call, seals: true)
  }

  private func fail(_ call: MemoryDisk.Call, seals: Bool) throws {
    let isLong = Self.cuts > 300
    for failure in MemoryDisk.Failure.allCases {
      var number = 1
      var missed = 0
      // Until no session makes so many calls of the kind.
      while missed < 3, number < 400 {
        var play = try Play(seed: UInt64(number), seals: seals)
        let disk = MemoryDisk(seed: UInt64(number))
        disk.fail(call, number: number, with: failure)
        play.run(on: disk, steps: 25)
        missed = disk.isFaultPending ? missed + 1 : 0
        if missed == 0 {
          let context = "\(call) number \(number), \(failure), \(play.durability)"
          // First a new process on the same machine, then the power goes.
          let fault = play.fault(on: disk, isAfterCut: false)
          try #require(fault == nil, "\(context): \(fault ?? "")")
          let later = play.fault(on: disk.afterCut(), isAfterCut: true)
          try #require(later == nil, "\(context), then a power cut: \(later ?? "")")
          // And the power alone.
          var again = try Play(seed: UInt64(number), seals: seals)
          let other = MemoryDisk(seed: UInt64(number) &* 31)
          other.fail(call, number: number, with: failure)
          again.run(on: other, steps: 25)
          let cut = again.fault(on: other.afterCut(), isAfterCut: true)
          try #require(cut == nil, "\(context), only a power cut: \(cut ?? "")")
        }
        number += isLong ? 1 : max(1, number / 2)
      }
    }
  }
}
