// The records of one flow, in the order and with the causes that the runtime gives them.

import EventStore
import FlowRecording

/// Writes the events of one flow to a batch.
struct FlowScript {
  let stream: String
  private(set) var records: [NewRecord] = []
  private(set) var now: Timestamp
  private let offset: Int
  private var input = 0
  private var ordinal = 0

  /// - Parameter offset: the number of records before the flow in its batch.
  init(_ stream: String, at start: Timestamp, offset: Int) {
    self.stream = stream
    now = start
    self.offset = offset
  }

  /// The revision of the next record.
  var revision: Int { records.count }

  mutating func wait(milliseconds: Int) { now = now.adding(milliseconds: milliseconds) }

  /// Adds an event from outside.
  mutating func take(_ event: FlowEvent, answering cause: Int? = nil) {
    input = revision
    add(event, cause)
  }

  /// Adds an event that the SDK derives from the last input.
  mutating func make(_ event: FlowEvent) { add(event, input) }

  private mutating func add(_ event: FlowEvent, _ cause: Int?) {
    records.append(
      NewRecord(
        at: now, stream: stream, type: event.type, cause: cause.map { .inBatch(offset + $0) },
        data: EventCoding.encode(event).data))
  }

  /// Adds an event of a kind, derived from the last input.
  mutating func make(_ type: String, _ data: JSON) {
    make(.domain(DomainEvent(type: type, version: 1, data: data)))
  }

  mutating func draw(_ kind: String, _ value: JSON) {
    make(.drawMade(DrawMade(kind: DrawKind(rawValue: kind), ordinal: ordinal, result: .success(value))))
    ordinal += 1
  }

  mutating func call(_ name: String, _ arguments: JSON, on: Int? = nil) -> Int {
    let revision = revision
    take(.callMade(CallMade(call: name, arguments: arguments, on: on)))
    return revision
  }

  mutating func returned(_ call: Int, _ outcome: CallReturned.Outcome) {
    make(.callReturned(CallReturned(call: call, outcome: outcome)))
  }

  /// Adds a request, and its answer after the given time.
  mutating func exchange(
    _ path: String, body: JSON, status: Int = 200, answer: JSON, after milliseconds: Int, requestID: String
  ) {
    let sent = revision
    make(.requestSent(request(path, body)))
    wait(milliseconds: milliseconds)
    let headers = [
      HTTPField("X-Okta-Request-Id", requestID), HTTPField("X-Rate-Limit-Remaining", "599"),
      HTTPField("Content-Type", "application/json"),
    ]
    take(
      .responseReceived(ResponseReceived(status: status, headers: headers, body: .json(answer))), answering: sent)
  }

  /// Adds a request that receives no answer.
  mutating func failingExchange(_ path: String, body: JSON, code: TransportError.Code, after milliseconds: Int) {
    let sent = revision
    make(.requestSent(request(path, body)))
    wait(milliseconds: milliseconds)
    take(.requestFailed(RequestFailed(TransportError(code, "The connection broke."))), answering: sent)
  }

  /// Adds a timer and its firing.
  mutating func timer(milliseconds: Int, for purpose: String) {
    let set = revision
    make(.timerSet(TimerSet(milliseconds: milliseconds, purpose: purpose)))
    wait(milliseconds: milliseconds)
    take(.timerFired(TimerFired()), answering: set)
  }

  mutating func end(_ outcome: String) { make(.flowEnded(FlowEnded(outcome: outcome))) }

  private func request(_ path: String, _ body: JSON) -> RequestSent {
    RequestSent(
      method: "POST", url: "https://acme.example" + path,
      headers: [HTTPField("Accept", "application/json"), HTTPField("User-Agent", CompanyWriter.userAgent)], body: body)
  }
}
