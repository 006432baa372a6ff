import Dispatch
import EventStore
import FlowRecording
import Testing

/// What nothing declares is a secret: a draw, a header, a member of an answer, and what an event of a kind's own carries on
/// of it.
@Suite struct UndeclaredTests {
  @Test("a draw, a header and an event type that nothing declares leave nothing readable in the log")
  func undeclared() async {
    let recorder = MemoryRecorder()
    let environment = FlowEnvironment(recorder: recorder, transport: OneAnswer())
    let flow = Flow<CarelessCore>(environment: environment, settings: [:])
    await withCheckedContinuation { continuation in
      flow.call(
        "go", arguments: [:], on: nil,
        sink: CallSink(
          asked: { _, _, answer in answer(.success(["word": "canary-awaited"])) },
          returned: { _, _ in continuation.resume() }))
    }

    let records = recorder.records(of: flow.stream)
    let types = records.map(\.event.type)
    #expect(types.count { $0 == "draw.made" } == 3 && types.contains("careless.heard"))
    let log = records.map { String(decoding: EventCoding.encode($0.event).data, as: UTF8.self) }.joined(separator: "\n")
    #expect(!log.contains("canary"), "\(log)")
    // They are there all the same, as secrets of the flow.
    #expect(flow.vault.reveal(log).contains("canary-inline"))
    for kind in ["awaited", "member"] { #expect(flow.vault.reveal(log).contains("canary-\(kind)")) }
  }
}

/// A core that declares as little as it can.
private struct CarelessCore: FlowCore {
  static var kind: String { "careless" }
  static var policy: MaskingPolicy {
    MaskingPolicy(
      response: .object([:]), arguments: .object([:]), settings: .object([:]), headers: [:], query: [])
  }
  /// One draw without a schema; that of the sink is not declared at all.
  static var draws: DrawDeclarations {
    [DrawKind(rawValue: "inline"): .inline { _, _ in .success(["deep": ["canary-inline"], "canary-key": 12_345_678]) }]
  }

  var calls: Set<Int> = []
  var openCalls: Set<Int> { calls }
  var snapshotRevision: Int? { nil }
  var awaitedTimers: Set<Int> { [] }
  var isOpen: Bool { false }

  mutating func fold(_ record: FlowRecord) {
    if case .callMade = record.event { calls.insert(record.revision) }
    if case .callReturned(let returned) = record.event { calls.remove(returned.call) }
  }

  func decide(_ input: FlowRecord, on snapshot: CarelessCore?, draws: Draws) -> [FlowEvent] {
    switch input.event {
    case .callMade:
      _ = draws(DrawKind(rawValue: "inline"))
      // A draw that nothing takes fails, and is recorded with its reason.
      _ = draws.attempt(DrawKind(rawValue: "nobody"))
      return [.drawAsked(DrawAsked(kind: DrawKind(rawValue: "awaited"), input: ["call": .int(input.revision)]))]
    case .drawMade:
      return [.requestSent(RequestSent(method: "GET", url: "https://org.example/", headers: [], body: nil))]
    case .responseReceived(let response):
      let heard = Heard(data: ["status": .int(response.status), "all": response.data])
      return [.domain(heard)] + calls.map { .callReturned(CallReturned(call: $0, outcome: .done)) }
    default: return []
    }
  }
}

/// An event of the kind's own that carries on what was answered.
private struct Heard: DomainPayload {
  static var type: String { "careless.heard" }
  static var needsBarrier: Bool { true }
  var data: JSON
  init(data: JSON) { self.data = data }
}

/// Answers each request with what nothing declares.
private struct OneAnswer: Transport {
  func send(
    _ request: HTTPRequest, completion: @escaping @Sendable (Result<HTTPResponse, TransportError>) -> Void
  ) -> any TransportTask {
    let answer = HTTPResponse(
      status: 200, headers: [HTTPField("X-New", "canary-header"), HTTPField("canary-name", "x")],
      body: Array(#"{"canary-member":"canary-member-value","n":[1,"canary-member"]}"#.utf8))
    DispatchQueue.global().async { completion(.success(answer)) }
    return Nothing()
  }

  private struct Nothing: TransportTask {
    func cancel() {}
  }
}
