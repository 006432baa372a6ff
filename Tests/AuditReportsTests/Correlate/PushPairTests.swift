import EventStore
import FlowRecording
import Testing

@testable import AuditReports

/// What joins a sign-in's push and a device's challenge, and what is called a contradiction.
@Suite struct PushPairTests {
  private static let start = Timestamp(microseconds: 1_768_467_600_000_000)

  private func time(_ seconds: Double) -> Timestamp {
    Timestamp(microseconds: Self.start.microseconds + Int64(seconds * 1_000_000))
  }

  private func seen(
    _ side: PushSighting.Side, _ stream: String, at seconds: Double, _ outcome: PushSighting.Outcome,
    ended: Double? = nil, change: (inout PushSighting) -> Void = { _ in }
  ) -> SeenPush {
    let record = FlowRecord(
      revision: 0, at: time(seconds), cause: nil, event: .noteAdded(NoteAdded(text: "")))
    var push = PushSighting(side, at: record)
    push.org = "https://acme.example/oauth2/default"
    push.userID = "00u1"
    push.outcome = outcome
    push.ended = ended.map(time)
    change(&push)
    return SeenPush(store: side.rawValue, stream: stream, push: push, user: nil)
  }

  private func device(
    _ stream: String, at seconds: Double, _ outcome: PushSighting.Outcome, answers: [(Double, String)] = [],
    change: (inout PushSighting) -> Void = { _ in }
  ) -> SeenPush {
    seen(.device, stream, at: seconds, outcome) { push in
      push.org = "https://acme.example"
      push.transaction = "ft-\(stream)"
      push.sent = time(seconds)
      push.expires = time(seconds + 600)
      push.answers = answers.map { PushSighting.Answer(at: time($0.0), word: $0.1) }
      change(&push)
    }
  }

  private func kinds(_ pair: PushPair) -> [Contradiction.Kind] { pair.contradictions.map(\.kind) }

  @Test func `thousands of pushes of one person are joined, each with its own`() {
    let count = 500
    let signIns = (0..<count).map {
      seen(.signIn, "in \($0)", at: Double($0) * 10, .approved, ended: Double($0) * 10 + 8)
    }
    let devices = (0..<count).map {
      device("out \($0)", at: Double($0) * 10 + 1, .approved, answers: [(Double($0) * 10 + 4, "approved")])
    }
    let (pairs, alone) = PushPair.join(signIns, devices.reversed())
    #expect(alone.isEmpty)
    #expect(pairs.map { $0.device.map(\.stream) } == (0..<count).map { ["out \($0)"] })
    // All at once: no more is held than that many a sign-in.
    let crowd = PushPair.join(
      signIns.indices.map { seen(.signIn, "in \($0)", at: 0, .open) },
      devices.indices.map { device("out \($0)", at: 0, .open) })
    #expect(crowd.pairs.count == PushIndex.most)
  }

  @Test func `the nearest in time of one person at one org is the same push`() throws {
    let signIns = [
      seen(.signIn, "a", at: 0, .approved, ended: 20), seen(.signIn, "b", at: 100, .rejected, ended: 110),
    ]
    let devices = [
      device("one", at: 1, .approved, answers: [(5, "approved")]),
      device("two", at: 101, .rejected, answers: [(104, "denied")]),
      device("three", at: 9_000, .timedOut),
    ]
    let (pairs, alone) = PushPair.join(signIns, devices.reversed())
    #expect(pairs.map { "\($0.signIn.stream) \($0.device.map(\.stream))" } == [#"a ["one"]"#, #"b ["two"]"#])
    #expect(alone.map(\.stream) == ["three"])
    #expect(pairs.flatMap(\.contradictions) == [])
  }

  @Test func `another person, another org, no person and another time are not the same push`() {
    let signIn = seen(.signIn, "a", at: 0, .approved, ended: 20)
    func joins(_ change: (inout PushSighting) -> Void, at seconds: Double = 1) -> Bool {
      !PushPair.join([signIn], [device("d", at: seconds, .approved, change: change)]).pairs.isEmpty
    }
    #expect(joins { _ in })
    #expect(joins { $0.org = "HTTPS://ACME.example".lowercased() })
    #expect(!joins { $0.userID = "00u2" })
    #expect(!joins { $0.userID = nil })
    #expect(!joins { $0.org = "https://evil.example" })
    #expect(!joins { $0.org = "https://acme.example.evil" })
    #expect(!joins { $0.org = nil })
    #expect(joins({ _ in }, at: 320) && !joins({ _ in }, at: 320.1))
    #expect(joins({ _ in }, at: -300) && !joins({ _ in }, at: -300.1))
  }

