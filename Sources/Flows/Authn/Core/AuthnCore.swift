// The state of a classic sign-in, and the only way it comes to be. What follows from an input stands beside it, in
// `AuthnCore+Decide.swift`. No file of this folder imports Foundation: a core has no clock and no random numbers.

package import EventStore
package import FlowRecording

/// The state of one transaction: secrets are placeholders in it.
package struct AuthnCore: FlowCore {
  package static var kind: String { "authn" }
  package static var policy: MaskingPolicy { AuthnPolicy.policy }

  /// The org URL, without a slash at its end.
  package internal(set) var org = ""
  /// How long a poll waits after the answer to the last.
  package internal(set) var pollMilliseconds = 5000
  /// The status that the application holds now.
  package internal(set) var current: Snapshot?
  /// What the last request brought.
  package internal(set) var latest: Reply?
  /// The calls that wait for their `call.returned`, by the revision of their `call.made`.
  package internal(set) var calls: [Int: Call] = [:]
  /// The requests under way, by the revision of their `request.sent`.
  package internal(set) var requests: [Int: Request] = [:]
  /// The polling under way.
  package internal(set) var poll: Poll?
  /// The cookies the org has set, in the order of their names.
  package internal(set) var cookies = CookieJar()
  /// What requests say of the client, once drawn.
  package internal(set) var userAgent: String?
  /// How the flow ended, once it did.
  package internal(set) var outcome: String?
  /// The code of the error that the last call ended with; nil once one succeeds.
  package internal(set) var lastError: String?
  /// Whether the application's own response handler is asked what an answer means.
  package internal(set) var asksHandler = false
  /// What the handler was asked and has not settled yet.
  package internal(set) var asked: Asked?
  /// The origins that links may lead to; nil allows any.
  package internal(set) var origins: [String]?
  /// How far the org's clock is ahead of ours, in microseconds, by the last answer that told (§10).
  package internal(set) var skew: Int64 = 0

  /// Every status the application may hold an object of, by revision.
  package internal(set) var statuses: [Int: Held] = [:]

  /// What is known of a status that the application may hold an object of.
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

  /// A request under way: the call it belongs to, and where it went.
  package struct Request: Sendable, Equatable {
    package var call: Int
    package var origin: String
  }

  /// What a request brought: an answer of the org, or none.
  package struct Reply: Sendable, Equatable {
    package var revision: Int
    package var call: Int?
    package var content: Content

    /// An answer, or why there is none.
    package enum Content: Sendable, Equatable {
      case answer(ResponseReceived)
      case failure(TransportError)
    }
  }

  /// A call under way.
  package struct Call: Sendable, Equatable {
    /// The intent's name.
    package var name: String
    /// The status of the object that was called.
    package var status: String?
    /// What its requests add to the query of a link.
    package var query: [AuthnQueryItem] = []
    /// Whether its first request is a poll already.
    package var isPoll = false

    /// Whether it goes on while a factor waits.
    var waits: Bool { name != "checkFactorResult" }
  }

  /// Polling: one request or one timer at a time.
  package struct Poll: Sendable, Equatable {
    package var call: Int
    package var timer: Int?
    package var request: Int?
    package var failures = 0
    package var target: PollTarget?
    /// How long it has waited by now, in milliseconds of its timers.
    package var waited = 0
  }

  /// Where the next poll goes: as the last answer says.
  package struct PollTarget: Sendable, Equatable {
    package var url: String
    package var stateToken: String
    /// When the token ends, on the org's clock.
    package var expires: Timestamp?
  }

  /// A question to the application's response handler (`draw.asked`).
  package struct Asked: Sendable, Equatable {
    package var revision: Int
    package var call: Int
    /// Where a poll would go, if the handler says to wait.
    package var target: PollTarget?
    /// The revision of the `draw.made` that answers it.
    package var answer: Int?
  }

  /// The state before the first event.
  package init() {}

  package var snapshotRevision: Int? { current?.revision }
  package var awaitedTimers: Set<Int> { poll?.timer.map { [$0] } ?? [] }
  package var openCalls: Set<Int> { Set(calls.keys) }
  package var isOpen: Bool { outcome == nil && (latest != nil || !calls.isEmpty) }

  /// The call whose request changes the transaction, if one is under way; polling is none.
  var operation: Int? {
    (requests.values.map(\.call) + [asked?.call].compactMap { $0 })
      .filter { $0 != poll?.call && calls[$0] != nil }.min()
  }

  /// The transaction object of the current status.
  var transaction: TransactionReading { TransactionReading(json: current?.body ?? [:]) }

  /// The last answer, read; nil where it was no JSON, or did not come.
  var answer: TransactionReading? {
    guard case .answer(let response) = latest?.content, case .json(let json) = response.body else { return nil }
    return TransactionReading(json: json)
  }
}

