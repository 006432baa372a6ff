import EventStore
import FlowKinds
import FlowRecording
import Foundation
import Replay
import Testing

/// The pushes that the golden recordings' sign-ins waited for.
@Suite struct GoldenPushTests {
  private func pushes(_ name: String) throws -> [String] {
    let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../Recordings/\(name).ndjson.lz4").standardizedFileURL.path
    return try Recording(contentsOf: path).flows.flatMap { flow in
      KindRegistry.standard.kind(of: flow.records)?.pushes(in: flow.records) ?? []
    }.map { push in
      let seconds = push.ended.map { ($0.microseconds - push.began.microseconds) / 1_000_000 }
      return "\(push.side.rawValue) \(push.outcome.rawValue) \(seconds.map(String.init) ?? "-") \(push.userID ?? "")"
    }
  }

  @Test func `the expiry of a device's push is the challenge's own, and its allowance stands beside it`() throws {
    let recording = try GoldenRecordings.read("both-classic-approved-device")
    let flow = try #require(recording.flows.first { $0.records.contains { $0.event.type == "challenge.parsed" } })
    let parsed = try #require(flow.records.first { $0.event.type == "challenge.parsed" }?.event.data)
    let push = try #require(KindRegistry.standard.kind(of: flow.records)?.pushes(in: flow.records).first)
    let expiry = try #require(parsed["exp"]?.int)
    #expect(push.expires?.microseconds == Int64(expiry) * 1_000_000 && push.allowance == 300, "\(push)")
    #expect(push.answerableUntil?.microseconds == Int64(expiry + 300) * 1_000_000)
  }

  @Test(arguments: [
    ("push-approved", ["signIn approved 10 "]), ("push-rejected", ["signIn rejected 5 "]),
    ("push-timed-out", ["signIn timedOut 290 "]), ("idx-push-rejected", ["signIn rejected 4 "]),
    ("password-only", []),
  ])
  func `a recorded sign-in shows its pushes`(name: String, expected: [String]) throws {
    let found = try pushes(name)
    #expect(found.count == expected.count, "\(found)")
    for (push, expected) in zip(found, expected) { #expect(push.hasPrefix(expected), "\(push)") }
  }
}
