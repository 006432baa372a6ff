import EventStore
import FlowKinds
import FlowRecording
import Foundation
import Testing

@testable import Replay

/// Recordings with everything taken out that is not needed.
@Suite struct MinimiseTests {
  @Test(
    "a planted failure comes down to at most one and a half times the shortest recording that shows it",
    arguments: PlantedFailure.all)
  func planted(failure: PlantedFailure) throws {
    let recording = try failure.plant()
    let first = try #require(try Replay.replay(recording).first)
    let result = try Minimiser(keeping: .diverges).minimise(recording)
    let found = try #require(try Replay.replay(result.recording).first)
    #expect(KeptDivergence(found) == KeptDivergence(first))
    #expect(found.recorded == first.recorded)
    if failure.name.hasPrefix("a cookie") { #expect(found.replayed == "DT=$secret.cookie.1$") }
    if failure.name.hasPrefix("a status is not returned") { #expect(found.actual?["data"]?["outcome"] == "status") }
    #expect(result.recording.flows.count == 1)
    let shortest = try shortest(recording, showing: KeptDivergence(first))
    #expect(
      Double(result.recording.eventCount) <= 1.5 * Double(shortest), "\(result.recording.eventCount) of \(shortest)")
    #expect(result.recording.eventCount <= recording.eventCount)
    // It can be written and read, and folds without gaps.
    let records = try result.recording.records()
    #expect(records.map(\.revision) == Array(records.indices))
    let again = try Recording(name: "again", records: records)
    #expect(again.flows == result.recording.flows)
  }

  @Test("minimising what is minimal changes nothing, twice gives the same bytes")
  func stable() throws {
    let recording = try #require(PlantedFailure.all.first).plant()
    let once = try Minimiser(keeping: .diverges).minimise(recording).recording
    let twice = try Minimiser(keeping: .diverges).minimise(once).recording
    #expect(once.flows == twice.flows)
    let other = try Minimiser(keeping: .diverges).minimise(recording).recording
    #expect(try once.records() == other.records())
  }

  @Test(
    "what a status needs remains, and replays",
    arguments: [
      ("push-timed-out", "mfa_challenge", 24), ("locked-out", "LOCKED_OUT", 14), ("enroll-sms", "SUCCESS", 60),
      ("idx-second-factor", "success", 60), ("sms-recovery", "PASSWORD_RESET", 40),
    ])
  func status(name: String, status: String, most: Int) throws {
    let recording = try GoldenRecordings.read(name)
    let result = try Minimiser(keeping: .status(status)).minimise(recording).recording
    #expect(result.eventCount < min(recording.eventCount, most), "\(result.eventCount) of \(recording.eventCount)")
    let statuses = result.flows.flatMap { FlowStatuses.of($0, kinds: .standard) }
    #expect(statuses.contains { $0.lowercased() == status.lowercased() }, "\(statuses)")
    #expect(try Replay.replay(result) == [])
    #expect(try Replay.replay(result, depth: .whole) == [])
  }

  @Test(
    "what an outcome or an error needs remains",
    arguments: [("push-timed-out", "success"), ("idx-push-rejected", "failed")])
  func outcome(name: String, other: String) throws {
    let recording = try GoldenRecordings.read(name)
    var outcomes: Set<String> = []
    for record in recording.flows.flatMap(\.records) {
      if case .flowEnded(let ended) = record.event { outcomes.insert(ended.outcome) }
    }
    for outcome in outcomes {
      let result = try Minimiser(keeping: .outcome(outcome)).minimise(recording).recording
      #expect(result.eventCount <= recording.eventCount)
      #expect(try Replay.replay(result) == [])
    }
    #expect(throws: MinimiseError.self) { try Minimiser(keeping: .outcome("no such \(other)")).minimise(recording) }
    // The word of lists, and the org's own code.
    let wrong = try GoldenRecordings.read("wrong-password")
    for word in ["failed", "E0000004"] {
      #expect(try Minimiser(keeping: .outcome(word)).minimise(wrong).recording.eventCount > 0, "\(word)")
    }
  }

  @Test("a test of the caller's decides")
  func test() throws {
    let recording = try GoldenRecordings.read("push-timed-out")
    let result = try Minimiser(
      keeping: .test { $0.flows[0].records.count { $0.event.type == "timer.fired" } >= 3 }
    ).minimise(recording)
    #expect(result.recording.flows[0].records.count { $0.event.type == "timer.fired" } == 3)
    #expect(result.recording.eventCount < 40)
    #expect(try Replay.replay(result.recording) == [])
  }

  @Test(
    "if something other than the divergence is kept, the divergence and what leads to it are left out",
    arguments: ["SUCCESS", "MFA_REQUIRED"])
  func besideDivergence(status: String) throws {
    let diverging = try #require(PlantedFailure.all.first).plant()
    let small = try Minimiser(keeping: .status(status)).minimise(diverging).recording
    let other = try Minimiser(keeping: .status(status)).minimise(GoldenRecordings.read("push-approved")).recording
    #expect(small.eventCount <= other.eventCount, "\(small.eventCount) and \(other.eventCount)")
    #expect(FlowStatuses.of(small.flows[0], kinds: .standard).contains(status))
    #expect(!small.flows[0].records.contains { $0.event.data["outcome"] == "error" }, "a failure that is not recorded")
    #expect(try Replay.replay(small, depth: .core) == [])
    #expect(try Minimiser(keeping: .test { _ in true }).minimise(diverging).recording.eventCount == 1)
  }

  @Test("a status that the SDK does not make of the inputs is kept with the recorded events that lead to it")
  func recordedStatus() throws {
    let planted = PlantedFailure(
      name: "another status", recording: "push-approved", type: "status.changed", number: 1,
      change: .set(["status"], "MFA_WAITS"))
    let recording = try planted.plant()
    let small = try Minimiser(keeping: .status("MFA_WAITS")).minimise(recording).recording
    #expect(small.flows[0].records == Array(recording.flows[0].records.prefix(12)))
  }

  @Test("an imported archive keeps the recorded events that lead to a status, and folds")
  func archive() throws {
    let archive = HARExport.document(try GoldenRecordings.read("push-approved"))
    let recording = try HARImport.recording(name: "x.har", bytes: archive.bytes).recording
    let small = try Minimiser(keeping: .status("MFA_CHALLENGE")).minimise(recording).recording
    let flow = try #require(small.flows.first)
    #expect(
      flow.records.map(\.event.type) == [
        "flow.started", "call.made", "request.sent", "response.received", "status.changed", "request.sent",
      ])
    #expect(flow.records.map(\.cause) == [nil, nil, 1, 2, 3, 1])
    #expect(flow.records.allSatisfy { record in recording.flows[0].records.contains { $0.event == record.event } })
    let records = try small.records()
    #expect(records.map(\.revision) == Array(records.indices))
    #expect(try Recording(name: "again", records: records).flows == small.flows)
  }

