import EventStore
import FlowRecording
import Scenarios
import Testing

@testable import Replay

/// Recordings that were changed: each change is found, at the right revision, as the right kind.
@Suite struct ChangedRecordingTests {
  @Test("a changed field of a response differs at the status made from it")
  func responseField() async throws {
    var flow = try await record(.pushApproved)
    let index = try #require(flow.firstIndex(of: "response.received"))
    guard case .responseReceived(var response) = flow.records[index].event, case .json(let body) = response.body else {
      throw Missing()
    }
    response.body = .json(body.replacing("MFA_REQUIRED", with: "MFA_CHALLENGE"))
    flow.records[index].event = .responseReceived(response)
    let status = try #require(flow.firstIndex(of: "status.changed"))
    let found = try #require(try divergence(flow))
    #expect(found.kind == .different)
    #expect(found.revision == flow.records[status].revision)
    #expect(found.path == "data.status")
    #expect(found.call == "authenticate")
  }

  @Test("two requests swapped differ at the first")
  func swapped() async throws {
    var flow = try await record(.pushApproved)
    let indices = flow.records.indices.filter { flow.records[$0].event.type == "request.sent" }
    let first = indices[0]
    let second = indices[1]
    let event = flow.records[first].event
    flow.records[first].event = flow.records[second].event
    flow.records[second].event = event
    let found = try #require(try divergence(flow))
    #expect(found.kind == .different)
    #expect(found.revision == first)
    #expect(found.path == "data.url")
  }

  @Test("a dropped output is extra where the SDK makes it", arguments: ["request.sent", "status.changed", "timer.set"])
  func droppedOutput(type: String) async throws {
    var flow = try await record(.pushApproved)
    let index = try #require(flow.firstIndex(of: type))
    flow.records.remove(at: index)
    let found = try #require(try divergence(flow))
    #expect(found.kind == .extra)
    #expect(found.revision == index)
    #expect(found.actual?["type"]?.string == type)
  }

  @Test("a dropped response is missed where the recording goes on without it")
  func droppedInput() async throws {
    var flow = try await record(.pushApproved)
    let index = try #require(flow.firstIndex(of: "response.received"))
    flow.records.remove(at: index)
    let found = try #require(try divergence(flow))
    #expect(found.kind == .missing)
    #expect(found.revision == index)
  }

  @Test("a dropped timer is missed at what it led to")
  func droppedTimer() async throws {
    var flow = try await record(.pushApproved)
    let index = try #require(flow.firstIndex(of: "timer.fired"))
    flow.records.remove(at: index)
    let found = try #require(try divergence(flow))
    #expect(found.kind == .missing)
    #expect(found.revision == index)
  }

  @Test("an added request is missing in the SDK")
  func added() async throws {
    var flow = try await record(.pushApproved)
    let index = try #require(flow.firstIndex(of: "request.sent"))
    let copy = flow.records[index]
    flow.insert(copy, at: index + 1)
    let found = try #require(try divergence(flow))
    #expect(found.kind == .missing)
    #expect(found.revision == index + 1)
    #expect(found.expected?["type"]?.string == "request.sent")
  }

  @Test("another poll interval differs at the timer")
  func pollInterval() async throws {
    var flow = try await record(.pushApproved)
    let index = try #require(flow.firstIndex(of: "timer.set"))
    flow.records[index].event = .timerSet(TimerSet(milliseconds: 4000, purpose: "poll"))
    let found = try #require(try divergence(flow))
    #expect(found.kind == .different)
    #expect(found.revision == index)
    #expect(found.path == "data.ms")
    #expect(found.call == "verifyFactor")
  }

  @Test("a draw of another kind is found as a draw")
  func drawKind() async throws {
    var flow = try await record(.pushApproved)
    let index = try #require(flow.firstIndex(of: "draw.made"))
    flow.records[index].event = .drawMade(DrawMade(kind: .signature, ordinal: 0, result: .success("sig")))
    let found = try #require(try divergence(flow))
    #expect(found.kind == .draw)
    #expect(found.revision == index)
    #expect(found.expected?["data"]?["kind"]?.string == "signature")
    #expect(found.actual?["data"]?["kind"]?.string == "userAgent")
  }

  @Test("a draw of another ordinal is found as a draw")
  func drawOrdinal() async throws {
    var flow = try await record(.pushApproved)
    let index = try #require(flow.firstIndex(of: "draw.made"))
    guard case .drawMade(let draw) = flow.records[index].event else { throw Missing() }
    flow.records[index].event = .drawMade(DrawMade(kind: draw.kind, ordinal: draw.ordinal + 1, result: draw.result))
    let found = try #require(try divergence(flow))
    #expect(found.kind == .draw)
    #expect(found.revision == index)
  }

  @Test("an awaited draw of another kind is found at the draw, and not by what is missing behind it")
  func awaitedDrawKind() throws {
    var flow = try #require(try GoldenRecordings.read("idx-policy-passkey").flows.first)
    let asked = try #require(flow.records.last { $0.event.type == "draw.asked" })
    let index = try #require(flow.records.firstIndex { $0.event.type == "draw.made" && $0.cause == asked.revision })
    guard case .drawMade(var draw) = flow.records[index].event else { throw Missing() }
    let kind = draw.kind
    draw.kind = .uuid
    flow.records[index].event = .drawMade(draw)
    for depth in ReplayDepth.allCases {
      let recording = Recording(name: "changed", flows: [flow])
      let found = try #require(try Replay.replay(recording, depth: depth).first)
      #expect(found.kind == .draw)
      #expect(found.revision == flow.records[index].revision)
      #expect(found.path == "data.kind")
      #expect(found.recorded == "uuid")
      #expect(found.replayed?.string == kind.rawValue)
      #expect(found.message.hasSuffix("the SDK asks for the draw \(kind), and the recording has uuid"))
      // The replay continues from what is recorded.
      #expect(try Replay.divergences(of: recording, depth: depth)[0].count == 1)
    }
  }

