// The state of a classic sign-in, and the only way to derive it. Decisions on inputs are in `AuthnCore+Decide.swift`.
// No file in this folder imports Foundation: a core has no clock and no random numbers.

package import EventStore
package import FlowRecording

/// The state of one transaction, with secrets as placeholders.
package struct AuthnCore: FlowCore {
  package static var kind: String { "authn" }
  package static var policy: MaskingPolicy { AuthnPolicy.policy }
  package static var draws: DrawDeclarations { AuthnPolicy.draws }

  /// Calls, requests, the latest answer, cookies and the outcome.
  package internal(set) var ledger = Ledger<Call, Untagged>()
  /// The org URL without a trailing slash, and where links may lead.
  package internal(set) var links = LinkRule(home: "")
  /// How long a poll waits after the answer to the last.
  package internal(set) var pollMilliseconds = 5000
  /// The status that the application holds now.
  package internal(set) var current: Snapshot?
  /// What the flow waits for other than answers.
  package internal(set) var phase = Phase.resting
  /// Whether the application's response handler decides about answers.
  package internal(set) var asksHandler = false
  /// The languages requested by the latest sign-in that was sent, for all requests of the flow.
  package internal(set) var languages: String?
  /// Every status the application may hold an object of, by revision.
  package internal(set) var statuses: [Int: Held] = [:]

  /// The known facts about a status that the application may hold an object of.
  package struct Held: Sendable, Equatable {
    /// The status by its wire name.
    package var status: String
    /// Whether a factor waited.
    package var waits: Bool
  }

  /// A status as the application holds it.
  package struct Snapshot: Sendable, Equatable {
    /// The revision of the event that made it.
    package var revision: Int
    /// The status by its wire name.
    package var status: String
    /// The transaction object.
    package var body: JSON
  }

  /// A call in progress.
  package struct Call: Sendable, Equatable {
    /// The call's name.
    package var name: String
    /// The call, or nil if it is unknown to this version.
    package var kind: AuthnCall? { AuthnCall(rawValue: name) }
    /// The status of the object that was called.
    package var status: String?
    /// What its requests add to the query of a link.
    package var query: [AuthnQueryItem] = []
    /// Whether its first request is already a poll.
    package var isPoll = false
    /// The context for the requests of the flow from this call on; nil if the call does not specify one.
    package var context: Context?
    /// The interval for polls from its request on, in milliseconds; nil if the call does not specify one, or if it
    /// applied at once, as in recordings of versions in which a refused call's interval counted too.
    package var pollMilliseconds: Int?

    /// Whether it continues while a factor is pending.
    var waits: Bool { kind?.waits != false }
  }

  /// The context that a sign-in sets for its own request and all that follow it.
  package struct Context: Sendable, Equatable {
    /// The languages of texts and messages; nil for those of the org.
    package var languages: String?
    /// The value by which the org recognizes the device; nil if the call does not specify one, or if it applied at
    /// once, as in recordings of versions in which a refused call's token counted too.
    package var deviceToken: String?
  }

  /// What a flow waits for other than answers.
  package enum Phase: Sendable, Equatable {
    /// Nothing.
    case resting
    /// Waits for a factor that is answered elsewhere.
    case polling(Poll)
    /// Waits for the application's response handler to decide about an answer, which may be that of a poll.
    case asking(Asked, polling: Poll?)
  }

  /// Polling: one request or one timer at a time.
  package struct Poll: Sendable, Equatable {
    package var call: Int
    package var step: PollStep
    package var failures = 0
    package var target: PollTarget?
    /// How long it has waited so far, in milliseconds of its timers.
    package var waited = 0

    /// The running timer; nil for none.
    package var timer: Int? { step.timer }
    /// The request in progress; nil for none.
    package var request: Int? { step.request }
  }

  /// Where the next poll is sent, according to the last answer.
  package struct PollTarget: Sendable, Equatable {
    package var url: String
    package var stateToken: String
    /// When the token expires, on the org's clock.
    package var expires: Timestamp?
  }

  /// A question to the application's response handler (`draw.asked`).
  package struct Asked: Sendable, Equatable {
    package var revision: Int
    package var call: Int
    /// Where a poll would be sent, if the handler decides to wait.
    package var target: PollTarget?
    /// The revision of the `draw.made` that answers it.
    package var answer: Int?
  }

  /// The state before the first event.
  package init() {}

  package var snapshotRevision: Int? { current?.revision }
  package var awaitedTimers: Set<Int> { poll?.timer.map { [$0] } ?? [] }
  package var openCalls: Set<Int> { Set(ledger.calls.keys) }
  package var isOpen: Bool { ledger.isOpen }

  /// The org URL, without a trailing slash.
  package var org: String { links.home }

  /// The polling under way.
  package var poll: Poll? {
    switch phase {
    case .resting: nil
    case .polling(let poll): poll
    case .asking(_, let poll): poll
    }
  }

  /// The pending question to the application's response handler.
  package var asked: Asked? { if case .asking(let asked, _) = phase { asked } else { nil } }

  /// The call whose request changes the transaction, if one is in progress; polling does not count.
  var operation: Int? {
    (ledger.requests.values.map(\.call) + [asked?.call].compactMap { $0 })
      .filter { $0 != poll?.call && ledger.calls[$0] != nil && ledger.calls[$0]?.kind?.onlyReads != true }.min()
  }

  /// The transaction object of the current status.
  var transaction: TransactionReading { TransactionReading(json: current?.body ?? [:]) }

  /// The last answer, parsed; nil if it was not JSON, or if there was none.
  var answer: TransactionReading? {
    guard case .json(let json) = ledger.answer?.body else { return nil }
    return TransactionReading(json: json)
  }
}

