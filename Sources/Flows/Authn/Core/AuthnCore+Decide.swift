// What follows from an input (authn §13-§14): requests, timers, statuses, and what callers receive.

package import FlowRecording
import EventStore

extension AuthnCore {
  package func decide(_ input: FlowRecord, on snapshot: AuthnCore?, draws: Draws) -> [FlowEvent] {
    switch input.event {
    case .callMade(let made) where made.call == CallMade.giveUp: ledger.givingUp(made)
    case .callMade(let made) where made.call == CallMade.release: ledger.releasing(as: outcomeOfRelease)
    case .callMade(let made) where made.call == AuthnCall.stopPolling.rawValue: stopped(by: input.revision)
    case .callMade(let made): call(made, input, on: snapshot, draws)
    case .responseReceived(let response): received(response, input, draws)
    case .requestFailed(let failure): failed(failure.error, draws)
    case .timerFired: fired(input, draws)
    case .drawMade(let draw): answered(draw, input)
    case .flowStarted, .flowEnded, .noteAdded, .callReturned, .requestSent, .drawAsked, .timerSet, .domain: []
    }
  }

  // MARK: Calls

  /// The application only stops the polling.
  private func stopped(by call: Int) -> [FlowEvent] {
    ledger.cancelling(poll.map { [$0.call] } ?? []) + [.callReturned(CallReturned(call: call, outcome: .done))]
  }

  /// The outcome of a flow that the application released without cancelling it.
  private var outcomeOfRelease: String {
    current?.status == AuthnVocabulary.lockedOut ? "lockedOut" : ledger.outcomeOfRelease
  }

  private func call(_ made: CallMade, _ input: FlowRecord, on snapshot: AuthnCore?, _ draws: Draws) -> [FlowEvent] {
    let call = input.revision
    let kind = AuthnCall(rawValue: made.call)
    let isCancel = kind == .cancel
    // Cancel stops everything else from the moment of the call (§14.2); other operations must wait for each other,
    // and polling yields to them (§14.3).
    let isBusy = isCancel ? ledger.calls.contains { $0.key != call && $0.value.kind == .cancel } : operation != nil
    if isBusy, kind?.onlyReads != true { return [Refusal.alreadyInProgress.ending(call)] }
    let yields = kind?.isBesidePolling != true
    let stopped = ledger.cancelling(ledger.calls.keys.filter { $0 != call && (isCancel || yields && $0 == poll?.call) })
    let target = made.on == nil ? nil : snapshot?.current
    if isCancel, Self.hasNothingToCancel(target) {
      return stopped + [.callReturned(CallReturned(call: call, outcome: .done))]
    }
    do throws(Refusal) {
      let plan = try RequestPlan(made, on: target, of: self)
      var sending = self
      sending.takeUp(contextOf: call)
      return stopped + [sending.request(plan, draws)]
    } catch {
      return (isCancel ? stopped : []) + [error.ending(call)]
    }
  }

  /// Before a transaction has begun, there is nothing to cancel, and a step-up must not be cancelled by us (§13.3).
  private static func hasNothingToCancel(_ target: Snapshot?) -> Bool {
    guard let target else { return true }
    return target.status == AuthnVocabulary.unauthenticated
      && TransactionReading(json: target.body).link("cancel") == nil
  }

  private func request(_ plan: RequestPlan, _ draws: Draws) -> FlowEvent {
    let agent = ledger.userAgent ?? draws(.userAgent).string ?? ""
    var plan = plan
    let language = "Accept-Language"
    if let languages, !plan.headers.contains(where: { $0.name == language }) {
      plan.headers.append(HTTPField(language, languages))
    }
    return plan.sent(
      client: HTTPField("User-Agent", agent),
      cookie: URLParts(plan.url).flatMap { ledger.cookies.header(for: $0.comparableOrigin) },
      by: links)
  }

  // MARK: Answers

  private func received(_ response: ResponseReceived, _ input: FlowRecord, _ draws: Draws) -> [FlowEvent] {
    // A late answer to a call that has ended: it is recorded and changes nothing.
    guard let (call, made, _) = ledger.answered else { return [] }
    switch AuthnReply(response, to: made.kind) {
    case .refused(let refusal):
      if poll?.call == call, response.status == 429, let wait = retryWait(after: response, input.at, draws) {
        return [wait]
      }
      return [ended(call, made, refusal)]
    case .acknowledged:
      let done = FlowEvent.callReturned(CallReturned(call: call, outcome: .done))
      return made.kind == .cancel ? [done, .flowEnded(FlowEnded(outcome: "cancelled"))] : [done]
    case .transaction(let transaction, let status): return moved(to: transaction, status, call, made)
    }
  }

  private func moved(to transaction: TransactionReading, _ status: String, _ call: Int, _ made: Call) -> [FlowEvent] {
    var events: [FlowEvent] = []
    if let result = transaction.factorResult, made.kind?.reportsFactor == true {
      events.append(.domain(FactorUpdated(result: result, call: call)))
    }
    let waits = transaction.factorResult == AuthnVocabulary.waiting && status == made.status && made.waits
    if waits, !asksHandler { return events + [pollOrRefuse(transaction, call)] }
    let changed = FlowEvent.domain(
      StatusChanged(status: status, previous: current?.status, summary: AuthnSummary.summary(of: transaction)))
    if asksHandler {
      // The handler's object is made from the state after this; if a result was reported, that event provides it.
      return (waits && !events.isEmpty ? events : events + [changed]) + [ask(call)]
    }
    // An unknown status keeps its data, so that its links can be followed; an incomplete one is not accepted.
    let refusal = AuthnReply.refusal(of: transaction, status)
    if let refusal, refusal.code != Refusal.unknownStatusCode { return events + [refusal.ending(call)] }
    events.append(changed)
    if let refusal { return events + [refusal.ending(call)] }
    return events + arrived(call, at: status)
  }