  @Test(
    "an event of the runtime in a later version is said to be that, an input and an output",
    arguments: ["response.received", "call.made", "timer.set"])
  func laterVersion(type: String) async throws {
    var flow = try await record(.pushApproved)
    let index = try #require(flow.firstIndex(of: type))
    let event = flow.records[index].event
    flow.records[index].event = .domain(DomainEvent(type: type, version: 2, data: event.data))
    let found = try #require(try divergence(flow))
    #expect(found.revision == index)
    #expect(found.message.contains("\(type) is of version 2, which this program does not know"), "\(found.message)")
    #expect(found.message.contains("a later version of it recorded the flow"))
  }

  @Test("a timer is compared as it is recorded, however long", arguments: [Int.max, Int.min, -5, 86_400_001])
  func timerBounds(milliseconds: Int) async throws {
    var flow = try await record(.pushApproved)
    let index = try #require(flow.firstIndex(of: "timer.set"))
    let event = try FlowEvent(type: "timer.set", version: 1, data: ["ms": .int(milliseconds), "for": "poll"])
    flow.records[index].event = event
    for depth in ReplayDepth.allCases {
      let found = try #require(try Replay.replay(Recording(name: "changed", flows: [flow]), depth: depth).first)
      #expect(found.revision == index && found.path == "data.ms")
      #expect(found.recorded?.int == milliseconds)
      #expect(found.replayed?.int == 5_000)
    }
  }

  @Test("a timer over a day differs from one of a day")
  func timerOfADay() async throws {
    var flow = try await record(.pushApproved)
    guard case .flowStarted(var started) = flow.records[0].event, case .object(var settings) = started.settings else {
      throw Missing()
    }
    settings["pollMilliseconds"] = 86_400_000
    started.settings = .object(settings)
    flow.records[0].event = .flowStarted(started)
    let index = try #require(flow.firstIndex(of: "timer.set"))
    flow.records[index].event = try FlowEvent(
      type: "timer.set", version: 1, data: ["ms": 99_000_000, "for": "poll"])
    let found = try #require(try divergence(flow))
    #expect(found.kind == .different && found.revision == index)
    #expect(found.recorded?.int == 99_000_000)
    #expect(found.replayed?.int == 86_400_000)
  }

  @Test("another handle in a request is found by its path")
  func otherHandle() async throws {
    var flow = try await record(.smsWrongCode)
    let indices = flow.records.indices.filter { flow.records[$0].event.type == "request.sent" }
    guard case .requestSent(var request) = flow.records[indices[1]].event else { throw Missing() }
    request.body = request.body?.replacing("$secret.stateToken.1$", with: "$secret.stateToken.2$")
    flow.records[indices[1]].event = .requestSent(request)
    let found = try #require(try divergence(flow))
    #expect(found.kind == .different)
    #expect(found.path == "data.body.stateToken")
    #expect(found.revision == indices[1])
  }

  @Test("a truncated recording replays as far as it goes")
  func truncated() async throws {
    let whole = try await record(.pushApproved)
    for count in 1..<whole.records.count {
      var flow = whole
      flow.records = Array(whole.records.prefix(count))
      // Cut after an input or among its outputs: either all outputs so far agree and the rest are extra, or none is left.
      let found = try divergence(flow)
      #expect(found == nil || found?.kind == .extra || found?.kind == .draw, "cut after \(count)")
    }
  }

  // MARK: Helpers

  private struct Missing: Error {}

  private func record(_ scenario: Scenario) async throws -> RecordedFlow {
    try #require(try await Recordings.record(scenario).flows.first)
  }

  private func divergence(_ flow: RecordedFlow) throws -> Divergence? {
    try Replay.replay(Recording(name: "changed", flows: [flow])).first
  }
}

extension RecordedFlow {
  fileprivate func firstIndex(of type: String) -> Int? { records.firstIndex { $0.event.type == type } }

  /// Inserts a record and renumbers those behind it, with their causes.
  fileprivate mutating func insert(_ record: FlowRecord, at index: Int) {
    records.insert(record, at: index)
    for place in index..<records.count {
      if place > index { records[place].revision += 1 }
      if let cause = records[place].cause, place > index, cause >= index { records[place].cause = cause + 1 }
    }
    records[index].revision = index
  }
}

extension JSON {
  /// The value with one text replaced wherever it is a whole string.
  fileprivate func replacing(_ text: String, with other: String) -> JSON {
    switch self {
    case .string(text): .string(other)
    case .array(let elements): .array(elements.map { $0.replacing(text, with: other) })
    case .object(let object):
      .object(
        JSONObject(
          object.members.map {
            JSONObject.Member(key: $0.key, value: $0.value.replacing(text, with: other))
          }))
    default: self
    }
  }
}
