import Authn
import DeviceAuthenticator
import EventStore
import FlowRecording
import Foundation
import IDX
import OIDC
import Testing

@testable import Replay

/// What shows in no event: states, and the sentences of errors.
@Suite struct RecordedDigestsTests {
  /// A flow with other digests than it has, as if the SDK had changed since.
  private func recording(_ name: String, change: (inout RecordedDigests.Flow) -> Void) throws -> Recording {
    var recording = try GoldenRecordings.read(name)
    var digests = try #require(recording.digests)
    let stream = try #require(recording.flows.first?.stream)
    change(&digests[stream])
    recording.digests = digests
    return recording
  }

  @Test("each golden recording has digests, which its replay compares; of some they are made again")
  func golden() throws {
    for (number, path) in GoldenRecordingTests.paths.enumerated() {
      let recording = try Recording(contentsOf: path)
      let digests = try #require(recording.digests, "\(path)")
      #expect(recording.flows.allSatisfy { digests[$0.stream].states.count == $0.records.count }, "\(path)")
      if number.isMultiple(of: 12) {
        #expect(digests == RecordedDigests(of: recording.flows, declarations: true), "\(path)")
      }
    }
  }

  @Test("a state that was another is a divergence at its event, with what changes", arguments: ReplayDepth.allCases)
  func state(depth: ReplayDepth) throws {
    let changed = try recording("push-approved") { flow in
      let index = flow.states.lastIndex { $0 != nil } ?? 0
      flow.states[index] = "0000"
    }
    let flow = changed.flows[0]
    let index = try #require(changed.digests?[flow.stream].states.lastIndex { $0 == "0000" })
    let found = try Replay.divergences(of: changed, depth: depth)[0]
    #expect(found.count == 1)
    let first = try #require(found.first)
    #expect(first.kind == .state && first.revision == flow.records[index].revision && first.call != nil)
    #expect(first.path?.hasPrefix("state.") == true && first.recorded == "digest 0000")
    #expect(first.message.contains("the state is another after \(flow.records[index].event.type)"))
    let member = try #require(first.path?.dropFirst("state.".count))
    #expect(first.replayed?[String(member)] != nil && first.before.count == 3)
  }

  @Test("a state that changes where none did, and the other way round")
  func otherwise() throws {
    let more = try recording("push-approved") { flow in
      let index = flow.states.firstIndex { $0 == nil } ?? 0
      flow.states[index] = "0000"
    }
    #expect(try Replay.replay(more).map(\.path) == ["state"])
    #expect(try Replay.replay(more).first?.replayed == "as before")
    let less = try recording("push-approved") { flow in flow.states[0] = nil }
    #expect(try Replay.replay(less).map(\.revision) == [0])
    #expect(try Replay.replay(less).first?.recorded == "as before")
  }

  @Test("an error that said something else is a divergence of a whole replay")
  func error() throws {
    let changed = try recording("wrong-password") { flow in
      for call in flow.errors.keys { flow.errors[call] = "0000" }
    }
    let flow = changed.flows[0]
    #expect(changed.digests?[flow.stream].errors.isEmpty == false)
    let found = try Replay.replay(changed)
    #expect(found.map(\.path) == ["error"] && found.map(\.kind) == [.state])
    #expect(found.first?.expected?["type"]?.string == CallReturned.type)
    #expect(found.first?.replayed?.string?.isEmpty == false)
    #expect(try Replay.replay(changed, depth: .core) == [])
  }

  @Test("what a kind declares is compared part by part, and named", arguments: ReplayDepth.allCases)
  func declarations(depth: ReplayDepth) throws {
    let parts = KindDeclarations.digests(of: AuthnKind.self)
    #expect(parts.count > 9 && Set(parts.keys).isSuperset(of: ["response", "draws", "tables.errors", "runtime.dates"]))
    for part in parts.keys {
      let changed = try recording("push-approved") { $0.declared[part] = "zzzz" }
      let found = try Replay.divergences(of: changed, depth: depth)[0]
      #expect(found.map(\.path) == ["declared.\(part)"] && found.map(\.kind) == [.state] && found[0].revision == 0)
      let what =
        part.hasPrefix("runtime.")
        ? "the runtime makes something else of fixed inputs" : "the kind authn declares something else"
      #expect(found[0].message.hasSuffix("\(what): \(part)"))
    }
    // A part that was not there, and one that is gone.
    let fewer = try recording("push-approved") { $0.declared["paths"] = nil }
    #expect(try Replay.replay(fewer, depth: depth).map(\.recorded) == ["nothing"])
    let more = try recording("push-approved") { $0.declared["colors"] = "0000" }
    #expect(try Replay.replay(more, depth: depth).map(\.replayed) == ["nothing"])
    let none = try recording("push-approved") { $0.declared = [:] }
    #expect(try Replay.replay(none, depth: depth) == [])
  }

