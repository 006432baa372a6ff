import EventStore
import FlowRecording
import Replay
import Testing

/// Recorded sign-ins in which something goes otherwise.
@Suite struct WhatIfTests {
  private func flow(_ name: String) throws -> RecordedFlow {
    try #require(try GoldenRecordings.read(name).flows.first)
  }

  private func revision(of type: String, _ number: Int, in flow: RecordedFlow) throws -> Int {
    let found = flow.records.filter { $0.event.type == type }
    return try #require(found.indices.contains(number) ? found[number] : nil).revision
  }

  private func run(_ name: String, _ edits: FlowEdits) throws -> WhatIf.Result {
    let result = try WhatIf.run(flow(name), edits, of: name)
    // Whatever comes of it is a recording like any other.
    // The placeholders of scripted answers are numbered apart, so the decisions alone are run.
    for divergence in try Replay.replay(Recording(name: name, flows: [result.flow]), depth: .core) {
      Issue.record("\(divergence.message)")
    }
    let records = try Recording(name: name, flows: [result.flow]).records()
    #expect(try Recording(name: name, records: records).flows == [result.flow])
    return result
  }

  @Test("without an edit a flow comes to the same end, and names where it came from")
  func nothing() throws {
    for name in GoldenRecordings.names {
      for flow in try GoldenRecordings.read(name).flows {
        let result = try WhatIf.run(flow, FlowEdits([]))
        #expect(result.flow.records == flow.records, "\(name): \(result.ending)")
        #expect(!result.ending.isFinding, "\(name): \(result.ending)")
      }
    }
    let result = try run("password-only", FlowEdits([]))
    #expect(result.flow.records.contains { $0.event.data.text.contains("made of password-only") })
  }

  @Test("what a person writes into an answer is masked as an org's answer is: values, lists, names, queries, headers")
  func secrets() throws {
    let flow = try flow("push-approved")
    let request = try revision(of: "request.sent", 1, in: flow)
    let bodies = [
      #""hunter2""#, #"["hunter3"]"#, #"{"status":"SUCCESS","hunter4":"hunter5"}"#,
      #"{"status":"MFA_CHALLENGE","_links":{"next":{"href":"https://acme.example/x?token=hunter10"}}}"#,
      #"{"status":"MFA_CHALLENGE","stateToken":"$secret.hunter99$"}"#,
    ]
    for body in bodies {
      let edit = #"{"edits":[{"at":\#(request),"body":\#(body)}]}"#
      let path = "POST /api/v1/authn/factors/*/verify"
      let answer =
        #"{"edits":[{"at":\#(request),"missing":true}],"#
        + #""answers":[{"request":"\#(path)","status":200,"body":\#(body)}]}"#
      for file in [edit, answer] {
        let result = try run("push-approved", FlowEdits(parsing: Array(file.utf8)))
        let text = result.flow.records.map(\.event.data.text).joined()
        #expect(!text.contains("hunter"), "\(file)")
      }
    }
  }

  @Test("where the new flow begins to differ, and where it ends, is said in its own revisions")
  func ownRevisions() throws {
    let flow = try flow("push-approved")
    let poll = try revision(of: "request.sent", 2, in: flow)
    let answer = try #require(flow.records.first { $0.cause == poll }).revision
    let headers = [(name: "Retry-After", value: "2")]
    let limited = try run(
      "push-approved",
      FlowEdits([FlowEdit(at: poll, .answer(status: 429, headers: headers, body: nil, isMalformed: false))]))
    let ended = try revision(of: "flow.ended", 0, in: limited.flow)
    #expect(limited.firstDifference == answer && limited.endingRevision == ended)
    #expect(try ended == revision(of: "flow.ended", 0, in: flow) - 1, "a refused poll updates no factor")
    let late = try run("push-approved", FlowEdits([FlowEdit(at: poll, .late(3_000))]))
    #expect(late.firstDifference == answer, "the same event, at another time")
    let first = try revision(of: "request.sent", 0, in: flow)
    let failed = try run("push-approved", FlowEdits([FlowEdit(at: first, .lost("cannotConnect"))]))
    let last = try #require(failed.flow.records.last { ["call.returned", "flow.ended"].contains($0.event.type) })
    #expect(failed.firstDifference == first + 1 && failed.endingRevision == last.revision)
    let asked = try #require(flow.records.last { $0.event.type == "request.sent" }).revision
    let open = try run("push-approved", FlowEdits([FlowEdit(at: asked, .missing)]))
    #expect(open.ending.description.hasPrefix("unanswered"), "\(open.ending)")
    #expect(open.endingRevision == asked && open.firstDifference == asked + 1)
  }

