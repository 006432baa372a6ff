// A flow that only its core runs, for the tables of the kinds: what the core waits for is answered on demand.

package import EventStore

/// A core and what it waits for. Copies continue independently, so that one beginning can have several ends.
package struct DrivenCore<Core: FlowCore> {
  private var stepper = CoreStepper<Core>(at: Timestamp(microseconds: 1_768_467_641_000_000))
  private let draw: (DrawKind) -> Result<JSON, DrawFailure>
  private var latestCall: Int?
  private var requests: [Int] = []
  private var asked: (revision: Int, kind: DrawKind)?
  private var timer: Int?

  /// Begins a flow whose immediate draws have these results.
  package init(_ settings: JSON, _ draw: @escaping (DrawKind) -> Result<JSON, DrawFailure>) {
    self.draw = draw
    take(.flowStarted(FlowStarted(kind: Core.kind, sdk: "sdk", settings: settings)))
  }

  /// Makes a call on the held object. Like all inputs, it takes a second, and returns the draws and events that follow.
  @discardableResult
  package mutating func call(_ name: String, _ arguments: JSON = [:]) -> String {
    latestCall = stepper.revision
    return take(.callMade(CallMade(call: name, arguments: arguments, on: stepper.held?.snapshotRevision)))
  }

  /// Cancels the latest call.
  @discardableResult
  package mutating func giveUp() -> String {
    guard let latestCall else { return "" }
    return take(.callMade(CallMade(call: CallMade.giveUp, arguments: ["call": .int(latestCall)])))
  }

  /// Answers the oldest request.
  @discardableResult
  package mutating func answer(_ body: JSON, _ status: Int = 200, _ headers: [HTTPField] = []) -> String {
    guard !requests.isEmpty else { return "" }
    let response = ResponseReceived(status: status, headers: headers, body: .json(body))
    return take(.responseReceived(response), after: requests.removeFirst())
  }

  /// Answers the oldest request with a body that is not kept.
  @discardableResult
  package mutating func answerUnread(_ reason: String, _ status: Int) -> String {
    guard !requests.isEmpty else { return "" }
    let response = ResponseReceived(status: status, headers: [], body: .unread(reason))
    return take(.responseReceived(response), after: requests.removeFirst())
  }

  /// Lets the oldest request fail.
  @discardableResult
  package mutating func lose(_ code: TransportError.Code) -> String {
    guard !requests.isEmpty else { return "" }
    return take(.requestFailed(RequestFailed(TransportError(code, "why"))), after: requests.removeFirst())
  }

  /// Answers the latest draw that waits.
  @discardableResult
  package mutating func decide(_ result: Result<JSON, DrawFailure>) -> String {
    guard let asked else { return "" }
    return text(of: stepper.answer(asked.kind, result, asked: asked.revision, drawing: drawing))
  }

  /// Fires the latest timer.
  @discardableResult
  package mutating func fire() -> String {
    guard let timer else { return "" }
    return take(.timerFired(TimerFired()), after: timer)
  }

  /// Keeps the object of the current state, on which later calls are made.
  package mutating func hold() { stepper.held = core }

  /// The state.
  package var core: Core { stepper.core }

  private var drawing: CoreStepper<Core>.Drawing {
    { [draw] kind, _, _ in draw(kind) }
  }

  @discardableResult
  private mutating func take(_ event: FlowEvent, after cause: Int? = nil) -> String {
    text(of: stepper.feed(event, cause: cause, drawing: drawing))
  }

  /// Keeps what the flow waits for, and describes the outcome.
  private mutating func text(of outcome: CoreStepper<Core>.Outcome) -> String {
    for record in outcome.outputs {
      if case .requestSent = record.event { requests.append(record.revision) }
      if case .drawAsked(let draw) = record.event { asked = (record.revision, draw.kind) }
      if case .timerSet = record.event { timer = record.revision }
    }
    stepper.at = Timestamp(microseconds: stepper.at.microseconds + 1_000_000)
    return (outcome.lines + ["\(core.openCalls.sorted()) \(core.awaitedTimers.sorted())"]).joined(separator: " ")
  }
}
