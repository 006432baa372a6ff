import FlowRecording
import Scenarios
import Testing

@testable import Authn

/// Law of DESIGN §2: what the log folds to is what the application held.
@Suite struct FoldTests {
  @Test("fold(stream) equals the live state", arguments: Scenario.golden.map(\.name))
  func foldEqualsLiveState(name: String) async throws {
    let scenario = try #require(Scenario.golden.first { $0.name == name })
    let recorder = MemoryRecorder()
    try await scenario.run(recorder: recorder) { _, last in
      let session = try #require(last?.object.session)
      let records = try #require(
        await recordsAtRest(of: session.flow, in: recorder), "it does not fold to what is live")
      #expect(records.count > 2)
    }
  }
}
