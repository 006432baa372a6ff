import EventStore
import FlowRecording
import Foundation
import Replay
import Scenarios
import SimulatedOrg
import Testing

@testable import IDX

/// Every walk-through and every policy, against the simulated org.
@Suite(.serialized) struct IDXScenarioTests {
  @Test("a walk-through plays, folds to what is live, and replays", arguments: IDXScenario.golden)
  func plays(scenario: IDXScenario) async throws {
    let recorder = MemoryRecorder()
    var stage = try await IDXStage(scenario.configuration, recorder: recorder)
    let begun = Locked<[InteractionCodeFlow]>([])
    stage.began = { flow in begun.withLock { $0.append(flow) } }
    try await scenario.play(stage)
    for flow in begun.withLock({ $0 }) {
      let records = await recordsAtRest(of: flow, in: recorder, scenario.name)
      let recording = Recording(name: scenario.name, flows: [RecordedFlow(stream: flow.flowID, records: records)])
      for divergence in try Replay.replay(recording) { Issue.record("\(divergence.message)") }
    }
    await stage.org.stop()
  }
}
