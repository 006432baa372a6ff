// A device flow that runs on its own with made-up answers, for the kind's tables.

import EventStore
import FlowRecording

/// A core with the steps that it waits for. Copies continue independently, so that one beginning can have several ends.
struct CoreTrial {
  /// The answer to a request or a draw.
  enum Answer {
    case response(Int, JSON?)
    /// A response whose body is not kept, for a reason.
    case unread(Int, String)
    case noResponse(TransportError.Code)
    case value(JSON)
    case failure(DrawFailure.Reason, String?)
  }

  /// The values of immediate draws: what is stored, the org's key, and the facts about the device.
  struct World {
    var stored: Result<JSON, DrawFailure> = .success([:])
    var orgKey: JSON = ["mayFetch": true]
    var facts: JSON = [
      "protection": "SOFTWARE",
      "device": ["displayName": "PC", "osVersion": "1.2.3", "udid": "udid", "diskEncryptionType": "FULL"],
    ]

    func draw(_ kind: DrawKind, _ input: JSON, _ number: Int) -> Result<JSON, DrawFailure> {
      switch kind {
      case .deviceRead: .success(ChallengeRead.value(of: input))
      case .deviceStored: stored
      case .deviceOrgKey: .success(orgKey)
      case .deviceFacts: .success(facts)
      case .uuid: .success(.string("uuid-\(number)"))
      case let other: .failure(DrawFailure(.missing, "nothing draws \(other)"))
      }
    }
  }

  private var stepper = CoreStepper<DeviceCore>(at: HostSamples.time())
  var world = World()
  /// The lines since the last call.
  private(set) var lines: [String] = []
  private var waiting: [(revision: Int, step: DeviceStep, kind: DrawKind?, input: JSON)] = []
  private(set) var timer: Int?

  /// Begins a flow.
  init(_ settings: JSON, _ world: World = World()) {
    self.world = world
    feed(.flowStarted(FlowStarted(kind: "device", sdk: "sdk", settings: settings)))
  }

  var core: DeviceCore { stepper.core }
  /// The time of the next input.
  var now: Timestamp {
    get { stepper.at }
    set { stepper.at = newValue }
  }
  /// The step that is answered next; `nil` if the flow waits for nothing.
  var step: DeviceStep? { waiting.first?.step }
  /// The input of that step.
  var input: JSON { waiting.first?.input ?? .null }

  /// Returns the lines since the previous call, and the state if requested.
  mutating func takeLines(withState: Bool = false) -> String {
    defer { lines = [] }
    return (lines + (withState ? [core.json.text] : [])).joined(separator: "\n")
  }

  /// Makes a call.
  mutating func call(_ name: String, _ arguments: JSON = [:]) {
    feed(.callMade(CallMade(call: name, arguments: arguments)))
  }

  /// Fires the timer.
  mutating func fire() {
    guard let timer else { return }
    feed(.timerFired(TimerFired()), cause: timer)
  }

  /// Answers the step that has waited longest.
  mutating func answer(_ answer: Answer) {
    guard !waiting.isEmpty else { return }
    let next = waiting.removeFirst()
    switch answer {
    case .response(let status, let body):
      let content = body.map { RecordedBody.json($0) } ?? .empty
      let received = ResponseReceived(status: status, headers: [], body: content)
      feed(.responseReceived(received), cause: next.revision)
    case .unread(let status, let reason):
      let received = ResponseReceived(status: status, headers: [], body: .unread(reason))
      feed(.responseReceived(received), cause: next.revision)
    case .noResponse(let code):
      feed(.requestFailed(RequestFailed(TransportError(code, "why"))), cause: next.revision)
    case .value(let value): feed(.success(value), to: next.kind, cause: next.revision)
    case .failure(let reason, let detail):
      feed(.failure(DrawFailure(reason, detail)), to: next.kind, cause: next.revision)
    }
  }

  private mutating func feed(_ result: Result<JSON, DrawFailure>, to kind: DrawKind?, cause: Int) {
    note(stepper.answer(kind ?? .deviceStore, result, asked: cause, drawing: world.draw))
  }

  /// Processes an input and everything that follows from it.
  mutating func feed(_ event: FlowEvent, cause: Int? = nil) {
    note(stepper.feed(event, cause: cause, drawing: world.draw))
  }

  private mutating func note(_ outcome: CoreStepper<DeviceCore>.Outcome) {
    lines += outcome.drawn.map { "\($0.made.kind) of \($0.input.text)" }
    for record in outcome.outputs { note(record) }
  }

  /// Notes an output, and keeps it if it needs an answer.
  private mutating func note(_ record: FlowRecord) {
    var more = ""
    switch record.event {
    case .requestSent:
      guard let request = core.ledger.requests[record.revision] else { break }
      waiting.append((record.revision, request.tag, nil, .null))
      more = " of \(request.call)"
    case .drawAsked(let asked):
      guard let step = asked.input["step"]?.string.flatMap(DeviceStep.init) else { break }
      waiting.append((record.revision, step, asked.kind, asked.input))
    case .timerSet: timer = record.revision
    case .domain(let event): more = " \(event.needsBarrier) \(event.audience.map { "\($0)" } ?? "-")"
    case .flowStarted, .flowEnded, .noteAdded, .callMade, .callReturned, .responseReceived, .requestFailed, .drawMade,
      .timerFired:
      break
    }
    lines.append("\(record.event.type) \(record.event.data.text)\(more)")
  }
}
