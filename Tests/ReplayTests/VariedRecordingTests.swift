import EventStore
import FlowRecording
import Replay
import Scenarios
import Testing

/// The recordings of `Recordings/varied.json`, whose answers were drawn from a seed.
@Suite struct VariedRecordingTests {
  /// Of so many flows one is made again.
  private static let each = 9

  @Test("a varied flow that is made again is the recorded one", arguments: ["authn", "idx", "device", "oidc"])
  func alike(kind: String) async throws {
    let varied = try #require(try FormRecording.golden().first { $0.name == "varied-\(kind)" })
    let recorded = Dictionary(
      uniqueKeysWithValues: try GoldenRecordings.read(varied.name).flows.map { ($0.stream, $0.records) })
    var made = 0
    for (number, part) in varied.parts.enumerated() where number % Self.each == 0 {
      let recorder = MemoryRecorder()
      let watched = WatchedRecorder(recorder)
      try await part.run(recorder: watched)
      try await watched.flowsAreGone()
      for stream in recorder.streams where stream.hasPrefix(kind + "/") {
        #expect(recorded[stream] == recorder.records(of: stream), "\(part.scenario) \(part.variation ?? 0)")
        made += 1
      }
    }
    #expect(made >= varied.parts.count / Self.each)
  }

  @Test("answers vary by the number: some flow goes otherwise than without it, and two numbers differ")
  func differs() async throws {
    var flows: Set<[FlowEvent]> = []
    for number in [nil, 2, 6, 10, 14] as [Int?] {
      let recorder = MemoryRecorder()
      let watched = WatchedRecorder(recorder)
      try await FormRecording.Part(scenario: "push-approved", seed: 0, variation: number).run(recorder: watched)
      try await watched.flowsAreGone()
      let stream = try #require(recorder.streams.first)
      flows.insert(
        recorder.records(of: stream).map(\.event).filter { if case .responseReceived = $0 { true } else { false } })
    }
    #expect(flows.count >= 4)
  }

  @Test("a scenario that there is none of is an error, varied or not", arguments: [nil, 1] as [Int?])
  func unknown(variation: Int?) async {
    await #expect(throws: (any Error).self) {
      try await FormRecording.Part(scenario: "no-such", seed: 0, variation: variation).run(recorder: MemoryRecorder())
    }
  }
}
