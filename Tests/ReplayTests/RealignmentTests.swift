import EventStore
import FlowRecording
import Scenarios
import Testing

@testable import Replay

/// Replays of changed recordings that go on after a difference: each change is reported once, and what is right is not.
@Suite struct RealignmentTests {
  @Test("three changes far apart are three divergences, and nothing else is one")
  func several() async throws {
    var flow = try await record(.pushApproved)
    let timers = flow.records.indices.filter { flow.records[$0].event.type == "timer.set" }
    try #require(timers.count >= 2)
    for index in timers { flow.records[index].event = .timerSet(TimerSet(milliseconds: 4000, purpose: "poll")) }
    let requests = flow.records.indices.filter { flow.records[$0].event.type == "request.sent" }
    flow.drop("Accept", ofRequestAt: requests[0])
    let found = try divergences(flow)
    #expect(found.map(\.revision) == ([requests[0]] + timers).sorted().map { flow.records[$0].revision })
    #expect(found.allSatisfy { $0.kind == .different })
    #expect(found.map(\.path).contains("data.headers.Accept"))
  }

  @Test("one output less, one more and two in another order are distinguished, and the replay goes on behind each")
  func shapes() async throws {
    let whole = try await record(.pushApproved)
    let last = try #require(whole.records.lastIndex { $0.event.type == "call.returned" })
    func found(_ change: (inout RecordedFlow) throws -> Void) async throws -> [Divergence] {
      var flow = whole
      try change(&flow)
      // A change at the end, which a replay that gave up would not see.
      guard
        case .callReturned(var returned) = flow.records[flow.records.count - 1 - (whole.records.count - 1 - last)].event
      else { return [] }
      returned.outcome = .done
      flow.records[flow.records.count - 1 - (whole.records.count - 1 - last)].event = .callReturned(returned)
      return try divergences(flow)
    }
    let status = try #require(whole.records.firstIndex { $0.event.type == "status.changed" })
    let less = try await found { $0.records.remove(at: status) }
    #expect(less.first?.kind == .extra && less.first?.actual?["type"]?.string == "status.changed")
    #expect(less.last?.expected?["type"]?.string == "call.returned")
    let more = try await found { flow in
      var copy = flow.records[status]
      copy.event = .noteAddedOutput
      flow.records.insert(copy, at: status)
    }
    #expect(more.first?.kind == .missing || more.first?.kind == .different)
    #expect(more.last?.expected?["type"]?.string == "call.returned")
    let moved = try await found { $0.records.swapAt(status, status + 1) }
    #expect(moved.map(\.kind).first == .moved)
    #expect(moved.last?.expected?["type"]?.string == "call.returned")
  }

  @Test("a divergence shows both values, the events before it, and both SDKs")
  func explains() async throws {
    var flow = try await record(.pushApproved)
    let index = try #require(flow.records.firstIndex { $0.event.type == "timer.set" })
    flow.records[index].event = .timerSet(TimerSet(milliseconds: 4000, purpose: "poll"))
    guard case .flowStarted(var started) = flow.records[0].event else { return }
    started.sdk = "FlowRecorder/0.0.9"
    flow.records[0].event = .flowStarted(started)
    let found = try #require(try divergences(flow).first)
    #expect(found.recorded?.int == 4000 && found.replayed?.int == 5000)
    #expect(found.message.hasSuffix("verifyFactor: timer.set has ms 5000 (recorded: 4000)"), "\(found.message)")
    #expect(found.before.map { $0["rev"]?.int } == (index - 3..<index).map { flow.records[$0].revision })
    #expect(found.recordedBy == "FlowRecorder/0.0.9" && found.replayedBy == UserAgent.product)
  }

  @Test("a divergence names the call that its event belongs to, and not another one made since")
  func call() throws {
    var flow = try #require(try GoldenRecordings.read("corner-beside-polling").flows.first)
    let fired = try #require(flow.records.firstIndex { $0.event.type == "timer.fired" })
    let request = try #require(flow.records[fired...].firstIndex { $0.event.type == "request.sent" })
    let calls = flow.records[..<fired].compactMap { record -> String? in
      if case .callMade(let made) = record.event { made.call } else { nil }
    }
    flow.drop("Accept", ofRequestAt: request)
    let found = try #require(try divergences(flow).first)
    #expect(calls.last == "enrollFactor" && found.revision == flow.records[request].revision)
    #expect(found.call == "activateFactor" && found.message.contains(", activateFactor: "), "\(found.message)")
  }

