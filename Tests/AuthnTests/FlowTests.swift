import FlowRecording
import Replay
import Scenarios
import SimulatedOrg
import Testing

@testable import Authn

/// Each flow of the API: recorded, folded equal, replayed with no divergence, and the same bytes sent without a recorder.
@Suite struct FlowTests {
  @Test(
    "a flow is recorded, folds to the live state, replays, and is not perturbed", arguments: Scenario.flows.map(\.name))
  func flow(name: String) async throws {
    let scenario = try #require(Scenario.flows.first { $0.name == name })
    let recorder = MemoryRecorder()
    let requests = try await scenario.run(recorder: recorder) { _, last in
      let session = try #require(last?.object.session)
      let records = try #require(
        await recordsAtRest(of: session.flow, in: recorder), "it does not fold to what is live")
      #expect(records.count > 2)
    }
    try expectReplays(recorder, name)
    let without = try await scenario.run(recorder: nil)
    #expect(requests.map(Sent.init) == without.map(Sent.init))
  }
}

/// Expects every flow of a recorder to replay.
func expectReplays(_ recorder: MemoryRecorder, _ name: String) throws {
  #expect(!recorder.streams.isEmpty)
  for stream in recorder.streams {
    let flow = RecordedFlow(stream: stream, records: recorder.records(of: stream))
    for divergence in try Replay.replay(Recording(name: name, flows: [flow])) { Issue.record("\(divergence.message)") }
  }
}
