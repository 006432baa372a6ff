import Authn
import EventStore
import FlowRecording
import Scenarios
import Testing

@testable import Replay

/// Replays of flows as they were just recorded.
@Suite struct ReplayTests {
  @Test("a recorded flow replays without divergence", arguments: Scenario.golden.map(\.name))
  func replays(name: String) async throws {
    let scenario = try #require(Scenario.golden.first { $0.name == name })
    #expect(try Replay.replay(await Recordings.record(scenario)) == [])
  }

  @Test("a replay takes no time, whatever the recording took")
  func fiveMinutesOfPolling() async throws {
    let recording = try await Recordings.record(.pushTimedOut)
    let times = recording.flows[0].records.map(\.at)
    let first = try #require(times.first)
    let last = try #require(times.last)
    #expect(last.microseconds - first.microseconds >= 290_000_000)
    // No timer of a replay ever runs: this returns, or the test would take five minutes.
    #expect(try Replay.replay(recording) == [])
  }

  @Test("a recording without flows is refused")
  func empty() {
    #expect(throws: ReplayError.empty(name: "nothing")) { try Replay.replay(Recording(name: "nothing", flows: [])) }
  }

  @Test("a flow of another kind is refused by name")
  func unknownKind() {
    let started = FlowStarted(kind: "carrier-pigeon", sdk: "test", settings: [:])
    let record = FlowRecord(revision: 0, at: Stage.start, cause: nil, event: .flowStarted(started))
    let recording = Recording(name: "r", flows: [RecordedFlow(stream: "s", records: [record])])
    #expect(throws: ReplayError.unknownKind(stream: "s", kind: "carrier-pigeon")) { try Replay.replay(recording) }
  }

  @Test("a flow whose beginning is missing is refused as that, and not by a kind")
  func noBeginning() throws {
    let whole = try #require(try GoldenRecordings.read("push-approved").flows.first)
    let (stream, flow) = (whole.stream, RecordedFlow(stream: whole.stream, records: Array(whole.records.dropFirst(12))))
    let recording = Recording(name: "r", flows: [flow])
    let error = try #require(throws: ReplayError.self) { try Replay.replay(recording) }
    #expect(error == .noBeginning(stream: stream, revision: 12))
    #expect(error.description.contains("beginning of flow \(stream) is missing"), "\(error)")
    #expect(throws: ReplayError.noBeginning(stream: stream, revision: 12)) { try ReplaySession(flow) }
    #expect(throws: ReplayError.noBeginning(stream: stream, revision: 12)) {
      try WhatIf.run(flow, FlowEdits([]))
    }
  }

  @Test("stepping shows the state after each input")
  func stepping() async throws {
    let flow = try #require(try await Recordings.record(.pushApproved).flows.first)
    let replayer = Replayer<AuthnCore>(flow, of: "push-approved")
    var statuses: [String] = []
    while try replayer.step() {
      let status = replayer.core.current?.status ?? "none"
      if statuses.last != status { statuses.append(status) }
    }
    #expect(statuses == ["none", "MFA_REQUIRED", "MFA_CHALLENGE", "SUCCESS"])
    #expect(replayer.core == AuthnCore.folding(flow.records))
  }
}

/// Recordings made for a test.
enum Recordings {
  /// Plays a scenario and gives what was recorded of it.
  static func record(_ scenario: Scenario) async throws -> Recording {
    let recorder = MemoryRecorder()
    try await scenario.run(recorder: recorder)
    let flows = recorder.streams.map { RecordedFlow(stream: $0, records: recorder.records(of: $0)) }
    return Recording(name: scenario.name, flows: flows)
  }
}