extension AuthnCore {
  package mutating func fold(_ record: FlowRecord) {
    ledger.advance(to: record.at)
    switch record.event {
    case .flowStarted(let started): fold(settings: started.settings)
    case .flowEnded(let ended): ledger.end(ended)
    case .callMade(let made): fold(made, record)
    case .callReturned(let returned): fold(returned)
    case .requestSent(let request): fold(request, record)
    case .responseReceived(let response):
      ledger.receive(response, record, home: org)
      pollIsAnswered(record)
    case .requestFailed(let failed):
      ledger.fail(failed, record)
      pollIsAnswered(record)
    case .timerSet(let timer): fold(timer, record)
    case .drawAsked(let draw):
      guard let call = draw.input["call"]?.int else { return }
      let asked = Asked(revision: record.revision, call: call, target: answer.flatMap(PollTarget.init))
      phase = .asking(asked, polling: poll)
    case .drawMade(let draw):
      ledger.take(draw)
      if case .asking(var asked, let poll) = phase, let cause = record.cause, asked.revision == cause {
        asked.answer = record.revision
        phase = .asking(asked, polling: poll)
      }
    case .domain(let event): fold(event, record)
    case .noteAdded, .timerFired: break
    }
  }

  /// The purpose of a timer for the next poll, or for repeating a poll that failed.
  static let polling = "poll"
  static let retry = "retry"

  private mutating func fold(settings: JSON) {
    links = LinkRule(
      home: settings["org"]?.string ?? "", origins: settings["origins"]?.array?.compactMap(\.string))
    pollMilliseconds = min(settings["pollMilliseconds"]?.int ?? 5000, TimerSet.longest)
    asksHandler = settings["handler"]?.bool ?? false
  }

  private mutating func fold(_ made: CallMade, _ record: FlowRecord) {
    guard !made.isControl else { return }
    let held = made.on.flatMap { statuses[$0] }
    let milliseconds = made.arguments["pollMilliseconds"]?.int.map { min($0, TimerSet.longest) }
    ledger.calls[record.revision] = Call(
      name: made.call, status: held?.status, query: AuthnQueryItem.items(of: made), isPoll: made.isPoll(on: held),
      context: Context(made), pollMilliseconds: made.intervalCountsOnceSent ? milliseconds : nil)
    if let milliseconds, !made.intervalCountsOnceSent { pollMilliseconds = milliseconds }
    if let token = made.arguments["deviceToken"]?.string, !made.deviceCountsOnceSent { recognize(by: token) }
  }

  /// Sets the context and the poll interval of a call for its request and all that follow it. Not called for a refused
  /// call.
  mutating func takeUp(contextOf call: Int) {
    if let milliseconds = ledger.calls[call]?.pollMilliseconds { pollMilliseconds = milliseconds }
    guard let context = ledger.calls[call]?.context else { return }
    languages = context.languages
    if let token = context.deviceToken { recognize(by: token) }
  }

  /// Makes the org recognize the device by a token from now on.
  private mutating func recognize(by token: String) {
    guard let origin = URLParts(org)?.comparableOrigin else { return }
    ledger.cookies.set(CookieJar.Cookie(origin: origin, name: "DT", value: token))
  }

