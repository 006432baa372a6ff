// A flow that only its core runs, for the tables of the kinds: a trial gives the inputs, and what follows is folded.

package import EventStore

/// A core and what it waits for. Copies continue independently, so that one beginning can have several ends.
package struct DrivenCore<Core: FlowCore> {
  /// The state.
  package private(set) var core = Core()
  /// The state of the object that calls are made on; `nil` before there is one.
  package var held: Core?
  private let draw: (DrawKind) -> Result<JSON, DrawFailure>
  private var at = Timestamp(microseconds: 1_768_467_641_000_000)
  private var count = 0
  private var draws = 0
  private var calls: [Int] = []
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
    calls.append(count)
    return take(.callMade(CallMade(call: name, arguments: arguments, on: held?.snapshotRevision)))
  }

  /// Cancels the latest call.
  @discardableResult
  package mutating func giveUp() -> String {
    guard let call = calls.last else { return "" }
    return take(.callMade(CallMade(call: CallMade.giveUp, arguments: ["call": .int(call)])))
  }

  /// Answers the oldest request.
  @discardableResult
  package mutating func answer(_ body: JSON, _ status: Int = 200, _ headers: [HTTPField] = []) -> String {
    guard !requests.isEmpty else { return "" }
    let response = ResponseReceived(status: status, headers: headers, body: .json(body))
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
    defer { draws += 1 }
    return take(.drawMade(DrawMade(kind: asked.kind, ordinal: draws, result: result)), after: asked.revision)
  }

  /// Fires the latest timer.
  @discardableResult
  package mutating func fire() -> String {
    guard let timer else { return "" }
    return take(.timerFired(TimerFired()), after: timer)
  }

  /// Keeps the object of the current state, on which later calls are made.
  package mutating func hold() { held = core }

  /// Lets time pass.
  package mutating func wait(seconds: Int64) {
    at = Timestamp(microseconds: at.microseconds + seconds * 1_000_000)
  }

  /// Applies an input and what follows from it.
  @discardableResult
  private mutating func take(_ event: FlowEvent, after cause: Int? = nil) -> String {
    let input = add(event, cause)
    let (draw, first) = (draw, draws)
    var drawn: [(made: DrawMade, input: JSON)] = []
    let outputs = core.decide(
      input, on: held,
      draws: Draws { kind, given in
        let result = draw(kind)
        drawn.append((DrawMade(kind: kind, ordinal: first + drawn.count, result: result), given))
        return result
      })
    draws += drawn.count
    var lines: [String] = []
    for (made, given) in drawn {
      _ = add(.drawMade(made), input.revision)
      lines.append("\(made.kind.rawValue) \(given.text)")
    }
    for output in outputs {
      let record = add(output, input.revision)
      if case .requestSent = output { requests.append(record.revision) }
      if case .drawAsked(let draw) = output { asked = (record.revision, draw.kind) }
      if case .timerSet = output { timer = record.revision }
      lines.append("\(output.type) \(output.data.text)")
    }
    wait(seconds: 1)
    return (lines + ["\(core.openCalls.sorted()) \(core.awaitedTimers.sorted())"]).joined(separator: " ")
  }

  private mutating func add(_ event: FlowEvent, _ cause: Int?) -> FlowRecord {
    let record = FlowRecord(revision: count, at: at, cause: cause, event: event)
    count += 1
    core.fold(record)
    return record
  }
}
