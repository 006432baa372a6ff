// A token flow that runs only its core, for the kind's tables: inputs go in, and decisions come out as text.

import EventStore
import FlowRecording

/// A core, and the inputs it received.
struct TrialStage {
  /// The inputs from outside.
  enum Input: Sendable {
    /// A call with its name and arguments.
    case call(String, JSON)
    /// An answer to the latest request; null if there is no body.
    case answer(Int, JSON, [(String, String)])
    /// An answer to the latest request whose body is not kept, for a reason.
    case unread(Int, String)
    /// The latest request fails.
    case lost(TransportError.Code)
    /// The most recently requested draw is answered.
    case drawn(JSON)
    case undrawn(DrawFailure.Reason, String?)
    /// The most recently set timer fires.
    case fired
    /// The given number of seconds passes.
    case later(Int64)

    /// A call that this version knows.
    static func begin(_ call: OIDCCall, _ arguments: JSON = [:]) -> Input { .call(call.rawValue, arguments) }
    /// An answer without headers.
    static func reply(_ status: Int, _ body: JSON = .null) -> Input { .answer(status, body, []) }
  }

  private var stepper = CoreStepper<OIDCCore>(at: TrialWorld.at(0))
  private let brings: [DrawKind: Result<JSON, DrawFailure>]
  /// The latest decided record of each type.
  private var last: [String: FlowRecord] = [:]

  private static let usual: [DrawKind: JSON] = [
    .userAgent: "agent", .jitter: 123, .oidcKnown: [:], .oidcRemember: true, .oidcRedirect: redirect, .state: "state-1",
    .nonce: "nonce-1", .pkce: ["verifier": "verifier-1", "challenge": "challenge-1"], .uuid: "id-1",
    .oidcKeys: ["kid": "key-1", "mayFetch": true], .oidcBasic: "Basic c2VjcmV0", .tokensKeep: true, .tokensClear: 1,
    .tokensRead: ["tokens": ["id": "id-0", "issuer": "https://acme.example", "clientId": "c"]],
  ]
  /// The result of a draw that a trial does not specify.
  static func usually(_ kind: DrawKind) -> Result<JSON, DrawFailure> { .success(usual[kind] ?? .null) }

  /// A valid redirect.
  static let redirect: JSON = ["ours": true, "state": "equal", "code": "code-1"]

  /// Begins a flow.
  init(_ settings: JSON, brings: [DrawKind: Result<JSON, DrawFailure>] = [:]) {
    self.brings = brings
    _ = take(.flowStarted(FlowStarted(kind: OIDCCore.kind, sdk: "stage", settings: settings)), nil)
  }

  /// Feeds one input.
  ///
  /// - Returns: the draws that are taken and the events that follow.
  mutating func feed(_ input: Input) -> String {
    switch input {
    case .call(let name, let arguments): return take(.callMade(CallMade(call: name, arguments: arguments)), nil)
    case .answer(let status, let body, let headers):
      let fields = headers.map { HTTPField($0.0, $0.1) }
      let content: RecordedBody = body == .null ? .empty : .json(body)
      return take(
        .responseReceived(ResponseReceived(status: status, headers: fields, body: content)), RequestSent.type)
    case .unread(let status, let reason):
      return take(
        .responseReceived(ResponseReceived(status: status, headers: [], body: .unread(reason))), RequestSent.type)
    case .lost(let code):
      return take(.requestFailed(RequestFailed(TransportError(code, "It is lost."))), RequestSent.type)
    case .drawn(let value): return bring(.success(value))
    case .undrawn(let reason, let detail): return bring(.failure(DrawFailure(reason, detail)))
    case .fired: return take(.timerFired(TimerFired()), TimerSet.type)
    case .later(let seconds):
      stepper.at = Timestamp(microseconds: stepper.at.microseconds + seconds * 1_000_000)
      return "\(stepper.at)"
    }
  }

  private mutating func bring(_ result: Result<JSON, DrawFailure>) -> String {
    guard let asked = last[DrawAsked.type], case .drawAsked(let draw) = asked.event else { return "nothing is asked" }
    return text(of: stepper.answer(draw.kind, result, asked: asked.revision, drawing: drawing))
  }

  /// Feeds an event that answers the latest one of a type, and folds what follows.
  private mutating func take(_ event: FlowEvent, _ answered: String?) -> String {
    let cause = answered.flatMap { last[$0]?.revision }
    return text(of: stepper.feed(event, cause: cause, drawing: drawing))
  }

  private var drawing: CoreStepper<OIDCCore>.Drawing {
    { [brings] kind, _, _ in brings[kind] ?? Self.usually(kind) }
  }

  /// Keeps what was decided, and describes the outcome.
  private mutating func text(of outcome: CoreStepper<OIDCCore>.Outcome) -> String {
    for record in outcome.outputs { last[record.event.type] = record }
    return outcome.lines.joined(separator: "; ")
  }

  var core: OIDCCore { stepper.core }

  /// The state, what is awaited, and the tokens that the application receives.
  var summary: String {
    let tokens = StoredTokens(of: core, revealedBy: Vault())?.json.text ?? "no tokens"
    let draws = (0..<stepper.revision).filter { core.awaits(draw: $0) }
    let (timers, calls) = (core.awaitedTimers.sorted(), core.openCalls.sorted())
    let marks = [core.isOpen, core.isUnderWay, core.awaitsRedirect, core.operation?.persists ?? false]
    return "\(core.json.text) \(tokens) \(draws) \(timers) \(calls) \(marks) \(core.skew)"
      + " \(core.operation?.redirectText ?? "-")"
  }
}