  private mutating func fold(_ event: DomainEvent, _ record: FlowRecord) {
    switch AuthnEvent(event) {
    case .statusChanged(let changed): hold(changed.status, answer?.json ?? [:], record)
    case .factorUpdated:
      if let body = answer?.json, let status = current?.status, TransactionReading(json: body).status == status {
        hold(status, body, record)
      }
    case nil: break
    }
  }

  private mutating func hold(_ status: String, _ body: JSON, _ record: FlowRecord) {
    current = Snapshot(revision: record.revision, status: status, body: body)
    let waits = TransactionReading(json: body).factorResult == AuthnVocabulary.waiting
    statuses[record.revision] = Held(status: status, waits: waits)
  }

  /// The end of a call also ends what is pending on its behalf.
  private mutating func fold(_ returned: CallReturned) {
    ledger.close(returned)
    let poll = poll.flatMap { $0.call == returned.call ? nil : $0 }
    if let asked, asked.call != returned.call {
      phase = .asking(asked, polling: poll)
    } else {
      phase = poll.map(Phase.polling) ?? .resting
    }
  }

  private mutating func fold(_ request: RequestSent, _ record: FlowRecord) {
    let cause = record.cause.flatMap { ledger.calls[$0] == nil ? nil : $0 }
    ledger.send(request, at: record.revision, for: cause ?? poll?.call, Untagged())
    if let cause {
      takeUp(contextOf: cause)
      guard ledger.calls[cause]?.isPoll == true else { return }
      poll(Poll(call: cause, step: .requesting(record.revision), target: PollTarget(request)))
    } else if var poll {
      poll.step = .requesting(record.revision)
      self.poll(poll)
    }
  }

  /// Continues polling, whether or not a handler has a pending question.
  private mutating func poll(_ poll: Poll) {
    phase = if let asked { .asking(asked, polling: poll) } else { .polling(poll) }
  }

  private mutating func pollIsAnswered(_ record: FlowRecord) {
    guard var poll, let request = poll.request, request == record.cause else { return }
    poll.step = .answered
    self.poll(poll)
  }

  private mutating func fold(_ timer: TimerSet, _ record: FlowRecord) {
    let waited = waited + timer.duration
    let step = PollStep.waiting(timer: record.revision)
    if let asked, asked.answer == record.cause {
      phase = .polling(Poll(call: asked.call, step: step, target: asked.target, waited: waited))
      return
    }
    guard record.cause == ledger.latest?.revision, let call = ledger.latest?.request?.call else { return }
    if timer.purpose == AuthnCore.retry {
      poll(
        Poll(call: call, step: step, failures: (poll?.failures ?? 0) + 1, target: poll?.target, waited: waited))
    } else {
      poll(Poll(call: call, step: step, target: answer.flatMap(PollTarget.init), waited: waited))
    }
  }

  /// How long the current polling has waited, in milliseconds.
  var waited: Int { poll?.waited ?? 0 }
}

extension AuthnCore.PollTarget {
  /// Where the transaction is polled; nil if it does not specify that.
  init?(_ transaction: TransactionReading) {
    guard let link = transaction.link("next"), link.takesPost, let token = transaction.stateToken else { return nil }
    self.init(
      url: link.href, stateToken: token, expires: transaction.json["expiresAt"]?.string.flatMap { Timestamp($0) })
  }

  /// Where a request polled.
  init?(_ request: RequestSent) {
    guard let token = request.body?["stateToken"]?.string else { return nil }
    self.init(url: request.url, stateToken: token)
  }
}

extension AuthnCore.Context {
  /// The context that a call sets; nil if it is not a sign-in.
  init?(_ made: CallMade) {
    guard AuthnCall(rawValue: made.call) == .authenticate else { return nil }
    languages = made.arguments["languagesStay"]?.bool == true ? made.arguments["acceptLanguage"]?.string : nil
    deviceToken = made.deviceCountsOnceSent ? made.arguments["deviceToken"]?.string : nil
  }
}

extension CallMade {
  /// Whether its device token applies when its request is sent, rather than at once.
  fileprivate var deviceCountsOnceSent: Bool { arguments["deviceOnceSent"]?.bool == true }

  /// Whether its poll interval applies when its request is sent, rather than at once.
  fileprivate var intervalCountsOnceSent: Bool { arguments["pollOnceSent"]?.bool == true }

  /// Whether the call only asks again for the result of a factor, so that it may be repeated.
  func isPoll(on held: AuthnCore.Held?) -> Bool {
    let sends = ["passCode", "answer"].contains { (arguments[$0] ?? .null) != .null }
    return AuthnCall(rawValue: call)?.mayBePoll == true && held?.waits == true && !sends
  }
}
