import Dispatch
import EventStore
import Testing

@testable import FlowRecording

/// Texts that no schema declares: notes, what a transport and a draw say of a failure, what the application says of itself.
@Suite struct FreeTextTests {
  @Test("a note, a transport's error and a failed draw leave no secret parameter of a URL readable")
  func parameters() async {
    let recorder = MemoryRecorder()
    let environment = FlowEnvironment(recorder: recorder, transport: QuotingTransport())
    let flow = Flow<TellingCore>(environment: environment, settings: [:])
    flow.note("opened https://acme.example/?sessionToken=canary-note")
    await withCheckedContinuation { continuation in
      flow.call("go", arguments: [:], on: nil, sink: CallSink { _, _ in continuation.resume() })
    }
    let records = recorder.records(of: flow.stream)
    #expect(Set(records.map(\.event.type)).isSuperset(of: ["note.added", "draw.made", "request.failed"]))
    let log = records.map(\.event.data.text).joined(separator: "\n")
    #expect(!log.contains("canary"), "\(log)")
    for word in ["note", "draw", "transport"] { #expect(flow.vault.reveal(log).contains("canary-\(word)")) }
  }

  @Test("a secret of the settings is masked in what the application says of itself")
  func context() {
    let recorder = MemoryRecorder()
    let context = FlowContext(app: .init(id: "app canary-secret"), correlation: "canary-secret")
    let environment = FlowEnvironment(recorder: recorder, transport: InertTransport(), context: context)
    let flow = Flow<TellingCore>(environment: environment, settings: ["clientSecret": "canary-secret"])
    let started = recorder.records(of: flow.stream).first?.event.data.text ?? ""
    #expect(started.contains("app $secret.clientSecret.1$") && !started.contains("canary"), "\(started)")
  }

  @Test("a user agent that looks like a placeholder reveals no secret")
  func userAgent() {
    let recorder = MemoryRecorder()
    let forged = "Browser/1 $secret.password.1$"
    let environment = FlowEnvironment(recorder: recorder, transport: InertTransport(), userAgent: forged)
    let flow = Flow<TellingCore>(environment: environment, settings: [:])
    flow.call("go", arguments: ["password": "hunter2secret"], on: nil, sink: CallSink { _, _ in })
    let records = recorder.records(of: flow.stream)
    let draw = records.first { $0.event.data["kind"] == "userAgent" }
    #expect(draw?.event.data["value"] == "$secret.literal.1$")
    #expect(flow.vault.reveal("$secret.literal.1$") == forged)
    #expect(flow.vault.reveal("$secret.password.1$") == "hunter2secret")
  }

  @Test("of what is the SDK's own only text that looks like a placeholder is replaced, at any depth")
  func own() {
    var flow = MaskedFlow(knowing: "6", "hunter2secret")
    let plain: JSON = ["agent": "Linux/6 hunter2secret", "list": ["6", 6, true, .null]]
    #expect(flow.mask(plain, as: .own) == plain)
    let forged: JSON = ["list": ["a", ["$secret.known.1$": "x $secret.known.2$"]]]
    let masked = flow.mask(forged, as: .own)
    #expect(masked == ["list": ["a", ["$secret.literal.1$": "$secret.literal.2$"]]])
    #expect(flow.vault.reveal(masked) == forged)
  }
}

/// Draws, sends, and says what came of it.
private struct TellingCore: FlowCore {
  static var kind: String { "telling" }
  static var policy: MaskingPolicy {
    MaskingPolicy(
      response: .object([:]), arguments: .object(["password": .secret("password")]),
      settings: .object(["clientSecret": .secret("clientSecret")]), headers: [:], query: [])
  }
  static var draws: DrawDeclarations {
    .standard(and: [
      DrawKind(rawValue: "telling"): .inline(.text) { _, _ in
        .failure(DrawFailure(.missing, "no answer from com.app:/cb?code=canary-draw"))
      }
    ])
  }
  var openCalls: Set<Int> = []
  var snapshotRevision: Int? { nil }
  var awaitedTimers: Set<Int> { [] }
  var isOpen: Bool { false }

  mutating func fold(_ record: FlowRecord) {
    if case .callMade = record.event { openCalls.insert(record.revision) }
    if case .callReturned(let returned) = record.event { openCalls.remove(returned.call) }
  }

  func decide(_ input: FlowRecord, on snapshot: TellingCore?, draws: Draws) -> [FlowEvent] {
    switch input.event {
    case .callMade:
      _ = draws(.userAgent)
      _ = draws.attempt(DrawKind(rawValue: "telling"))
      return [.requestSent(RequestSent(method: "GET", url: "https://org.example/", headers: [], body: nil))]
    case .requestFailed: return openCalls.map { .callReturned(CallReturned(call: $0, outcome: .done)) }
    default: return []
    }
  }
}

/// Fails, and quotes a URL.
private struct QuotingTransport: Transport {
  func send(
    _ request: HTTPRequest, completion: @escaping @Sendable (Result<HTTPResponse, TransportError>) -> Void
  ) -> any TransportTask {
    let error = TransportError(.cannotConnect, "no way to https://org.example/?state=canary-transport")
    DispatchQueue.global().async { completion(.failure(error)) }
    return Nothing()
  }

  private struct Nothing: TransportTask {
    func cancel() {}
  }
}
