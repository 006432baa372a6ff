import Foundation

/// How much a test does: a little in `make test`, a lot in `make torture`; each number by an environment variable.
enum Effort {
  /// What `FLOWRECORDER_<name>` says, or else `short`.
  static func number(_ name: String, short: Int) -> Int {
    ProcessInfo.processInfo.environment["FLOWRECORDER_" + name].flatMap { Int($0) } ?? short
  }

  /// The seed of all that is drawn; `FLOWRECORDER_SEED` repeats a run.
  static let seed = UInt64(clamping: number("SEED", short: 1))

  /// Says in one line what was done, for the summary of `make torture`.
  static func report(_ what: String) { print("torture: \(what)") }
}
