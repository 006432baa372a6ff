import FlowRecording
import Replay
import Scenarios
import SimulatedOrg
import Testing

@testable import IDX

/// Each request of each walk-through and of each policy, spoiled in each way: it ends in a response or a typed error; its
/// log is whole and replays; and nothing is sent in a storm.
@Suite(.serialized) struct IDXFaultSweepTests {
  @Test(
    "a spoiled answer anywhere ends in a response or a named error, log whole, replay equal", .timeLimit(.minutes(10)),
    arguments: Spoiling.all.indices)
  func sweep(way: Int) async throws {
    try await FaultSweep.each(Array(IDXScenario.golden.enumerated())) { number, scenario in
      let count = try await scenario.run(recorder: nil).count
      // Unless all is asked for, every third way of a request of a walk-through, and one way of one of a policy: another
      // for each request of each, so that every way meets every kind of request somewhere.
      let stride = number < IDXScenario.walkthroughs.count ? 3 : Spoiling.all.count
      for index in FaultSweep.indices(of: count) where FaultSweep.isWhole || (way + number + index) % stride == 0 {
        try await play(scenario, FaultSweep(Spoiling.all[way], at: index, limit: count + 8))
      }
    }
  }

  private func play(_ scenario: IDXScenario, _ sweep: FaultSweep) async throws {
    let name = "\(scenario.name), request \(sweep.index), \(sweep.spoiling)"
    let recorder = MemoryRecorder()
    var stage = try await IDXStage(scenario.configuration, recorder: recorder)
    let begun = Locked<[InteractionCodeFlow]>([])
    stage.began = { flow in begun.withLock { $0.append(flow) } }
    let transport = sweep.spoil(stage.org)
    stage.environment.transport = transport
    let ending = await FaultSweep.ending(over: transport) { [stage] in
      // A rate limit makes the SDK wait.
      try await stage.firingTimers { try await scenario.play(stage) }
    }
    switch ending {
    case nil: Issue.record("\(name) sends too much")
    case .success, .failure(is InteractionCodeFlowError), .failure(is Scenario.Unexpected): break
    case .failure(let error): Issue.record("\(name) ends in \(error)")
    }
    for flow in begun.withLock({ $0 }) {
      let records = await recordsAtRest(of: flow, in: recorder, name)
      let recording = Recording(name: name, flows: [RecordedFlow(stream: flow.flowID, records: records)])
      #expect(try Replay.replay(recording) == [], "\(name)")
    }
    await stage.org.stop()
  }
}
