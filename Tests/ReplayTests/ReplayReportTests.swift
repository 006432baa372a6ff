import EventStore
import FlowRecording
import Testing

@testable import Replay

/// A report puts first what says most of where the fault is.
@Suite struct ReplayReportTests {
  @Test func `another event comes before another state, and that before another declaration`() throws {
    let golden = try Recording(contentsOf: GoldenRecordings.path("push-approved"))
    let stream = try #require(golden.flows.first?.stream)
    var (declared, state, event) = (golden, golden, golden)
    (declared.name, state.name, event.name) = ("declared", "state", "event")
    declared.digests?[stream].declared["calls"] = "other"
    let last = try #require(golden.digests?[stream].states.lastIndex { $0 != nil })
    state.digests?[stream].states[last] = "other"
    event.flows[0].records.removeLast()
    let report = try Replay.report(on: [declared, state, declared, event])
    #expect(report.divergences.map(\.recording) == ["event", "state", "declared", "declared"])
    #expect(report.causes.map(\.divergences.count) == [1, 1, 2] && report.diverged == 4)
    #expect(report.json["divergences"]?.array?.first?["recording"] == "event")
  }
}