  @Test(
    "the note of the origin is no difference, wherever it stands",
    arguments: ["wrong-password", "push-approved", "device-pull", "oidc-browser"])
  func noteIsNoDifference(name: String) throws {
    for flow in try GoldenRecordings.read(name).flows {
      let result = try WhatIf.run(flow, FlowEdits([]), of: name)
      #expect(result.firstDifference == nil, "\(flow.stream)")
    }
  }

  @Test("what differs behind a note is named by its own revision, however long the note is")
  func differenceBehindNote() throws {
    let flow = try flow("left-while-polling")
    let answer = try revision(of: "response.received", 2, in: flow)
    let release = try #require(flow.records.last { $0.event.data["call"] == "release" }).revision
    let edits = FlowEdits([FlowEdit(at: answer, .after(release))])
    for name in ["x", String(repeating: "x", count: 70_000)] {
      let result = try WhatIf.run(flow, edits, of: name)
      let moved = try #require(result.flow.records.first { $0.event.data["call"] == "release" }).revision
      #expect(result.isNoted && result.firstDifference == moved)
    }
  }

  @Test("the placeholders of the recording stay, so that a changed copy of a body keeps its handles")
  func placeholders() throws {
    let flow = try flow("push-approved")
    let answer = try #require(flow.records.first { $0.event.type == "response.received" })
    guard case .responseReceived(let response) = answer.event, case .json(let body) = response.body else {
      Issue.record("an answer has a body")
      return
    }
    #expect(body.text.contains("$secret."))
    let edit = FlowEdit(at: answer.revision, .answer(status: nil, headers: [], body: body, isMalformed: false))
    let result = try WhatIf.run(flow, FlowEdits([edit]))
    #expect(result.flow.records.map(\.event) == flow.records.map(\.event))
  }

  @Test("a flow that is let go of has its note before that, and replays whole")
  func noteBeforeRelease() throws {
    let flow = try flow("wrong-password")
    let request = try revision(of: "request.sent", 0, in: flow)
    let result = try WhatIf.run(flow, FlowEdits([FlowEdit(at: request, .late(5))]), of: "x")
    #expect(result.isNoted && result.flow.records.count == flow.records.count + 1)
    let release = try #require(result.flow.records.firstIndex { $0.event.data["call"] == "release" })
    let note = try #require(result.flow.records.firstIndex { $0.event.type == "note.added" })
    #expect(note < release)
    #expect(try Replay.replay(Recording(name: "x", flows: [result.flow])).isEmpty)
  }

  @Test("a draw is answered by one of its kind alone")
  func draws() throws {
    let flow = try flow("device-fallback-not-enrolled")
    let result = try WhatIf.run(
      flow, FlowEdits([FlowEdit(at: 18, .answer(status: 429, headers: [], body: nil, isMalformed: false))]))
    for record in result.flow.records {
      guard case .drawMade(let made) = record.event,
        let asked = result.flow.records.first(where: { $0.revision == record.cause }),
        case .drawAsked(let draw) = asked.event
      else { continue }
      #expect(made.kind == draw.kind, "\(record.revision)")
    }
    let divergences = try Replay.replay(Recording(name: "x", flows: [result.flow]), depth: .core)
    #expect(divergences.isEmpty, "\(divergences.map(\.message))")
  }

