import EventStore
import FlowKinds
import FlowRecording
import Scenarios
import Testing

@testable import Replay

/// Looking around in a recorded flow.
@Suite struct SessionTests {
  @Test("the state at each place is what folding the records up to it gives, forward and back")
  func states() async throws {
    let flow = try await record(.pushTimedOut)
    try #require(flow.records.count > 130)
    var session = try ReplaySession(flow)
    let kind = try #require(KindRegistry.standard.kind(of: flow.records))
    for index in flow.records.indices {
      #expect(session.index == index)
      if index % 13 == 0 || index % 64 < 2 {
        #expect(session.state == kind.state(folding: flow.records[...index]), "record \(index)")
        #expect(session.state(at: flow.records[index].revision) == session.state)
      }
      let isLast = index == flow.records.count - 1
      let hasStepped = session.step()
      #expect(hasStepped == !isLast)
    }
    for index in flow.records.indices.reversed().dropFirst() {
      session.stepBack()
      #expect(session.index == index)
    }
    let isBefore = session.stepBack()
    #expect(!isBefore)
  }

  @Test("it runs to a status, a request, a type, a revision, and back")
  func runs() async throws {
    var session = try ReplaySession(try await record(.pushApproved))
    func go(_ move: (inout ReplaySession) -> Bool) -> Bool { move(&session) }
    #expect(go { $0.run(until: .status("mfa_challenge")) })
    #expect(session.status == "MFA_CHALLENGE" && session.record.event.type == "status.changed")
    let challenge = session.revision
    #expect(go { $0.run(until: .request("/verify")) })
    #expect(session.record.event.type == "request.sent")
    #expect(go { $0.run(until: .nextStatus) })
    #expect(go { $0.runBack(to: .status("MFA_CHALLENGE")) })
    #expect(session.revision == challenge)
    #expect(go { $0.run(until: .type("flow.ended")) })
    let end = session.index
    #expect(!go { $0.run(until: .status("LOCKED_OUT")) })
    #expect(session.index == end)
    #expect(go { $0.go(to: 0) })
    #expect(session.index == 0)
    #expect(!go { $0.go(to: 10_000) })
    #expect(go { $0.run(until: .matching { $0.cause != nil }) })
    session.goToEnd()
    #expect(session.index == session.records.count - 1)
  }

  @Test("changes name the members, and origin the record that gave one its value")
  func changes() async throws {
    var session = try ReplaySession(try await record(.pushApproved))
    session.run(until: .status("MFA_REQUIRED"))
    let required = session.revision
    session.run(until: .status("MFA_CHALLENGE"))
    let changed = try #require(session.changes(from: required, to: session.revision))
    let status = try #require(changed.first { $0.after == "MFA_CHALLENGE" })
    #expect(status.before == "MFA_REQUIRED")
    let origin = try #require(session.origin(of: status.path))
    #expect(origin.revision <= session.revision && origin.change.after == "MFA_CHALLENGE")
    #expect(session.changes(from: 0, to: 10_000) == nil)
    #expect(session.origin(of: "nothing.of.that.name") == nil)
  }

  @Test("causes lead from a status back to the call, and to the status that the call was made on")
  func causes() async throws {
    var session = try ReplaySession(try await record(.pushApproved))
    session.run(until: .status("MFA_CHALLENGE"))
    let types = session.causes(of: session.revision).map(\.event.type)
    #expect(types.prefix(4) == ["status.changed", "response.received", "request.sent", "call.made"])
    #expect(types.last == "call.made")
    #expect(session.causes(of: 10_000).isEmpty)
  }

  @Test("causes that point forward or in a circle end")
  func crafted() async throws {
    var flow = try await record(.pushApproved)
    for index in flow.records.indices { flow.records[index].cause = flow.records[index].revision + 1 }
    let session = try ReplaySession(flow)
    for record in flow.records { #expect(session.causes(of: record.revision).count <= flow.records.count) }
  }

  @Test("a flow without records, or of an unknown kind, is refused")
  func refused() async throws {
    #expect(throws: ReplayError.empty(name: "s")) { try ReplaySession(RecordedFlow(stream: "s", records: [])) }
    let flow = try await record(.pushApproved)
    #expect(throws: ReplayError.unknownKind(stream: flow.stream, kind: "authn")) {
      try ReplaySession(flow, kinds: KindRegistry())
    }
  }

  @Test("paths of members reach into lists and objects, and nowhere else")
  func paths() {
    let state: JSON = ["a": ["b": [["c": 1], ["c": 2]]], "d": nil]
    #expect(StateChange.value(at: "a.b[1].c", in: state) == 2)
    #expect(StateChange.value(at: "a.b[2].c", in: state) == nil)
    #expect(StateChange.value(at: "a.b[x]", in: state) == nil)
    #expect(StateChange.value(at: "d", in: state) == .null)
    let changes = StateChange.between(state, ["a": ["b": [["c": 1]]], "e": true])
    #expect(changes.map(\.path) == ["a.b[1]", "d", "e"])
  }

  private func record(_ scenario: Scenario) async throws -> RecordedFlow {
    try #require(try await Recordings.record(scenario).flows.first)
  }
}