  /// The caller receives its status; SUCCESS ends the flow.
  private func arrived(_ call: Int, at status: String?) -> [FlowEvent] {
    let done = FlowEvent.callReturned(CallReturned(call: call, outcome: .status))
    return status == AuthnVocabulary.success ? [done, .flowEnded(FlowEnded(outcome: "success"))] : [done]
  }

  // MARK: The application's own handler

  /// Asks the handler what an answer means; its reply is an input (SPINE §2, «Subclassed handler»).
  private func ask(_ call: Int, _ refusal: Refusal? = nil) -> FlowEvent {
    let input = JSON.members([
      ("call", .int(call)), ("error", refusal.map { .string($0.code) }), ("details", refusal?.details),
    ])
    return .drawAsked(DrawAsked(kind: .handlerStatus, input: input))
  }

  /// A request failed: the application's own handler decides what that means, if a status was expected.
  private func ended(_ call: Int, _ made: Call, _ refusal: Refusal) -> FlowEvent {
    asksHandler && made.kind?.isStatusless != true ? ask(call, refusal) : refusal.ending(call)
  }

  private func answered(_ draw: DrawMade, _ input: FlowRecord) -> [FlowEvent] {
    guard let asked, asked.answer == input.revision, ledger.calls[asked.call] != nil else { return [] }
    switch draw.value["outcome"]?.string {
    case "status": return arrived(asked.call, at: current?.status)
    case "wait":
      guard let target = asked.target else { return [Refusal.missingLink("next").ending(asked.call)] }
      return [poll(target, asked.call)]
    default:
      let details = JSON.members([("text", draw.value["text"])])
      let code = draw.value["code"]?.string ?? Refusal.unexpectedResponse
      return [.callReturned(CallReturned(call: asked.call, outcome: .failed(code: code, details: details)))]
    }
  }

  // MARK: Polling

  private func pollOrRefuse(_ transaction: TransactionReading, _ call: Int) -> FlowEvent {
    guard let link = transaction.link("next") else { return Refusal.missingLink("next").ending(call) }
    guard link.takesPost else { return Refusal.browserLink("next").ending(call) }
    guard let target = PollTarget(transaction) else { return Refusal.missingToken.ending(call) }
    return poll(target, call)
  }

  private func poll(_ target: PollTarget, _ call: Int) -> FlowEvent {
    guard waited < AuthnCore.longestWait else { return Refusal.unanswered.ending(call) }
    do throws(Refusal) {
      _ = try allowed(target.url)
      return .timerSet(TimerSet(milliseconds: pollInterval, purpose: AuthnCore.polling))
    } catch {
      return error.ending(call)
    }
  }

  /// The maximum time that polling waits for an answer: an hour. It cannot always be detected that an application has
  /// released everything, and an org that extends the transaction with each poll sets no limit (§14.1).
  static let longestWait = 3_600_000
  /// The usual lifetime of a challenge; polling slows down after that.
  static let usualWait = 300_000

  /// The wait before the next poll: as configured, but at least half a second; after five minutes it increases, up to a
  /// minute.
  private var pollInterval: Int {
    let interval = max(500, pollMilliseconds)
    return max(interval, min(60_000, interval + (waited - AuthnCore.usualWait) / 20))
  }

  private func failed(_ error: TransportError, _ draws: Draws) -> [FlowEvent] {
    guard let (call, made, _) = ledger.answered else { return [] }
    let isFinal = error.code == .limitReached
    if let poll, poll.call == call, !isFinal, poll.failures < AuthnCore.tolerated { return [backOff(poll)] }
    return [ended(call, made, .connection(error))]
  }

  /// The number of consecutive failures after which polling fails (§14.1).
  static let tolerated = 5

  /// 1, 2, 4, 8, 16 seconds.
  private func backOff(_ poll: Poll) -> FlowEvent {
    .timerSet(TimerSet(milliseconds: 1000 << poll.failures, purpose: AuthnCore.retry))
  }

  /// The wait required by a rate limit, on the server's clock (§9.3); nil if polling has waited too often.
  private func retryWait(after response: ResponseReceived, _ time: Timestamp, _ draws: Draws) -> FlowEvent? {
    guard let poll, poll.failures < AuthnCore.tolerated else { return nil }
    guard let seconds = RateLimit(response, at: time).waitSeconds else {
      let jitter = min(max(draws(.jitter).int ?? 0, 0), 1000)
      return .timerSet(TimerSet(milliseconds: (1000 << poll.failures) + jitter, purpose: AuthnCore.retry))
    }
    return .timerSet(TimerSet(milliseconds: seconds * 1000, purpose: AuthnCore.retry))
  }

  private func fired(_ input: FlowRecord, _ draws: Draws) -> [FlowEvent] {
    // A timer that was replaced or stopped: its firing is recorded and changes nothing.
    guard let poll, let timer = poll.timer, timer == input.cause, ledger.calls[poll.call] != nil else { return [] }
    guard let target = poll.target else { return [Refusal.missingLink("next").ending(poll.call)] }
    if let expires = target.expires, expires.microseconds <= input.at.microseconds + (ledger.skew ?? 0) {
      return [Refusal.expired.ending(poll.call)]
    }
    let url = AuthnQueryItem.merge(ledger.calls[poll.call]?.query ?? [], into: target.url)
    return [request(RequestPlan(url: url, body: ["stateToken": .string(target.stateToken)]), draws)]
  }
}

extension DrawKind {
  /// The decision of the application's response handler about an answer.
  static let handlerStatus = DrawKind(rawValue: "handler.status")
}
