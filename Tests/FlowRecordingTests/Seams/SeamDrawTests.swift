import EventStore
import FlowRecording
import Testing

/// The seams of storage, registry and browser, as a flow reaches them: by draws, which are recorded and replayed.
@Suite struct SeamDrawTests {
  private func run(
    _ steps: [JSON], _ environment: FlowEnvironment
  ) async -> (results: [String], log: String, flow: Flow<AskingCore>) {
    let session = FlowSession<AskingCore>(settings: [:], environment: environment)
    let (result, core) = await session.outcome(of: "go", arguments: ["steps": .array(steps)])
    #expect((try? result.get()) == .done)
    let recorder = environment.recorder as? MemoryRecorder
    let records = recorder?.records(of: session.flow.stream) ?? []
    let log = records.map { String(decoding: EventCoding.encode($0.event).data, as: UTF8.self) }
    return (core.results.map { session.flow.vault.reveal($0).text }, log.joined(separator: "\n"), session.flow)
  }

  @Test func `what one flow stores another one reads, and the log shows none of it`() async {
    var environment = FlowEnvironment(recorder: MemoryRecorder())
    environment[FlowStorageSeam.self] = MemoryStorage()
    let first = await run(
      [
        ["kind": "storage.read", "name": "token"], ["kind": "storage.write", "name": "token", "value": "canary-value"],
      ], environment)
    #expect(first.results == [#"{"value":null}"#, "true"])
    let second = await run(
      [
        ["kind": "storage.read", "name": "token"], ["kind": "storage.remove", "name": "token"],
        ["kind": "storage.read", "name": "token"], ["kind": "storage.read", "name": "../etc/passwd"],
      ], environment)
    #expect(
      second.results
        == [
          #"{"value":"canary-value"}"#, "true", #"{"value":null}"#, "failed: the name cannot be that of a stored value",
        ].map { $0.hasPrefix("failed") ? JSON.string($0).text : $0 })
    #expect(!first.log.contains("canary") && !second.log.contains("canary"), "\(first.log)\n\(second.log)")
  }

  @Test func `the first flow to claim a name has it until it releases it`() async {
    var environment = FlowEnvironment(recorder: MemoryRecorder())
    environment[FlowRegistrySeam.self] = MemoryRegistry()
    let first = await run([["kind": "registry.claim", "name": "ft1", "holder": "push"]], environment)
    let second = await run(
      [
        ["kind": "registry.claim", "name": "ft1", "holder": "pull"],
        ["kind": "registry.release", "name": "ft1", "holder": "pull"],
        ["kind": "registry.claim", "name": "ft1", "holder": "pull"],
        ["kind": "registry.release", "name": "ft1", "holder": "push"],
        ["kind": "registry.claim", "name": "ft1", "holder": "pull"],
      ], environment)
    #expect(first.results == [#""push""#])
    #expect(second.results == [#""push""#, "null", #""push""#, "null", #""pull""#])
  }

  @Test func `a redirect is a secret, and a browser that fails says why`() async {
    var environment = FlowEnvironment(recorder: MemoryRecorder())
    let browser = ScriptedBrowser { url in
      url.hasSuffix("no")
        ? .failure(DrawFailure(.cancelled)) : .success("http://127.0.0.1:1/cb?code=canary-code&state=s")
    }
    environment[BrowserSeam.self] = browser
    let uri = "http://127.0.0.1:1/cb"
    let step: (String) -> JSON = {
      ["kind": "browser.redirect", "url": .string($0), "redirectUri": .string(uri), "state": "s"]
    }
    let outcome = await run(
      [["kind": "browser.listen", "path": "/cb"], step("https://org.example/yes"), step("https://org.example/no")],
      environment)
    #expect(
      outcome.results == [
        JSON.string(uri).text, #""http://127.0.0.1:1/cb?code=canary-code&state=s""#, #""cancelled: ""#,
      ])
    #expect(browser.pages == ["https://org.example/yes", "https://org.example/no"])
    #expect(!outcome.log.contains("canary"), "\(outcome.log)")
  }
}

/// A core that draws what its call says, one after the other.
private struct AskingCore: FlowCore {
  static var kind: String { "asking" }
  static var policy: MaskingPolicy {
    let step: WireSchema = .object([
      "kind": .own, "name": .identifier, "holder": .identifier, "path": .own, "url": .url, "redirectUri": .url,
      "state": .secret("state"), "value": .secret("stored"),
    ])
    return MaskingPolicy(
      response: .object([:]), arguments: .object(["steps": .array(step)]), settings: .object([:]), headers: [:],
      query: [])
  }
  var call: Int?
  var steps: [JSON] = []
  var results: [JSON] = []
  var snapshotRevision: Int? { nil }
  var awaitedTimers: Set<Int> { [] }
  var openCalls: Set<Int> { call.map { [$0] } ?? [] }
  var isOpen: Bool { call != nil }

  mutating func fold(_ record: FlowRecord) {
    switch record.event {
    case .callMade(let made):
      call = record.revision
      steps = made.arguments["steps"]?.array ?? []
    case .callReturned: call = nil
    case .drawMade(let draw):
      switch draw.result {
      case .success(let value): results.append(value)
      case .failure(let failure): results.append(.string("\(failure.reason): \(failure.detail ?? "")"))
      }
      steps.removeFirst()
    case .flowStarted, .flowEnded, .noteAdded, .requestSent, .responseReceived, .requestFailed, .drawAsked, .timerSet,
      .timerFired, .domain:
      break
    }
  }

  func decide(_ input: FlowRecord, on snapshot: AskingCore?, draws: Draws) -> [FlowEvent] {
    guard let call else { return [] }
    switch input.event {
    case .callMade, .drawMade: break
    case .flowStarted, .flowEnded, .noteAdded, .callReturned, .requestSent, .responseReceived, .requestFailed,
      .drawAsked,
      .timerSet, .timerFired, .domain:
      return []
    }
    var rest = steps[...]
    while let step = rest.first, let kind = step["kind"]?.string {
      guard kind.hasPrefix("registry") else {
        return [.drawAsked(DrawAsked(kind: DrawKind(rawValue: kind), input: step))]
      }
      _ = draws(DrawKind(rawValue: kind), step)
      rest = rest.dropFirst()
    }
    return [.callReturned(CallReturned(call: call, outcome: .done))]
  }
}