  @Test(
    "what a file of edits says wrongly is named",
    arguments: [
      (#"{"edits":[{"at":8,"malformed":"yes"}]}"#, "'malformed'"),
      (#"{"edits":[{"at":8,"missing":false}]}"#, "'missing'"),
      (#"{"edits":[{"at":8,"cancelled":0}]}"#, "'cancelled'"), (#"{"edits":[{"at":8,"headers":"x"}]}"#, "'headers'"),
      (#"{"edits":[{"at":8,"status":429,"headers":["Retry-After: 2"]}]}"#, "'headers'"),
      (#"{"edits":[{"at":8,"status":429,"boddy":{}}]}"#, "'boddy'"),
      (#"{"answers":[{"request":"GET /","status":200,"boddy":{}}]}"#, "'boddy'"),
      (#"{"answers":[{"request":"GET /","status":200,"malformed":true}]}"#, "'malformed'"),
      ("edits: []", "at byte 0"), ("", "at byte 0"), (#"{"edits":[}"#, "at byte 10"),
    ])
  func named(text: String, word: String) throws {
    let error = try #require(throws: EditError.self) { try FlowEdits(parsing: Array(text.utf8)) }
    #expect(error.description.contains(word), "\(error)")
    _ = try FlowEdits(parsing: [0xEF, 0xBB, 0xBF] + Array("{}".utf8))
  }

  @Test("two edits of one answer, an edit behind itself or what it leads to, and an unrecorded header are refused")
  func places() throws {
    let flow = try flow("push-approved")
    let answer = try #require(flow.records.first { $0.event.type == "response.received" })
    let request = try #require(answer.cause)
    let last = try #require(flow.records.last { $0.event.type == "response.received" }).revision
    let timers = flow.records.filter { $0.event.type == "timer.fired" }.map(\.revision)
    let polls = try [2, 3].map { try revision(of: "request.sent", $0, in: flow) }
    func change(_ headers: [(name: String, value: String)] = []) -> FlowEdit.Change {
      .answer(status: 429, headers: headers, body: nil, isMalformed: false)
    }
    let cases: [([FlowEdit], String)] = [
      ([FlowEdit(at: request, change()), FlowEdit(at: answer.revision, .lost("timedOut"))], "one input"),
      ([FlowEdit(at: request, .after(answer.revision))], "the same input"),
      ([FlowEdit(at: request, change([("X-Nothing", "1")]))], "'X-Nothing'"),
      ([FlowEdit(at: request, .missing), FlowEdit(at: answer.revision, change())], "the edit at \(request) takes out"),
      (
        [FlowEdit(at: request, .missing), FlowEdit(at: last, .after(answer.revision))],
        "revision \(answer.revision), which another edit takes out"
      ),
      ([FlowEdit(at: request, .after(100_000))], "100000, which is no input of the recording"),
      ([FlowEdit(at: polls[0], .after(last))], "\(last), which comes only because of what the edit moves"),
      ([FlowEdit(at: polls[1], .after(timers[1]))], "\(timers[1]), which comes only because of what the edit moves"),
    ]
    for (edits, words) in cases {
      let error = try #require(throws: EditError.self) { try WhatIf.run(flow, FlowEdits(edits)) }
      #expect(error.description.contains(words), "\(error)")
    }
  }

  @Test("a timer that is moved before the event that sets it runs out in its place")
  func movedTimer() throws {
    let flow = try flow("push-approved")
    let timers = flow.records.filter { $0.event.type == "timer.fired" }.map(\.revision)
    let result = try run("push-approved", FlowEdits([FlowEdit(at: timers[1], .after(timers[0]))]))
    #expect(result.firstDifference == nil && result.unused.isEmpty, "\(result.unused)")
  }

  @Test("edits behind others that take events out or add some are at the revisions of the recording")
  func recordedRevisions() throws {
    let push = try flow("push-approved")
    let polls = try [2, 3, 4].map { try revision(of: "request.sent", $0, in: push) }
    let spoiled = FlowEdit(at: polls[2], .answer(status: 500, headers: [], body: nil, isMalformed: false))
    func changed(_ edits: [FlowEdit]) throws -> FlowRecord {
      let records = try run("push-approved", FlowEdits(edits)).flow.records
      return try #require(records.first { $0.event.data["status"]?.int == 500 })
    }
    let alone = try changed([spoiled])
    // One that does not come takes what follows from it out, and one that is lost brings a timer and a request.
    for first in [FlowEdit.Change.missing, .lost("timedOut"), .late(1_000)] {
      let together = try changed([FlowEdit(at: polls[0], first), spoiled])
      #expect(together.event.data["body"]?["status"] == "SUCCESS", "\(first)")
      if case .missing = first { #expect(together.revision < alone.revision) }
    }
  }

  @Test("a 429 with Retry-After is waited for, and the recorded answer follows")
  func rateLimit() throws {
    let flow = try flow("push-approved")
    let request = try revision(of: "request.sent", 2, in: flow)
    let edits = try FlowEdits(
      parsing: Array(
        #"{"edits":[{"at":\#(request),"status":429,"headers":{"Retry-After":"2"},"body":{"errorCode":"E0000047"}}]}"#
          .utf8))
    let result = try run("push-approved", edits)
    #expect(result.ending == .ended("success"), "\(result.ending)")
    let limited = try #require(result.flow.records.first { $0.event.data["status"]?.int == 429 })
    #expect(result.flow.records.contains { $0.event.type == "timer.set" && $0.cause == limited.revision })
  }

  @Test("a lost poll is asked again, a lost sign-in fails, a wrong body is named")
  func lost() throws {
    let push = try flow("push-approved")
    let poll = try revision(of: "request.sent", 2, in: push)
    #expect(try run("push-approved", FlowEdits([FlowEdit(at: poll, .lost("timedOut"))])).ending == .ended("success"))
    let first = try revision(of: "request.sent", 0, in: push)
    let failed = try run("push-approved", FlowEdits([FlowEdit(at: first, .lost("cannotConnect"))]))
    #expect(
      failed.ending.description.hasPrefix("failed") || failed.ending.description.hasPrefix("ended"), "\(failed.ending)")
    #expect(!failed.unused.isEmpty)
    let locked = try run(
      "push-approved",
      FlowEdits([
        FlowEdit(at: first, .answer(status: nil, headers: [], body: ["status": "LOCKED_OUT"], isMalformed: false))
      ]))
    #expect(locked.ending == .ended("lockedOut") || locked.ending == .waits("LOCKED_OUT"), "\(locked.ending)")
  }

  @Test("scripted answers come after the recorded ones; without one the flow ends named")
  func scripted() throws {
    let flow = try flow("push-timed-out")
    let polls = flow.records.filter { $0.event.type == "request.sent" }
    let last = try #require(polls.last).revision
    let edits = FlowEdits([FlowEdit(at: last, .missing)])
    let open = try run("push-timed-out", edits)
    #expect(open.ending.description.hasPrefix("unanswered POST /api/v1/authn/factors/*/verify"), "\(open.ending)")
    let script =
      #"{"edits":[{"at":\#(last),"missing":true}],"answers":[{"request":"POST /api/v1/authn/factors/*/verify","status":200,"body":{"status":"SUCCESS","sessionToken":"live-token"}}]}"#
    let ended = try run("push-timed-out", FlowEdits(parsing: Array(script.utf8)))
    #expect(ended.ending == .ended("success"), "\(ended.ending)")
    #expect(ended.unusedAnswers.isEmpty)
    let spare = try run("push-timed-out", FlowEdits([], answers: FlowEdits(parsing: Array(script.utf8)).answers))
    #expect(spare.unusedAnswers.map(\.request) == ["POST /api/v1/authn/factors/*/verify"], "no request asked for it")
    let text = ended.flow.records.map(\.event.data.text).joined()
    #expect(!text.contains("live-token"), "a secret of a script is masked")
  }

  @Test("an answer that an edit replaced is given after the scripted ones, and still serves without one")
  func scriptedBeforeReplaced() throws {
    let flow = try flow("push-approved")
    let last = try #require(flow.records.last { $0.event.type == "request.sent" }).revision
    let waiting = try #require(
      flow.records.last { $0.event.data["body"]?["factorResult"] == "WAITING" }?.event)
    guard case .responseReceived(let response) = waiting, case .json(let body) = response.body else {
      Issue.record("a poll that is not answered yet has a body")
      return
    }
    let change = FlowEdit.Change.answer(status: nil, headers: [], body: body, isMalformed: false)
    let edits = [FlowEdit(at: last, change)]
    #expect(try run("push-approved", FlowEdits(edits)).ending == .ended("success"))
    let script =
      #"{"answers":[{"request":"POST /api/v1/authn/factors/*/verify","status":200,"#
      + #""body":{"status":"MFA_CHALLENGE","factorResult":"REJECTED","stateToken":"x"}}]}"#
    let answers = try FlowEdits(parsing: Array(script.utf8)).answers
    let rejected = try run("push-approved", FlowEdits(edits, answers: answers))
    #expect(rejected.unusedAnswers.isEmpty, "\(rejected.ending)")
    #expect(rejected.flow.records.contains { $0.event.data.text.contains("REJECTED") })
    #expect(rejected.ending != .ended("success"), "\(rejected.ending)")
  }

  @Test("what is late comes so much later, and the application waits for it; a timer runs as long as it says")
  func late() throws {
    let flow = try flow("push-approved")
    let times = { (flow: RecordedFlow) in flow.records.map { $0.at.microseconds } }
    let first = try revision(of: "request.sent", 0, in: flow)
    let result = try run("push-approved", FlowEdits([FlowEdit(at: first, .late(3_000))]))
    #expect(result.ending == .ended("success") && result.unused.isEmpty)
    #expect(result.flow.records.dropLast().map(\.event) == flow.records.map(\.event))
    let answer = try #require(flow.records.firstIndex { $0.cause == first })
    for (index, (before, after)) in zip(times(flow), times(result.flow)).enumerated() {
      #expect(after - before == (index < answer ? 0 : 3_000_000), "\(index)")
    }
    // The pause that the org asks for is as long as the new timer says.
    let poll = try revision(of: "request.sent", 2, in: flow)
    let limited = try run(
      "push-approved",
      FlowEdits([
        FlowEdit(at: poll, .answer(status: 429, headers: [("Retry-After", "2")], body: nil, isMalformed: false))
      ]))
    for record in limited.flow.records {
      guard case .timerFired = record.event,
        let set = limited.flow.records.first(where: { $0.revision == record.cause }),
        case .timerSet(let timer) = set.event
      else { continue }
      #expect(record.at.microseconds - set.at.microseconds == Int64(timer.milliseconds) * 1_000)
    }
  }

  @Test("an edit that could change nothing is refused")
  func nothingToChange() throws {
    let flow = try flow("push-approved")
    let call = try revision(of: "call.made", 0, in: flow)
    let timer = try revision(of: "timer.fired", 0, in: flow)
    for edit in [
      FlowEdit(at: call, .cancelled), FlowEdit(at: 0, .cancelled), FlowEdit(at: call, .late(5)),
      FlowEdit(at: timer, .missing), FlowEdit(at: 0, .missing), FlowEdit(at: 0, .after(call)),
    ] {
      #expect(throws: EditError.self) { try WhatIf.run(flow, FlowEdits([edit])) }
    }
  }

  @Test("an edit that has no place in the new flow is named among what was not used")
  func noPlace() throws {
    let flow = try flow("push-approved")
    let first = try revision(of: "response.received", 0, in: flow)
    let second = try revision(of: "response.received", 1, in: flow)
    let edits = [(first, 401), (second, 429)].map { at, status in
      FlowEdit(at: at, .answer(status: status, headers: [], body: nil, isMalformed: false))
    }
    let result = try run("push-approved", FlowEdits(edits))
    #expect(result.unused.contains(second) && !result.unused.contains(first), "\(result.unused)")
  }

  @Test("a call that is cancelled ends, and a late answer changes nothing")
  func cancelled() throws {
    let flow = try flow("push-approved")
    let request = try revision(of: "request.sent", 1, in: flow)
    let result = try run("push-approved", FlowEdits([FlowEdit(at: request, .cancelled)]))
    #expect(result.flow.records.contains { $0.event.data["outcome"] == "cancelled" })
    #expect(!result.ending.isFinding, "\(result.ending)")
  }

  @Test(
    "a file of edits that says nothing is refused in one sentence",
    arguments: [
      "", "[]", "{\"edit\":[]}", "{\"edits\":{}}", "{\"edits\":[{}]}", "{\"edits\":[{\"at\":3}]}",
      "{\"edits\":[{\"at\":-1,\"missing\":true}]}", "{\"edits\":[{\"at\":3,\"status\":42}]}",
      "{\"edits\":[{\"at\":3,\"lost\":\"x\"}]}", "{\"edits\":[{\"at\":3,\"late\":-5}]}",
      "{\"edits\":[{\"at\":3,\"after\":\"x\"}]}", "{\"answers\":[{\"request\":\"POST /\"}]}",
      "{\"edits\":[{\"at\":3,\"status\":200,\"headers\":{\"A\":1}}]}",
    ])
  func malformed(text: String) throws {
    let error = try #require(throws: EditError.self) { try FlowEdits(parsing: Array(text.utf8)) }
    #expect(!error.description.isEmpty && !error.description.contains("\n"))
  }

  @Test("a file of very many edits is read", .timeLimit(.minutes(1)))
  func manyEdits() throws {
    let edits = (0..<100_000).map { #"{"at":\#($0),"missing":true}"# }.joined(separator: ",")
    #expect(try FlowEdits(parsing: Array(#"{"edits":[\#(edits)]}"#.utf8)).edits.count == 100_000)
  }

  @Test("an edit at a place that is no input is refused")
  func nowhere() throws {
    let flow = try flow("push-approved")
    #expect(throws: EditError.self) { try WhatIf.run(flow, FlowEdits([FlowEdit(at: 9_999, .missing)])) }
    #expect(throws: EditError.self) { try WhatIf.run(flow, FlowEdits([FlowEdit(at: 1, .lost("timedOut"))])) }
  }

  @Test(
    "with any request unanswered, refused or cancelled, the new flow replays whole: calls are made on what they were for",
    arguments: ["idx-policy-standard", "idx-registration", "polling-stopped", "push-approved"])
  func replaysWhole(name: String) throws {
    let limited: FlowEdit.Change = .answer(
      status: 429, headers: [(name: "Retry-After", value: "1")], body: nil, isMalformed: false)
    let changes: [FlowEdit.Change] = [
      .lost("timedOut"), .cancelled, .missing, limited,
      .answer(status: nil, headers: [], body: nil, isMalformed: true),
    ]
    let flow = try flow(name)
    let answers = flow.records.filter { ["response.received", "request.failed"].contains($0.event.type) }
    #expect(answers.count > 2)
    for answer in answers {
      for change in changes {
        let result = try WhatIf.run(flow, FlowEdits([FlowEdit(at: answer.revision, change)]), of: name)
        for divergence in try Replay.replay(Recording(name: name, flows: [result.flow])) {
          Issue.record("\(answer.revision) \(change): \(divergence.message)")
        }
      }
    }
  }

  @Test("a code for one authenticator is not sent as the password, though the forms have one name")
  func anotherPage() throws {
    let flow = try flow("idx-policy-standard")
    let answered = flow.records.filter { record in
      guard let cause = record.cause, let sent = flow.records.first(where: { $0.revision == cause }) else {
        return false
      }
      return sent.event.data["url"]?.string?.hasSuffix("/challenge/answer") == true
    }
    let password = try #require(answered.first)
    let code = try #require(
      flow.records.last { $0.event.type == "call.made" && $0.event.data["arguments"]?["form"] != nil })
    let result = try run("idx-policy-standard", FlowEdits([FlowEdit(at: password.revision, .lost("timedOut"))]))
    #expect(result.unused.contains(code.revision), "\(result.unused)")
    #expect(result.ending == .failed("internalError"), "\(result.ending)")
    let sent = result.flow.records.filter { $0.event.data["body"]?["credentials"] != nil }
    #expect(sent.count == 1)
  }
}