  @Test("a place of an answer that may be written from now on is another declaration, wherever it stands")
  func places() throws {
    let digests = try [AuthnKind.self as any FlowKind.Type, IDXKind.self, OIDCKind.self, DeviceKind.self].map {
      try #require(KindDeclarations.digests(of: $0)["response"])
    }
    #expect(Set(digests).count == 4)
    let schemas: [WireSchema] = [
      .text, .secret("a"), .secret("b"), .setting(.text), .array(.text), .object([:]), .object(["a": .text]),
      .object(["a": .secret("a")]), .map(.text), .word(["a"]), .word(["a", "b"]),
      .depending { $0.string == nil ? .text : .secret("a") }, .depending { $0.int == nil ? .text : .secret("a") },
      .depending { $0["secret"] == true ? .secret("a") : .text },
    ]
    #expect(Set(schemas.map { KindDeclarations.lines($0) }).count == schemas.count)
  }

  @Test("the first flow of each kind has what the kind declares, in the SDK's own recordings alone")
  func declarationsOnce() throws {
    let golden = try GoldenRecordings.read("varied-authn")
    let digests = try #require(golden.digests)
    #expect(
      golden.flows.count > 1 && golden.flows.map { digests[$0.stream].declared.isEmpty }.filter { !$0 }.count == 1)
    let own = golden.withDigests()
    #expect(own.digests == digests, "what had them keeps them")
    let plain = Recording(name: "plain", flows: golden.flows).withDigests()
    #expect(plain.digests?.hasDeclarations == false)
    var declared = try #require(plain.digests)
    declared[golden.flows[0].stream].declared = digests[golden.flows[0].stream].declared
    #expect(golden.flows.allSatisfy { declared[$0.stream].variants.isEmpty && !digests[$0.stream].variants.isEmpty })
    for flow in golden.flows { declared[flow.stream].variants = digests[flow.stream].variants }
    #expect(declared == digests)
  }

  @Test("an event that differs counts alone: the states behind it say nothing more")
  func eventsFirst() throws {
    var changed = try recording("push-approved") { $0.states = $0.states.map { _ in "0000" } }
    let index = try #require(
      changed.flows[0].records.firstIndex { if case .timerSet = $0.event { true } else { false } })
    let digests = changed.digests
    changed.flows[0].records.remove(at: index)
    #expect(changed.digests == nil, "they are of other flows")
    changed.digests = digests
    #expect(try Replay.divergences(of: changed)[0].contains { $0.kind == .state } == false)
  }

  @Test("--accept gives a recording the digests of now, and one without digests gets none")
  func accepted() throws {
    let changed = try recording("push-approved") { $0.states[0] = "0000" }
    let accepted = try #require(try Replay.accepting(changed))
    #expect(try accepted.digests == GoldenRecordings.read("push-approved").digests)
    #expect(try Replay.replay(accepted) == [])
    let plain = Recording(name: "plain", flows: changed.flows)
    let again = try #require(try Replay.accepting(plain))
    #expect(try again.digests == nil && Replay.replay(plain) == [])
  }

  @Test("they are written and read again, and what is promoted has its own")
  func written() throws {
    let recording = try GoldenRecordings.read("wrong-password")
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("digests-\(UUID().uuidString).ndjson.lz4")
    defer { try? FileManager.default.removeItem(at: file) }
    try recording.write(to: file.path)
    #expect(try Recording(contentsOf: file.path).digests == recording.digests)
    var promoter = Promoter(into: "R", with: [])
    let made = try Recording(name: "made", bytes: promoter.promote(recording).bytes)
    #expect(made.digests != nil && made.digests == RecordedDigests(of: made.flows))
  }

  @Test("a recording whose persons were replaced, or that was made smaller, has none: they were made of what it was")
  func derived() throws {
    let recording = try GoldenRecordings.read("wrong-password")
    #expect(try Anonymiser().anonymise(recording).0.digests == nil)
    let push = try GoldenRecordings.read("push-approved")
    #expect(try Minimiser(keeping: .status("SUCCESS")).minimise(push).recording.digests == nil)
  }

  @Test(
    "digests of another form are an error, not a trap",
    arguments: [
      "1", "[]", "{\"s\":1}", "{\"s\":{}}", "{\"s\":{\"states\":\"12g4\",\"errors\":{}}}",
      "{\"s\":{\"states\":\"123\",\"errors\":{}}}", "{\"s\":{\"states\":\"\",\"errors\":[]}}",
      "{\"s\":{\"states\":\"\",\"errors\":{\"x\":\"0000\"}}}", "{\"s\":{\"states\":\"\",\"errors\":{\"1\":1}}}",
      "{\"s\":{\"states\":\"\",\"errors\":{\"+1\":\"0000\"}}}", "{\"s\":{\"states\":\"ABCD\",\"errors\":{}}}",
      "{\"s\":{\"states\":\"\",\"errors\":{\"1\":\"12345\"}}}",
      "{\"s\":{\"states\":\"\",\"errors\":{},\"declared\":1}}",
      "{\"s\":{\"states\":\"\",\"errors\":{},\"declared\":{\"a\":\"12g4\"}}}",
      "{\"s\":{\"states\":\"\",\"errors\":{},\"declared\":{\"a\":1}}}",
    ])
  func malformed(text: String) throws {
    let records = try GoldenRecordings.read("wrong-password").records()
    let digests = try JSON(parsing: Array(text.utf8)[...])
    let bytes = try SliceFile.encode(records: records, source: Recording.source, digests: digests)
    let error = try #require(throws: ReplayError.self) { try Recording(name: "bad.lz4", bytes: bytes) }
    #expect("\(error)".contains("digests") && "\(error)".contains("bad.lz4"))
    // The records can be read all the same.
    #expect(try SliceFile.read(bytes: bytes).records.count == records.count)
  }

  @Test("fewer or more digests than events are differences, and so are those of no flow")
  func otherCount() throws {
    let short = try recording("push-approved") { $0.states = [] }
    #expect(try Replay.replay(short).map(\.path) == ["state"])
    let long = try recording("push-approved") { $0.states += ["0000"] }
    #expect(try Replay.replay(long).first?.message.contains("digests of other events") == true)
    var other = try GoldenRecordings.read("push-approved")
    other.digests = try GoldenRecordings.read("wrong-password").digests
    #expect(try Replay.replay(other).map(\.kind) == [.state])
  }

  @Test("what digests alone show is not made smaller, and is said to be that")
  func minimised() throws {
    let changed = try recording("push-approved") { $0.states[0] = "0000" }
    let error = try #require(throws: MinimiseError.self) { try Minimiser(keeping: .diverges).minimise(changed) }
    #expect(error.description.contains("by its digests alone"))
    let kept = try Minimiser(keeping: .status("SUCCESS")).minimise(changed).recording
    #expect(try Replay.replay(kept) == [], "it replays, as parts of a recording do that does")
  }

  @Test("digests that a header has no room for are an error, and are not made")
  func tooMany() throws {
    let records = try GoldenRecordings.read("wrong-password").records()
    #expect(throws: StoreError(.tooLarge, "")) {
      try SliceFile.encode(
        records: records, source: Recording.source, digests: .string(String(repeating: "x", count: 66_000)))
    }
    let flow = try GoldenRecordings.read("push-approved").flows[0]
    let many = (0..<(15_000 / flow.records.count + 1)).map {
      RecordedFlow(stream: "\(flow.stream)\($0)", records: flow.records)
    }
    #expect(RecordedDigests(of: many) == nil)
    #expect(Recording(name: "many", flows: many).withDigests().digests == nil)
  }

  @Test("a change of the last letter is another digest")
  func lastLetter() {
    let start = Array("Try again".utf8)
    let digests = Set("abcdefghijklmnopqrstuvwxyz.!".utf8.map { RecordedDigests.digest(start + [$0]) })
    #expect(digests.count == 28)
  }
}
