// One line in a test: a recording from the field becomes a regression test.

import EventStore
public import Replay

/// Replays a recording and fails the test with a report if the SDK no longer does what was recorded.
///
/// ```swift
/// @Test func pushApproved() throws {
///   try expectReplays("Recordings/push-approved.ndjson.lz4")
/// }
/// ```
///
/// - Parameter path: a portable recording.
/// - Throws: `ReplayFailure` with each divergence, or why it cannot be replayed. Swift Testing shows its description.
public func expectReplays(_ path: String) throws(ReplayFailure) {
  let divergences: [Divergence]
  do throws(ReplayError) {
    divergences = try Replay.replay(Recording(contentsOf: path))
  } catch {
    throw ReplayFailure(report: error.description, divergences: [])
  }
  guard divergences.isEmpty else { throw ReplayFailure(divergences, of: path) }
}

/// Why a recording does not replay, as a report for a person.
public struct ReplayFailure: Error, Sendable, CustomStringConvertible {
  /// The report.
  public let report: String
  /// The first divergence of each flow that has one.
  public let divergences: [Divergence]

  init(report: String, divergences: [Divergence]) {
    self.report = report
    self.divergences = divergences
  }

  init(_ divergences: [Divergence], of path: String) {
    let lines = divergences.flatMap { divergence in
      [
        "\(divergence.flow), \(divergence.message)",
        "  recorded: \(divergence.expected?.text ?? "nothing")",
        "  replayed: \(divergence.actual?.text ?? "nothing")",
      ]
    }
    let advice = "the same from a shell: auditctl replay \(path)"
    self.init(
      report: (["\(path) does not replay"] + lines + [advice]).joined(separator: "\n"), divergences: divergences)
  }

  /// The report.
  public var description: String { report }
}
