import EventStore
import Foundation
import Testing

/// The real program, one of whose system calls on the store fails or is its last.
@Suite(.serialized) struct FaultInjectionTests {
  /// How many invocations of each call are tried: all where it is 0.
  private static let limit = Effort.number("FAULTS", short: 3)
  private static let modes = ["each", "group", "os"]

  @Test(
    "a call that fails, or at which the program is killed, costs nothing that was promised",
    .enabled(if: FaultShim.canBuild, "needs a C compiler"), arguments: FaultShim.calls, Start.allCases)
  func faults(call: String, start: Start) async throws {
    try await Effort.onThread { try Self.run(call, start) }
  }

  private static func run(_ call: String, _ start: Start) throws {
    let stage = try FaultStage(start)
    let most = try #require(try Self.counts[start]?.get()[call])
    var runs = 0
    var struck = 0
    for number in numbers(upTo: most) {
      for (index, fault) in FaultShim.faults(of: call).enumerated() {
        // In the short form one mode each, in the long one all.
        for mode in limit > 0 ? [modes[(number + index) % 3]] : modes {
          let outcome = try stage.play(mode: mode, call, number: number, fault)
          runs += 1
          struck += outcome.hasStruck ? 1 : 0
          let context = "\(call) number \(number), fault \(fault), mode \(mode), \(start) store"
          switch outcome.end {
          case .signal(SIGKILL): try #require(outcome.hasStruck, "\(context)")
          case .exit(0), .exit(1): break
          default: Issue.record("\(context): it ended with \(outcome.end)")
          }
          try #require(outcome.fault == nil, "\(context): \(outcome.fault ?? ""); \(outcome.promises.errors.suffix(3))")
        }
      }
    }
    Effort.report(
      "faults: \(call), \(start) store: at most \(most) calls a run; \(struck) failed in \(runs) runs, "
        + "nothing that was promised was lost")
  }

  /// How often the program makes each call where none fails: in the mode that makes it most often.
  private static let counts = Dictionary(
    uniqueKeysWithValues: Start.allCases.map { start in (start, Result { try count(start) }) })

  private static func count(_ start: Start) throws -> [String: Int] {
    let stage = try FaultStage(start)
    var most: [String: Int] = [:]
    for mode in modes {
      let outcome = try stage.play(mode: mode)
      try #require(outcome.end == .exit(0), "\(mode): \(outcome.promises.errors)")
      try #require(outcome.fault == nil, "\(mode): \(outcome.fault ?? "")")
      most.merge(outcome.calls) { max($0, $1) }
    }
    return most
  }

  /// Which invocations: all, or as many as the limit says, spread over all.
  private static func numbers(upTo most: Int) -> [Int] {
    guard limit > 0, most > limit else { return Array(1..<most + 1) }
    return (0..<limit).map { 1 + $0 * (most - 1) / max(limit - 1, 1) }
  }

  @Test(
    "the library stands before every system call on the store that strace sees",
    .enabled(if: FaultShim.canBuild && Trace.isThere, "needs a C compiler and strace"), arguments: Start.allCases)
  func shimIsWhole(start: Start) async throws {
    try await Effort.onThread {
      for mode in Self.modes {
        let stage = try FaultStage(start)
        let log = stage.folder.path + "/trace"
        let outcome = try stage.play(mode: mode, before: Trace.command(log, calls: FaultShim.traced))
        #expect(outcome.end == .exit(0))
        var seen: [String: Int] = [:]
        let trace = try Trace(log)
        for (name, text) in trace.calls.map({ ($0.name, $0.text) }) + trace.cutOff
        where text.contains(stage.folder.store) {
          seen[FaultShim.calls.first { name.hasPrefix($0) } ?? name, default: 0] += 1
        }
        #expect(seen == outcome.calls.filter { $0.value > 0 }, "\(mode)")
      }
    }
  }
}
