// One kind of sign-in alone, over and over: for a profiler, and to pair two builds with each other.

import FlowRecording
import Foundation
import Replay

/// `FlowBenchmarks --alone recorded 2000`: the CPU time of one of so many sign-ins, on one line.
enum Alone {
  /// Reads the arguments behind `--alone`; nil if there are none.
  static func request(of arguments: [String]) -> (kind: String, count: Int)? {
    guard let index = arguments.firstIndex(of: "--alone"), arguments.count > index + 2,
      let count = Int(arguments[index + 2])
    else { return nil }
    return (arguments[index + 1], count)
  }

  /// Signs in so many times, after a hundred times to warm up.
  ///
  /// - Parameters:
  ///   - kind: `recorded`, `unrecorded`, `urlsession`, or `replay` and `replay-core`, which replay a recorded one.
  ///   - count: how many sign-ins are measured.
  ///   - org: where.
  ///   - folder: for the log of the recorded ones.
  static func run(_ kind: String, _ count: Int, _ org: OrgProcess, _ folder: String) async throws {
    switch kind {
    case "recorded":
      let recorder = LogRecorder(directory: folder + "/alone")
      let environment = FlowEnvironment(recorder: recorder)
      try await measure(kind, count) { try await SignIn.run(against: org.url, environment: environment) }
      try recorder.close()
    case "unrecorded":
      try await measure(kind, count) { try await SignIn.run(against: org.url, environment: FlowEnvironment()) }
    case "replay", "replay-core":
      let path = try await FlowBenchmarks.sample(org, folder)
      let depth: ReplayDepth = kind == "replay" ? .whole : .core
      try await measure(kind, count) {
        guard try Replay.replay(Recording(contentsOf: path), depth: depth).isEmpty else { throw SignIn.Unexpected() }
      }
    case "urlsession":
      let session = URLSessionSignIn(org: org.url)
      try await measure(kind, count) { try await session.run() }
    default: throw SignIn.Unexpected()
    }
  }

  private static func measure(_ kind: String, _ count: Int, _ signIn: () async throws -> Void) async throws {
    for _ in 0..<100 { try await signIn() }
    let start = Measure.cpu()
    for _ in 0..<count { try await signIn() }
    let each = (Measure.cpu() - start) / Double(count) * 1000
    print("\(kind): \(String(format: "%.4f", each)) ms CPU a sign-in")
  }
}
