import FlowRecording
import Foundation
import Scenarios
import SimulatedOrg
import Testing

@testable import Authn

/// Each request of each flow, spoiled in each way: the flow ends in a named error or status, soon; its log is whole and
/// replays; and nothing is sent in a storm.
@Suite(.serialized) struct FaultSweepTests {
  struct Spoiling: Sendable, CustomTestStringConvertible {
    var name: String
    var kind: Fault.Kind
    var testDescription: String { name }

    static let all: [Spoiling] = [
      Spoiling(name: "429", kind: .rateLimited(limit: 600, resetIn: 30)), Spoiling(name: "500", kind: .serverError),
      Spoiling(name: "reset", kind: .connectionReset), Spoiling(name: "cut body", kind: .cutBody()),
      Spoiling(name: "malformed JSON", kind: .malformedJSON), Spoiling(name: "wrong content type", kind: .htmlPage),
      Spoiling(name: "empty body", kind: .emptyBody), Spoiling(name: "latency", kind: .latency(seconds: 0.5)),
    ]
  }

  /// Whether each request of a long poll is spoiled, and not only the first and the last ones: minutes, not seconds.
  private static let isLong = ProcessInfo.processInfo.environment["FLOWRECORDER_LONG"] == "1"
  private static let impatient: CurlTransport = {
    var configuration = CurlTransport.Configuration()
    configuration.timeout = .milliseconds(250)
    return CurlTransport(configuration)
  }()

  @Test("a spoiled answer anywhere ends in a named error or status, log whole, replay equal", arguments: Spoiling.all)
  func sweep(spoiling: Spoiling) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      var running = 0
      for scenario in Scenario.flows {
        if running >= 4 { try await group.next() }
        running += 1
        group.addTask { try await sweep(scenario, spoiling) }
      }
      try await group.waitForAll()
    }
  }

  private func sweep(_ scenario: Scenario, _ spoiling: Spoiling) async throws {
    let count = try await scenario.run(recorder: nil).count
    // Of a long poll the first and the last requests stand for the rest.
    let indices = count <= 10 || Self.isLong ? Array(0..<count) : Array(0..<4) + Array((count - 2)..<count)
    for index in indices {
      let name = "\(scenario.name), request \(index), \(spoiling.name)"
      let recorder = MemoryRecorder()
      var stage = try await Stage(scenario.configuration, recorder: recorder)
      let begun = Locked<[OktaAuthStatusUnauthenticated]>([])
      stage.began = { start in begun.withLock { $0.append(start) } }
      let transport = spoiling.name == "latency" ? Self.impatient : CurlTransport.standard
      stage.environment.transport = RenamedOrg(
        name: Stage.orgURL, url: stage.org.url.absoluteString, over: transport)
      stage.org.inject(Fault(spoiling.kind, skipping: index))
      let isOver = try await ends(scenario, on: stage, name)
      #expect(isOver, "\(name) hangs")
      // Where the end of a push is lost, the next poll starts another, which nobody answers for five minutes.
      let limit = count + 6 + (scenario.name.hasPrefix("push") ? 60 : 0)
      #expect(stage.org.requests.count <= limit, "\(name) sends too much")
      for start in begun.withLock({ $0 }) {
        let records = recorder.records(of: start.flowID)
        #expect(AuthnCore.folding(records) == start.object.session.flow.core, "\(name) does not fold")
      }
      try expectReplays(recorder, name)
      await stage.org.stop()
    }
  }

  /// Plays until the end, or for ten seconds.
  private func ends(_ scenario: Scenario, on stage: Stage, _ name: String) async throws -> Bool {
    try await withThrowingTaskGroup(of: Bool.self) { group in
      group.addTask {
        do {
          _ = try await scenario.play(stage)
        } catch is OktaError {
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
      let first = try await group.next() ?? false
      group.cancelAll()
      return first
    }
  }
}