  @Test("calls that recorded events name are those of the smaller flow")
  func recordedCalls() throws {
    var recording = try GoldenRecordings.read("push-approved")
    // An event that no SDK makes, after two calls of which the first leads to nothing that it needs.
    let end = try #require(recording.flows[0].records.last)
    let idle = FlowEvent.callMade(CallMade(call: "captured", arguments: [:]))
    let call = FlowRecord(revision: end.revision + 1, at: end.at, cause: nil, event: idle)
    let other = FlowRecord(revision: end.revision + 2, at: end.at, cause: nil, event: idle)
    let named: JSON = ["call": .int(other.revision)]
    let givenUp = CallMade(call: CallMade.giveUp, arguments: named, on: other.revision)
    let failed = CallReturned(call: other.revision, outcome: .failed(code: "odd", details: [:]))
    let rest: [(cause: Int?, event: FlowEvent)] = [
      (other.revision, .drawAsked(DrawAsked(kind: .uuid, input: named))),
      (other.revision, .domain(DomainEvent(type: "odd.event", version: 1, data: named))),
      (nil, .callMade(givenUp)), (other.revision, .callReturned(failed)),
    ]
    recording.flows[0].records += [call, other]
    for (index, next) in rest.enumerated() {
      recording.flows[0].records.append(
        FlowRecord(revision: other.revision + 1 + index, at: end.at, cause: next.cause, event: next.event))
    }
    let small = try Minimiser(keeping: .outcome("odd")).minimise(recording).recording
    let records = small.flows[0].records
    #expect(
      records.map(\.event.type) == [
        "flow.started", "call.made", "draw.asked", "odd.event", "call.made", "call.returned",
      ])
    #expect(records.map(\.cause) == [nil, nil, 1, 1, nil, 1], "\(records)")
    try #require(records.count == 6)
    #expect(records[2].event.data["input"]?["call"] == 1 && records[3].event.data["call"] == 1, "\(records)")
    #expect(records[4].event.data["arguments"]?["call"] == 1 && records[4].event.data["on"] == 1, "\(records)")
    #expect(records[5].event.data["call"] == 1, "\(records)")
  }

  @Test("what does not show it is refused")
  func notShown() throws {
    let recording = try GoldenRecordings.read("push-approved")
    for condition in [MinimiseCondition.diverges, .status("LOCKED_OUT"), .outcome("lockedOut")] {
      let error = try #require(throws: MinimiseError.self) {
        try Minimiser(keeping: condition).minimise(recording)
      }
      #expect(error.description.contains("push-approved"), "\(error)")
    }
    let diverging = try #require(PlantedFailure.all.first).plant()
    let error = try #require(throws: MinimiseError.self) {
      try Minimiser(keeping: .status("NOPE")).minimise(diverging)
    }
    #expect(error.description.contains("has no status NOPE"), "\(error)")
    #expect(throws: MinimiseError.self) {
      try Minimiser(keeping: .diverges).minimise(Recording(name: "empty", flows: []))
    }
  }

  @Test(
    "recordings with any event taken out or moved are minimised or refused, and never trap",
    arguments: ["push-approved", "idx-password", "device-enroll", "oidc-browser"])
  func damaged(name: String) throws {
    let whole = try GoldenRecordings.read(name)
    for index in stride(from: 0, to: whole.flows[0].records.count, by: 11) {
      var recording = whole
      let taken = recording.flows[0].records.remove(at: index)
      if index % 2 == 0 { recording.flows[0].records.append(taken) }
      guard let result = try? Minimiser(keeping: .diverges).minimise(recording).recording else { continue }
      #expect(result.eventCount <= recording.eventCount)
      #expect(try !Replay.replay(result).isEmpty)
    }
  }

  /// The events of the shortest recording that shows a divergence: of all selections of inputs before it, if they are few; of those
  /// that leave out up to three in a row otherwise.
  private func shortest(_ recording: Recording, showing key: KeptDivergence) throws -> Int {
    var best = recording.eventCount
    for flow in recording.flows {
      guard let kind = KindRegistry.standard.kind(of: flow.records), let reduction = kind.reductionForTest(of: flow),
        let divergent = reduction.divergent
      else { continue }
      let before = Array(1..<max(1, divergent))
      func look(_ steps: [Int]) {
        guard let made = reduction.make(FlowPlan(steps: [0] + steps + [divergent]))?.flow,
          made.records.count < best,
          let found = try? Replay.replay(Recording(name: "", flows: [made])).first, KeptDivergence(found) == key
        else { return }
        best = made.records.count
      }
      if divergent == 0 { continue }
      if before.count <= 8 {
        for selection in 0..<(1 << before.count) {
          look(before.enumerated().filter { selection >> $0.offset & 1 == 1 }.map(\.element))
        }
      } else {
        for prefix in 0...min(12, before.count) { look(Array(before.prefix(prefix))) }
      }
    }
    return best
  }
}

extension FlowKind {
  fileprivate static func reductionForTest(of flow: RecordedFlow) -> FlowReduction? {
    FlowReduction(flow, of: self, keepsDivergence: true)
  }
}
