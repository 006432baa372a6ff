// What a flow has under way with its org, and what came of it: the part of a core's state that every kind has. A core keeps
// a ledger beside its phases, and hands it the events that belong there.

public import EventStore

/// Calls, requests, the latest answer, cookies and the outcome of a flow; secrets are placeholders.
///
/// `Call` is what a core keeps of a call, `Tag` what it keeps of a request beside where it went.
public struct Ledger<Call: Sendable & Equatable, Tag: Sendable & Equatable>: Sendable, Equatable {
  /// The calls that wait for their `call.returned`, by the revision of their `call.made`.
  public var calls: [Int: Call] = [:]
  /// The requests under way, by the revision of their `request.sent`.
  public private(set) var requests: [Int: Request] = [:]
  /// What the last request brought.
  public private(set) var latest: Reply?
  /// The cookies that the org has set.
  package var cookies = CookieJar()
  /// What requests say of the client, once drawn.
  public private(set) var userAgent: String?
  /// How the flow ended, once it did.
  public private(set) var outcome: String?
  /// The code of the error that the last call ended with; nil once one succeeds.
  public private(set) var lastError: String?
  /// How far the org's clock is ahead of ours, in microseconds, by its last answer that had a date; nil before.
  public private(set) var skew: Int64?

  /// A request under way.
  public struct Request: Sendable, Equatable {
    /// The revision of the call that it belongs to.
    public var call: Int
    /// The origin that it went to, in the form that origins are compared in; empty if its URL has none.
    public var origin: String
    /// What the core keeps of it.
    public var tag: Tag
  }

  /// What a request brought: an answer of the org, or none.
  public struct Reply: Sendable, Equatable {
    /// The revision of the `response.received` or `request.failed`.
    public var revision: Int
    /// The request; nil if it is not known.
    public var request: Request?
    /// The answer, or why there is none.
    public var content: Content

    /// An answer, or why there is none.
    public enum Content: Sendable, Equatable {
      /// The org's answer.
      case answer(ResponseReceived)
      /// Why none came.
      case failure(TransportError)
    }
  }

  /// A ledger of a flow that has not begun.
  public init() {}

  // MARK: Questions

  /// Whether the flow has begun something that no `flow.ended` closes yet.
  public var isOpen: Bool { outcome == nil && (latest != nil || !calls.isEmpty) }

  /// The last answer; nil if none came.
  public var answer: ResponseReceived? {
    guard case .answer(let response) = latest?.content else { return nil }
    return response
  }

  /// The call that the latest reply belongs to; nil if it is over, so that the reply came too late and changes nothing.
  public var answered: (revision: Int, call: Call, request: Request)? {
    guard let request = latest?.request, let call = calls[request.call] else { return nil }
    return (request.call, call, request)
  }

  /// How a flow ends that the application lets go of.
  public var outcomeOfRelease: String { lastError == nil ? "abandoned" : "failed" }

  // MARK: Events

  /// Each event first: drops cookies whose end has come.
  public mutating func advance(to time: Timestamp) { cookies.drop(endedAt: time) }

  /// A `flow.ended`.
  public mutating func end(_ ended: FlowEnded) { outcome = ended.outcome }

  /// A `call.returned`.
  ///
  /// - Returns: the facts kept of the call; nil if it is not known.
  @discardableResult
  public mutating func close(_ returned: CallReturned) -> Call? {
    switch returned.outcome {
    case .status, .done: lastError = nil
    case .failed(let code, _): lastError = code
    case .cancelled: break
    }
    return calls.removeValue(forKey: returned.call)
  }

  /// A `request.sent`. Only what reaches the org opens a flow again that had ended.
  ///
  /// - Parameters:
  ///   - sent: the event.
  ///   - revision: its revision.
  ///   - call: the call that it belongs to; nil if that is not known, so that its answer will belong to none.
  ///   - tag: what is kept of it beside its call and origin.
  public mutating func send(_ sent: RequestSent, at revision: Int, for call: Int?, _ tag: Tag) {
    outcome = nil
    guard let call else { return }
    requests[revision] = Request(call: call, origin: URLParts(sent.url)?.comparableOrigin ?? "", tag: tag)
  }

  /// A `response.received`: takes up the answer, the org's time and its cookies.
  ///
  /// - Parameters:
  ///   - response: the event.
  ///   - record: its record.
  ///   - home: a URL of the org, whose clock counts; an answer of another origin, or out of a cache (RFC 9111 §5.1), says
  ///     nothing of it. Nil if the flow takes no time from answers.
  ///   - ignored: the name of a cookie that this answer may not set.
  /// - Returns: the request; nil if it is not known.
  @discardableResult
  public mutating func receive(
    _ response: ResponseReceived, _ record: FlowRecord, home: String?, ignoring ignored: String? = nil
  ) -> Request? {
    let request = take(record, .answer(response))
    if let date = response.header("date").flatMap(HTTPDate.seconds), isFresh(response, to: request, home: home) {
      skew = Int64(date) * 1_000_000 - record.at.microseconds
    }
    if let request, !request.origin.isEmpty {
      cookies.take(response, from: request.origin, at: record.at, ignoring: ignored)
    }
    return request
  }

  /// Whether an answer comes from the org itself, and just now.
  private func isFresh(_ response: ResponseReceived, to request: Request?, home: String?) -> Bool {
    guard let origin = home.flatMap({ URLParts($0) })?.comparableOrigin else { return false }
    return request?.origin == origin && (response.header("age").flatMap { Int($0) } ?? 0) <= 0
  }

  /// A `request.failed`.
  ///
  /// - Returns: the request; nil if it is not known.
  @discardableResult
  public mutating func fail(_ failed: RequestFailed, _ record: FlowRecord) -> Request? {
    take(record, .failure(failed.error))
  }

  private mutating func take(_ record: FlowRecord, _ content: Reply.Content) -> Request? {
    let request = record.cause.flatMap { requests.removeValue(forKey: $0) }
    latest = Reply(revision: record.revision, request: request, content: content)
    return request
  }

  /// A `draw.made`: keeps what requests say of the client.
  public mutating func take(_ draw: DrawMade) {
    if draw.kind == .userAgent { userAgent = draw.value.string }
  }

  // MARK: What follows

  /// Ends calls whose callers receive nothing more, in the order in which they were made.
  public func cancelling(_ calls: some Sequence<Int>) -> [FlowEvent] {
    calls.sorted().map { .callReturned(CallReturned(call: $0, outcome: .cancelled)) }
  }

  /// What follows from a `giveUp`: its call is cancelled, if it still waits.
  public func givingUp(_ made: CallMade) -> [FlowEvent] {
    guard let call = made.arguments["call"]?.int, calls[call] != nil else { return [] }
    return cancelling([call])
  }

  /// What follows from a `release`: the application has let go of the flow, so that what still waits is cancelled and the
  /// flow ends.
  ///
  /// - Parameter outcome: how it ends.
  public func releasing(as outcome: String) -> [FlowEvent] {
    cancelling(calls.keys) + [.flowEnded(FlowEnded(outcome: outcome))]
  }
}

/// Nothing: the tag of requests of which a core keeps nothing, or the call of one whose calls are all alike.
public struct Untagged: Sendable, Hashable {
  /// Nothing.
  public init() {}
}

extension CallMade {
  /// The runtime's own call that gives another one up.
  public static let giveUp = "giveUp"
  /// The runtime's own call that says that the application let go of the flow.
  public static let release = "release"
  /// Whether the call is about other calls, or about the flow, and has no answer of its own.
  public var isControl: Bool { call == Self.giveUp || call == Self.release }
}
