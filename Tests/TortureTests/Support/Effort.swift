import Foundation

/// How much a test does: a little in `make test`, a lot in `make torture`; each number by an environment variable.
enum Effort {
  /// What `FLOWRECORDER_<name>` says, or else `short`.
  static func number(_ name: String, short: Int) -> Int {
    ProcessInfo.processInfo.environment["FLOWRECORDER_" + name].flatMap { Int($0) } ?? short
  }

  /// The seed of all that is drawn; `FLOWRECORDER_SEED` repeats a run.
  static let seed = number("SEED", short: 20_261_121)

  /// Says in one line what was done, for the summary of `make torture`.
  static func report(_ what: String) { print("torture: \(what)") }

  /// Runs what blocks on a thread of its own, so that the pool's few threads stay free.
  static func onThread<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread { continuation.resume(with: Swift.Result { try body() }) }
    }
  }
}

/// SplitMix64: small, and the same on every machine.
struct SeededDraws: RandomNumberGenerator {
  private var state: UInt64

  init(_ seed: Int) { state = UInt64(bitPattern: Int64(seed)) }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
