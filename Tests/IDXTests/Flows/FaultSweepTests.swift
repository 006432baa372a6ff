import FlowRecording
import Foundation
import Replay
import Scenarios
import SimulatedOrg
import Testing

@testable import IDX

/// Each request of each walk-through, spoiled in each way: it ends in a response or a typed error, soon; its log is
/// whole and replays; and nothing is sent in a storm.
@Suite(.serialized) struct IDXFaultSweepTests {
  struct Spoiling: Sendable, CustomTestStringConvertible {
    var name: String
    var kind: Fault.Kind
    var testDescription: String { name }

    static let all: [Spoiling] = [
      Spoiling(name: "429", kind: .rateLimited(limit: 600, resetIn: 7)), Spoiling(name: "500", kind: .serverError),
      Spoiling(name: "reset", kind: .connectionReset), Spoiling(name: "cut body", kind: .cutBody()),
      Spoiling(name: "malformed JSON", kind: .malformedJSON), Spoiling(name: "wrong content type", kind: .htmlPage),
      Spoiling(name: "empty body", kind: .emptyBody), Spoiling(name: "429 bare", kind: .rateLimitedWithoutHeaders),
    ]
  }

  @Test(
    "a spoiled answer anywhere ends in a response or a named error, log whole, replay equal", arguments: Spoiling.all)
  func sweep(spoiling: Spoiling) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      var running = 0
      for scenario in IDXScenario.walkthroughs {
        if running >= 4 { try await group.next() }
        running += 1
        group.addTask { try await sweep(scenario, spoiling) }
      }
      try await group.waitForAll()
    }
  }

  private func sweep(_ scenario: IDXScenario, _ spoiling: Spoiling) async throws {
    let count = try await scenario.run(recorder: nil).count
    let indices = count <= 8 ? Array(0..<count) : Array(0..<5) + Array((count - 3)..<count)
    for index in indices {
      let name = "\(scenario.name), request \(index), \(spoiling.name)"
      let recorder = MemoryRecorder()
      var stage = try await IDXStage(scenario.configuration, recorder: recorder)
      let begun = Locked<[InteractionCodeFlow]>([])
      stage.began = { flow in begun.withLock { $0.append(flow) } }
      stage.org.inject(Fault(spoiling.kind, skipping: index))
      let isOver = await ends(scenario, on: stage, name)
      #expect(isOver, "\(name) hangs")
      #expect(stage.org.requests.count <= count + 8, "\(name) sends too much")
      for flow in begun.withLock({ $0 }) {
        let records = recordsAtRest(of: flow, in: recorder, name)
        let recording = Recording(name: name, flows: [RecordedFlow(stream: flow.flowID, records: records)])
        #expect(try Replay.replay(recording) == [], "\(name)")
      }
      await stage.org.stop()
    }
  }

  /// Plays until the end, or for ten seconds.
  private func ends(_ scenario: IDXScenario, on stage: IDXStage, _ name: String) async -> Bool {
    await withTaskGroup(of: Bool.self) { group in
      group.addTask {
        do {
          // A rate limit makes the SDK wait.
          try await stage.firingTimers { try await scenario.play(stage) }
        } catch is InteractionCodeFlowError {
        } catch is Scenario.Unexpected {
        } catch {
          Issue.record("\(name) ends in \(error)")
        }
        return true
      }
      group.addTask {
        try? await Task.sleep(for: .seconds(10))
        return false
      }
      let first = await group.next() ?? false
      group.cancelAll()
      return first
    }
  }
}
