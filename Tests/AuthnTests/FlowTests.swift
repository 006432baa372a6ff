import EventStore
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

  @Test("a sign-in that succeeded stays a success, whatever is called on it afterwards")
  func successStays() async throws {
    let recorder = MemoryRecorder()
    let scenario = Scenario("tidy", Scenario.passwordOnly.configuration) { stage in
      let status = try await stage.begin().authenticate(username: Scenario.login, password: Scenario.password)
      do throws(OktaError) {
        try await status.cancel()
      } catch {
        guard case .wrongStatus = error else { throw error }
      }
      return nil
    }
    try await scenario.run(recorder: recorder)
    let records = try #require(recorder.streams.first.map(recorder.records(of:)))
    let ends = records.filter { $0.event.type == "flow.ended" }.map { $0.event.data["outcome"]?.string }
    #expect(ends == ["success"])
  }
}

/// Expects every flow of a recorder to replay.
func expectReplays(_ recorder: MemoryRecorder, _ name: String, sourceLocation: SourceLocation = #_sourceLocation) throws
{
  #expect(!recorder.streams.isEmpty, sourceLocation: sourceLocation)
  for stream in recorder.streams {
    let flow = RecordedFlow(stream: stream, records: recorder.records(of: stream))
    for divergence in try Replay.replay(Recording(name: name, flows: [flow])) {
      Issue.record("\(divergence.message)", sourceLocation: sourceLocation)
    }
  }
}