extension AuthnCore {
  package mutating func fold(_ record: FlowRecord) {
    cookies.drop(endedAt: record.at)
    switch record.event {
    case .flowStarted(let started): fold(settings: started.settings)
    case .flowEnded(let ended): outcome = ended.outcome
    case .callMade(let made):
      guard !Self.controls.contains(made.call) else { return }
      let held = made.on.flatMap { statuses[$0] }
      calls[record.revision] = Call(
        name: made.call, status: held?.status, query: AuthnQueryItem.items(of: made), isPoll: made.isPoll(on: held))
      if let milliseconds = made.arguments["pollMilliseconds"]?.int {
        pollMilliseconds = min(milliseconds, TimerSet.longest)
      }
      if let token = made.arguments["deviceToken"]?.string, let origin = URLParts(org)?.origin {
        cookies.set(CookieJar.Cookie(origin: origin, name: "DT", value: token))
      }
    case .callReturned(let returned): fold(returned)
    case .requestSent(let request):
      // Only what reaches the org opens a flow again.
      outcome = nil
      fold(request, record)
    case .responseReceived(let response):
      let request = take(replyTo: record, .answer(response))
      if let origin = request?.origin { cookies.take(response, from: origin, at: record.at) }
      if let date = response.header("date").flatMap(HTTPDate.seconds) {
        skew = Int64(date) * 1_000_000 - record.at.microseconds
      }
    case .requestFailed(let failure): take(replyTo: record, .failure(failure.error))
    case .timerSet(let timer): fold(timer, record)
    case .statusChanged(let changed):
      hold(changed.status, answer?.json ?? [:], record)
    case .factorUpdated:
      if let body = answer?.json, let status = current?.status, TransactionReading(json: body).status == status {
        hold(status, body, record)
      }
    case .drawAsked(let draw):
      guard let call = draw.input["call"]?.int else { return }
      asked = Asked(revision: record.revision, call: call, target: answer.flatMap(PollTarget.init))
    case .drawMade(let draw):
      if draw.kind == .userAgent { userAgent = draw.value.string }
      if let cause = record.cause, asked?.revision == cause { asked?.answer = record.revision }
    case .noteAdded, .timerFired, .remediationChanged, .messageShown, .tokenIssued, .unknown: break
    }
  }

  private mutating func hold(_ status: String, _ body: JSON, _ record: FlowRecord) {
    current = Snapshot(revision: record.revision, status: status, body: body)
    let waits = TransactionReading(json: body).factorResult == AuthnVocabulary.waiting
    statuses[record.revision] = Held(status: status, waits: waits)
  }

  /// Calls that speak of other calls, or of the flow, and have no answer of their own.
  static let controls: Set<String> = ["giveUp", "release"]
  /// What a timer is for: the next poll, or a poll again after it failed.
  static let polling = "poll"
  static let retry = "retry"

  private mutating func fold(settings: JSON) {
    org = settings["org"]?.string ?? ""
    pollMilliseconds = min(settings["pollMilliseconds"]?.int ?? 5000, TimerSet.longest)
    asksHandler = settings["handler"]?.bool ?? false
    origins = settings["origins"]?.array?.compactMap(\.string)
  }

  private mutating func fold(_ returned: CallReturned) {
    calls[returned.call] = nil
    if poll?.call == returned.call { poll = nil }
    if asked?.call == returned.call { asked = nil }
    switch returned.outcome {
    case .status, .done: lastError = nil
    case .failed(let code, _): lastError = code
    case .cancelled: break
    }
  }

  private mutating func fold(_ request: RequestSent, _ record: FlowRecord) {
    let origin = URLParts(request.url)?.origin ?? ""
    if let cause = record.cause, let call = calls[cause] {
      requests[record.revision] = Request(call: cause, origin: origin)
      if call.isPoll { poll = Poll(call: cause, request: record.revision, target: PollTarget(request)) }
    } else if let call = poll?.call {
      requests[record.revision] = Request(call: call, origin: origin)
      poll?.request = record.revision
      poll?.timer = nil
    }
  }

  @discardableResult
  private mutating func take(replyTo record: FlowRecord, _ content: Reply.Content) -> Request? {
    let request = record.cause.flatMap { requests.removeValue(forKey: $0) }
    latest = Reply(revision: record.revision, call: request?.call, content: content)
    if let cause = record.cause, poll?.request == cause { poll?.request = nil }
    return request
  }

  private mutating func fold(_ timer: TimerSet, _ record: FlowRecord) {
    let waited = waited + timer.milliseconds
    if let asked, asked.answer == record.cause {
      poll = Poll(call: asked.call, timer: record.revision, target: asked.target, waited: waited)
      self.asked = nil
      return
    }
    guard record.cause == latest?.revision, let call = latest?.call else { return }
    if timer.purpose == AuthnCore.retry {
      poll = Poll(
        call: call, timer: record.revision, failures: (poll?.failures ?? 0) + 1, target: poll?.target, waited: waited)
    } else {
      poll = Poll(call: call, timer: record.revision, target: answer.flatMap(PollTarget.init), waited: waited)
    }
  }

  /// How long the polling under way has waited, in milliseconds.
  var waited: Int { poll?.waited ?? 0 }
}

extension AuthnCore.PollTarget {
  /// Where the transaction is polled; nil where it does not say.
  init?(_ transaction: TransactionReading) {
    guard let link = transaction.link("next"), let token = transaction.stateToken else { return nil }
    self.init(
      url: link.href, stateToken: token, expires: transaction.json["expiresAt"]?.string.flatMap { Timestamp($0) })
  }

  /// Where a request polled.
  init?(_ request: RequestSent) {
    guard let token = request.body?["stateToken"]?.string else { return nil }
    self.init(url: request.url, stateToken: token)
  }
}

extension CallMade {
  /// Whether the call only asks again what became of a factor, so that it may be sent twice.
  func isPoll(on held: AuthnCore.Held?) -> Bool {
    let sends = ["passCode", "answer"].contains { (arguments[$0] ?? .null) != .null }
    return AuthnPlan.mayBePoll.contains(call) && held?.waits == true && !sends
  }
}