  @Test("an output that is missing behind a long event is named by its own revision")
  func long() {
    let at = Timestamp(microseconds: 0)
    let long = FlowEvent.noteAdded(NoteAdded(text: String(repeating: "x", count: 100_000)))
    let parts = EventCoding.encode(long).parts.count
    let timer = FlowEvent.timerSet(TimerSet(milliseconds: 7, purpose: "poll"))
    let input = FlowRecord(revision: 5, at: at, cause: nil, event: long)
    let output = FlowRecord(revision: 6 + parts, at: at, cause: 5, event: timer)
    #expect(parts > 1)
    #expect(StepComparison.differences([output], [], after: input).found.map(\.revision) == [6 + parts])
  }

  @Test("events that one side lacks are the same only if they say the same")
  func lone() async throws {
    var flow = try await record(.pushApproved)
    let status = try #require(flow.records.firstIndex { $0.event.type == "status.changed" })
    flow.records.remove(at: status)
    let one = try #require(try divergences(flow).first { $0.kind == .extra })
    var other = one
    other.actual = ["type": "status.changed", "data": ["status": "LOCKED_OUT"]]
    #expect(DivergenceCause.grouping([one, one]).map(\.hasSameValues) == [true])
    #expect(DivergenceCause.grouping([one, other]).map(\.hasSameValues) == [false])
    var (elsewhere, first, second) = (one, one, one)
    elsewhere.message = elsewhere.message.replacing("revision ", with: "revision 1", maxReplacements: 1)
    #expect(DivergenceCause.grouping([one, elsewhere]).map(\.hasSameValues) == [true])
    (first.complaint, second.complaint) = ("factors[0] is missing", "factors[1] is missing")
    #expect(DivergenceCause.grouping([first, first]).map(\.hasSameValues) == [true])
    #expect(DivergenceCause.grouping([first, second]).map(\.hasSameValues) == [false])
  }

  @Test("missing requests of other paths, and complaints about other properties, are causes of their own")
  func subjects() async throws {
    var flow = try await record(.pushApproved)
    let status = try #require(flow.records.firstIndex { $0.event.type == "status.changed" })
    flow.records.remove(at: status)
    var request = try #require(try divergences(flow).first { $0.kind == .extra })
    request.kind = .missing
    request.actual = nil
    func missing(_ url: String) -> Divergence {
      var divergence = request
      divergence.expected = ["type": "request.sent", "data": ["method": "POST", "url": .string(url)]]
      return divergence
    }
    let one = missing("https://acme.example/api/v1/authn/factors/opf3hkfocI4JTLAju0g4/verify")
    let alike = missing("https://other.example/api/v1/authn/factors/ost1hkfocI4JTLAju0g5/verify?rememberDevice=true")
    let other = missing("https://acme.example/api/v1/authn/cancel")
    #expect(DivergenceCause.grouping([one, other, alike]).map(\.divergences.count) == [2, 1])
    func complaint(_ words: String) -> Divergence {
      var divergence = request
      divergence.expected = ["type": "call.returned", "data": ["call": 1]]
      divergence.complaint = words
      return divergence
    }
    let complaints = [
      complaint("links of the status object is not what the org sent"),
      complaint("factors[0].provider of the status object is not what the org sent"),
      complaint("factors[1].provider of the status object is not what the org sent"),
    ]
    #expect(DivergenceCause.grouping(complaints).map(\.divergences.count) == [2, 1])
  }

  @Test("a header is named, whatever its place in the list")
  func header() async throws {
    var flow = try await record(.pushApproved)
    let index = try #require(flow.records.firstIndex { $0.event.type == "request.sent" })
    flow.drop("Content-Type", ofRequestAt: index)
    let found = try #require(try divergences(flow).first)
    #expect(found.path == "data.headers.Content-Type" && found.recorded == nil)
    #expect(found.message.contains("has header Content-Type application/json (recorded: none)"), "\(found.message)")
  }

  @Test("a long value is shown around the place where it differs")
  func excerpt() {
    let (one, other) = (String(repeating: "a", count: 500) + "x", String(repeating: "a", count: 500) + "y")
    let text = Divergence.excerpt(.string(one), beside: .string(other))
    #expect(text.hasPrefix("…") && text.hasSuffix("x") && text.count < 100)
    #expect(Divergence.excerpt("short", beside: nil) == "short")
  }

