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