  @Test func `a transaction that both know decides alone`() {
    let signIn = seen(.signIn, "a", at: 0, .approved, ended: 20) { $0.transaction = "ft-d" }
    let same = PushPair.join([signIn], [device("d", at: 90_000, .approved) { $0.userID = "00u2" }])
    #expect(same.pairs.count == 1)
    #expect(PushPair.join([signIn], [device("e", at: 1, .approved)]).pairs.isEmpty)
  }

  @Test func `a challenge that came twice is one, whichever flow answered it`() {
    let signIn = seen(.signIn, "a", at: 0, .approved, ended: 20)
    let first = device("d", at: 1, .abandoned)
    let second = device("d2", at: 3, .approved, answers: [(5, "approved")]) { $0.transaction = "ft-d" }
    let (pairs, alone) = PushPair.join([signIn], [second, first])
    #expect(pairs.first?.device.map(\.stream) == ["d", "d2"] && alone.isEmpty)
    #expect(pairs.first.map(kinds) == [])
  }

  @Test func `each contradiction is named`() {
    func pair(_ here: PushSighting.Outcome, _ device: SeenPush..., number: Bool? = nil) -> PushPair {
      PushPair(signIn: seen(.signIn, "a", at: 0, here, ended: 20) { $0.showsNumber = number }, device: device)
    }
    let approved = device("d", at: 1, .approved, answers: [(5, "approved")])
    let denied = device("d", at: 1, .rejected, answers: [(5, "denied")])
    #expect(kinds(pair(.approved, approved)) == [])
    #expect(kinds(pair(.rejected, denied)) == [])
    #expect(kinds(pair(.timedOut, device("d", at: 1, .timedOut))) == [])
    #expect(kinds(pair(.open, approved)) == [])
    #expect(kinds(pair(.rejected, approved)) == [.approvedThereNotHere])
    #expect(kinds(pair(.timedOut, approved)) == [.approvedThereNotHere])
    #expect(kinds(pair(.approved, denied)) == [.approvedHereNotThere])
    #expect(kinds(pair(.approved, device("d", at: 1, .timedOut))) == [.approvedHereNotThere])
    // The org took an answer, and the device never heard that.
    #expect(kinds(pair(.approved, device("d", at: 1, .unknown, answers: [(5, "approved")]))) == [])
    #expect(
      kinds(pair(.approved, approved, device("d2", at: 2, .approved, answers: [(6, "approved")]))) == [.answeredTwice])
    let late = device("d", at: 1, .approved, answers: [(601.000_001, "approved")])
    #expect(kinds(pair(.approved, late)) == [.approvedAfterExpiry])
    let onTime = device("d", at: 1, .approved, answers: [(601, "approved")])
    #expect(kinds(pair(.approved, onTime)) == [])
    // What the device allows for clocks counts, and the document has the challenge's own time.
    let allowed = device("d", at: 1, .approved, answers: [(901, "approved")]) { $0.allowance = 300 }
    #expect(kinds(pair(.approved, allowed)) == [] && allowed.json["expires"] == .string(time(601).description))
    let later = device("d", at: 1, .approved, answers: [(901.000_001, "approved")]) { $0.allowance = 300 }
    #expect(kinds(pair(.approved, later)) == [.approvedAfterExpiry])
    let numbered = device("d", at: 1, .approved, answers: [(5, "approved")]) { $0.showsNumber = true }
    let plain = device("d", at: 1, .approved, answers: [(5, "approved")]) { $0.showsNumber = false }
    #expect(kinds(pair(.approved, numbered, number: false)) == [.numberNotShown])
    #expect(kinds(pair(.approved, plain, number: true)) == [.numberNotShown])
    #expect(kinds(pair(.approved, numbered, number: true)) == [])
    #expect(kinds(pair(.approved, plain)) == [])
  }

  @Test func `the document names both sides, the key and the answer`() {
    let device = device("d", at: 1, .approved, answers: [(5, "approved")]) { $0.facts = ["key": "K-1"] }
    let json = PushPair(signIn: seen(.signIn, "a", at: 0, .rejected, ended: 20), device: [device]).json
    #expect(json["key"] == "K-1" && json["answer"] == "approved" && json["answeredAfterMs"] == 4000)
    #expect(json["signIn"]?["flow"] == "a" && json["device"]?.array?.first?["transactionId"] == "ft-d")
    #expect(json["contradictions"]?.array?.first?["kind"] == "approvedThereNotHere")
  }
}
