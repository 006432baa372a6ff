import FlowRecording
import Scenarios
import Testing

/// A scenario that is played again is the same to the byte, times included: so a recording that is made again differs
/// only where the SDK or the org does.
@Suite struct RepeatedMakingTests {
  @Test(
    "two makings of a recording of the classic API are alike", arguments: (Scenario.flows + Scenario.rare).map(\.name))
  func classic(name: String) async throws {
    let scenario = try #require((Scenario.flows + Scenario.rare).first { $0.name == name })
    try await expectAlike { _ = try await scenario.run(recorder: $0) }
  }

  @Test("two makings of a recording of the Identity Engine are alike", arguments: IDXScenario.golden + IDXScenario.rare)
  func identityEngine(scenario: IDXScenario) async throws {
    try await expectAlike { _ = try await scenario.run(recorder: $0) }
  }

  @Test(
    "two makings of a recording of the push authenticator are alike",
    arguments: DeviceScenario.golden + DeviceScenario.rare)
  func device(scenario: DeviceScenario) async throws {
    try await expectAlike { _ = try await scenario.run(recorder: $0) }
  }

  private func expectAlike(
    sourceLocation: SourceLocation = #_sourceLocation, _ play: (any Recorder) async throws -> Void
  ) async throws {
    var makings: [[[FlowRecord]]] = []
    for _ in 0..<2 {
      let recorder = MemoryRecorder()
      let watched = WatchedRecorder(recorder)
      try await play(watched)
      try await watched.flowsAreGone()
      makings.append(recorder.streams.map(recorder.records(of:)))
    }
    #expect(makings[0].first?.isEmpty == false, sourceLocation: sourceLocation)
    #expect(makings[0].map(\.count) == makings[1].map(\.count), sourceLocation: sourceLocation)
    for (first, second) in zip(makings[0].joined(), makings[1].joined()) where first != second {
      Issue.record("\(first) is \(second) the second time", sourceLocation: sourceLocation)
    }
  }
}
