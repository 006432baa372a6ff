import FlowRecording
import Scenarios
import SimulatedOrg
import Testing

@testable import Authn

/// Each request of each flow, spoiled in each way: the flow ends in a named error or status; its log is whole and
/// replays; and nothing is sent in a storm.
@Suite(.serialized) struct FaultSweepTests {
  @Test(
    "a spoiled answer anywhere ends in a named error or status, log whole, replay equal", .timeLimit(.minutes(10)),
    arguments: Spoiling.all)
  func sweep(spoiling: Spoiling) async throws {
    try await FaultSweep.each(Scenario.flows) { scenario in
      let count = try await scenario.run(recorder: nil).count
      // Where the end of a push is lost, the next poll starts another, which nobody answers for five minutes.
      let limit = count + 6 + (scenario.name.hasPrefix("push") ? 60 : 0)
      for index in FaultSweep.indices(of: count) {
        try await play(scenario, FaultSweep(spoiling, at: index, limit: limit))
      }
    }
  }

  @Test("a flow that sends more than it may is stopped and told, and a late answer is one that timed out")
  func limits() async throws {
    let scenario = Scenario.lostPolls
    let late = try #require(Spoiling.all.first { $0.kind == nil })
    for (index, limit, isStorm) in [(99, 3, true), (1, 60, false)] {
      let recorder = MemoryRecorder()
      var stage = try await Stage(scenario.configuration, recorder: recorder)
      let transport = FaultSweep(late, at: index, limit: limit).spoil(stage.org)
      stage.environment.transport = transport
      let ending = await FaultSweep.ending(over: transport) { [stage] in _ = try await scenario.play(stage) }
      #expect((ending == nil) == isStorm)
      #expect(stage.org.requests.count == (isStorm ? limit : index + 1))
      let records = recorder.records(of: try #require(recorder.streams.first))
      let lost = records.compactMap { record -> TransportError.Code? in
        if case .requestFailed(let failure) = record.event { return failure.error.code }
        return nil
      }
      #expect(lost == (isStorm ? [] : [.timedOut]))
      await stage.org.stop()
    }
  }

  private func play(_ scenario: Scenario, _ sweep: FaultSweep) async throws {
    let name = "\(scenario.name), request \(sweep.index), \(sweep.spoiling)"
    let recorder = MemoryRecorder()
    var stage = try await Stage(scenario.configuration, recorder: recorder)
    let begun = Locked<[OktaAuthStatusUnauthenticated]>([])
    stage.began = { start in begun.withLock { $0.append(start) } }
    let transport = sweep.spoil(stage.org)
    stage.environment.transport = transport
    let ending = await FaultSweep.ending(over: transport) { [stage] in _ = try await scenario.play(stage) }
    switch ending {
    case nil: Issue.record("\(name) sends too much")
    case .success, .failure(is OktaError), .failure(is Scenario.Unexpected): break
    case .failure(let error): Issue.record("\(name) ends in \(error)")
    }
    for start in begun.withLock({ $0 }) {
      #expect(await recordsAtRest(of: start.object.session.flow, in: recorder) != nil, "\(name) does not fold")
    }
    try expectReplays(recorder, name)
    await stage.org.stop()
  }
}
