import Authn
import EventStore
import FlowKinds
import FlowRecording
import Scenarios
import Synchronization
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

  @Test("with calls that wait and wait, the origin of a member is the record that gave it its value all the same")
  func originsBesideIdleCalls() async throws {
    var flow = try await record(.pushApproved)
    let last = try #require(flow.records.last)
    for number in 1...150 {
      let call = FlowEvent.callMade(CallMade(call: "authenticate", arguments: ["username": "ann@acme.example"]))
      flow.records.append(FlowRecord(revision: last.revision + number, at: last.at, cause: nil, event: call))
    }
    var session = try ReplaySession(flow)
    session.goToEnd()
    for path in ["org", "status", "lastError", "outcome", "calls", "latest", "statuses", "userAgent", "nothing"] {
      let value = StateChange.value(at: path, in: session.state)
      var index = flow.records.count - 1
      while index > 0, let before = session.state(at: flow.records[index - 1].revision),
        StateChange.value(at: path, in: before) == value
      {
        index -= 1
      }
      #expect(session.origin(of: path)?.revision == (value == nil ? nil : flow.records[index].revision), "\(path)")
    }
  }

  @Test("the cost of an origin grows with the calls that wait, not with their square")
  func costOfOrigins() throws {
    func cost(_ count: Int) throws -> Int {
      let start = FlowEvent.flowStarted(
        FlowStarted(kind: "authn", sdk: "FlowRecorder/0.1.0", settings: ["org": "https://acme.example"]))
      let call = FlowEvent.callMade(CallMade(call: "authenticate", arguments: ["username": "ann@acme.example"]))
      let events = [start] + Array(repeating: call, count: count)
      let flow = RecordedFlow(
        stream: "authn/1",
        records: events.enumerated().map { index, event in
          FlowRecord(revision: index, at: Timestamp(microseconds: 0), cause: nil, event: event)
        })
      var session = try ReplaySession(flow, kinds: KindRegistry([ListingKind.self]))
      session.goToEnd()
      ListingKind.listed.withLock { $0 = 0 }
      #expect(session.origin(of: "org")?.revision == 0)
      #expect(session.origin(of: "calls.\(count / 2)")?.revision == count / 2)
      return ListingKind.listed.withLock { $0 }
    }
    let (few, many) = (try cost(500), try cost(4_000))
    #expect(many < 16 * few, "\(few), \(many)")
  }

  @Test("a call is idle if nothing came of it: requests without an answer, and a cancellation, are nothing")
  func idleCalls() {
    let made = { (name: String) in FlowEvent.callMade(CallMade(call: name, arguments: [:])) }
    let sent = FlowEvent.requestSent(RequestSent(method: "GET", url: "https://acme.example", headers: [], body: nil))
    let received = FlowEvent.responseReceived(ResponseReceived(status: 200, headers: [], body: .empty))
    let events: [(FlowEvent, cause: Int?)] = [
      (made("a"), nil), (made("b"), nil), (sent, 1), (made("c"), nil), (sent, 3), (received, 4), (made("d"), nil),
      (.callMade(CallMade(call: CallMade.giveUp, arguments: ["call": 6])), nil), (made("e"), nil),
      (.callReturned(CallReturned(call: 8, outcome: .cancelled)), nil), (made("f"), nil),
      (.callReturned(CallReturned(call: 10, outcome: .done)), nil),
    ]
    let records = events.enumerated().map { index, event in
      FlowRecord(revision: index, at: Timestamp(microseconds: 0), cause: event.cause, event: event.0)
    }
    #expect(IdleCalls.revisions(in: records[...]) == [0, 1, 8])
    #expect(IdleCalls.revisions(in: records[...4]) == [0, 1, 3])
  }

  @Test("why a member has its value is found in a flow of thousands of finished calls")
  func longFlow() async throws {
    let flow = try await record(.pushApproved)
    // Up to the end of the first call; the second call, whose answer brings MFA_CHALLENGE, comes again and again.
    let firstEnd = try #require(flow.records.firstIndex { $0.event.type == "call.returned" })
    let secondEnd = try #require(
      flow.records.indices.first { $0 > firstEnd && flow.records[$0].event.type == "call.returned" })
    var records = Array(flow.records[...firstEnd])
    let call = flow.records[(firstEnd + 1)...secondEnd]
    let (begin, count) = (call[firstEnd + 1].revision, call.count)
    let first = try #require(records.last?.revision) + 1
    let times = 2_000
    for time in 0..<times {
      let shift = first + time * count - begin
      for (offset, record) in call.enumerated() {
        var event = record.event
        if case .callReturned(var returned) = event {
          returned.call += shift
          event = .callReturned(returned)
        }
        records.append(
          FlowRecord(
            revision: first + time * count + offset, at: record.at,
            cause: record.cause.map { $0 >= begin ? $0 + shift : $0 }, event: event))
      }
    }
    var session = try ReplaySession(RecordedFlow(stream: flow.stream, records: records))
    session.goToEnd()
    let origin = try #require(session.origin(of: "status"))
    #expect(origin.change.before == "MFA_REQUIRED" && origin.change.after == "MFA_CHALLENGE", "\(origin)")
    #expect(origin.revision < first + count)
    // What the records further back say is found all the same.
    let offset = try #require(call.firstIndex { $0.event.type == "status.changed" }) - (firstEnd + 1)
    let status = first + 100 * count + offset
    session.go(to: first + 300 * count)
    #expect(session.origin(of: "statuses.\(status)")?.revision == status)
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
    // Names have periods, those of masked members for instance.
    let masked: JSON = ["a": ["$secret.key.1$": ["b": [7]]], "c.d": 1, "c": ["d": 2]]
    #expect(StateChange.value(at: "a.$secret.key.1$.b[0]", in: masked) == 7)
    #expect(StateChange.value(at: "c.d", in: masked) == 2)
    #expect(StateChange.value(at: "a.$secret.key.2$", in: masked) == nil)
    let changes = StateChange.between(state, ["a": ["b": [["c": 1]]], "e": true])
    #expect(changes.map(\.path) == ["a.b[1]", "d", "e"])
  }

  private func record(_ scenario: Scenario) async throws -> RecordedFlow {
    try #require(try await Recordings.record(scenario).flows.first)
  }
}

/// The classic sign-in, whose states are counted by how many calls they list.
private enum ListingKind: FlowKind {
  typealias Core = AuthnCore

  static let listed = Mutex(0)

  static func state(of core: AuthnCore) -> JSON {
    listed.withLock { $0 += 1 + core.openCalls.count }
    return AuthnKind.state(of: core)
  }

  static func note(_ type: String, _ data: () -> JSON, in facts: inout SignInFacts) {}
}