  @Test("one cause in many flows is one group; other values at the same place are named as that")
  func causes() async throws {
    var recordings: [Recording] = []
    for (number, milliseconds) in [4000, 4000, 3000].enumerated() {
      var flow = try await record(.pushApproved)
      for index in flow.records.indices where flow.records[index].event.type == "timer.set" {
        flow.records[index].event = .timerSet(TimerSet(milliseconds: milliseconds, purpose: "poll"))
      }
      recordings.append(Recording(name: "r\(number)", flows: [flow]))
    }
    recordings.append(Recording(name: "good", flows: [try await record(.pushApproved)]))
    let report = try Replay.report(on: recordings)
    #expect(report.recordings == 4 && report.diverged == 3)
    #expect(report.causes.map(\.divergences.count) == [3])
    #expect(report.causes.first?.hasSameValues == false)
    let two = try Replay.report(on: recordings.prefix(2))
    #expect(two.causes.first?.hasSameValues == true)
  }

  @Test("on all cores the report is the same, in the order of the recordings")
  func parallel() async throws {
    var recordings: [Recording] = []
    for number in 0..<24 {
      var flow = try await record(.smsWrongCode)
      if number % 3 == 0, let index = flow.records.firstIndex(where: { $0.event.type == "status.changed" }) {
        flow.records.remove(at: index)
      }
      recordings.append(Recording(name: "r\(number)", flows: [flow]))
    }
    let all = recordings
    let report = try Replay.report(on: all.count) { number throws(ReplayError) in number == 5 ? nil : all[number] }
    #expect(report.recordings == 23)
    #expect(report.divergences.map(\.recording) == stride(from: 0, to: 24, by: 3).map { "r\($0)" })
  }

  @Test("the result as JUnit XML names each flow that diverged and escapes what it quotes")
  func junit() async throws {
    var flow = try await record(.pushApproved)
    let index = try #require(flow.records.firstIndex { $0.event.type == "timer.set" })
    flow.records[index].event = .timerSet(TimerSet(milliseconds: 1, purpose: "<poll> & \u{1} \"x\""))
    let good = try await record(.pushApproved)
    var report = try Replay.report(on: [
      Recording(name: "a&b", flows: [flow]), Recording(name: "good", flows: [good]),
    ])
    report.unreadable = ["stream 'x' is cut"]
    let xml = JUnitReport.xml(report)
    #expect(xml.contains(#"<testsuites tests="3" failures="1" errors="1">"#))
    #expect(xml.split(separator: "<testcase ").count == 4)
    #expect(xml.contains(#"classname="good" name="\#(good.stream)"/>"#))
    #expect(xml.contains("classname=\"a&amp;b\"") && xml.contains("&lt;poll&gt; &amp; "))
    #expect(!xml.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" })
  }

  // MARK: Helpers

  private func record(_ scenario: Scenario) async throws -> RecordedFlow {
    try #require(try await Recordings.record(scenario).flows.first)
  }

  @Test("of a step with more differences than anyone reads the first are listed, and the others counted")
  func many() async throws {
    var flow = try await record(.pushApproved)
    let first = try #require(flow.records.firstIndex { $0.event.type == "timer.set" })
    var timer = flow.records[first]
    for number in 0..<3_000 {
      timer.event = .timerSet(TimerSet(milliseconds: 9_000 + number, purpose: "nothing"))
      flow.records.insert(timer, at: first)
    }
    let found = try divergences(flow)
    #expect((500..<600).contains(found.count), "\(found.count)")
    // Those that are not listed are counted.
    #expect(found.reduce(0) { $0 + $1.leftOut } == 2_500)
    let last = try #require(found.first { $0.leftOut > 0 })
    #expect(last.json["leftOut"]?.int == 2_500 && found[0].json["leftOut"] == nil)
  }

  private func divergences(_ flow: RecordedFlow) throws -> [Divergence] {
    try Replay.divergences(of: Recording(name: "changed", flows: [flow]))[0]
  }
}

extension FlowEvent {
  /// An output that no SDK makes.
  fileprivate static var noteAddedOutput: FlowEvent { .timerSet(TimerSet(milliseconds: 7, purpose: "nothing")) }
}

extension RecordedFlow {
  /// Takes a header field out of a recorded request.
  fileprivate mutating func drop(_ name: String, ofRequestAt index: Int) {
    guard case .requestSent(var request) = records[index].event else { return }
    request.headers.removeAll { $0.name == name }
    records[index].event = .requestSent(request)
  }
}
