// What a flow has in progress with its org, and the results: the part of a core's state that all kinds share. A core
// keeps a ledger beside its phases and passes the relevant events to it.

public import EventStore

/// Calls, requests, the latest answer, cookies and the outcome of a flow; secrets are placeholders.
///
/// `Call` is what a core stores about a call, `Tag` what it stores about a request in addition to its origin.
public struct Ledger<Call: Sendable & Equatable, Tag: Sendable & Equatable>: Sendable, Equatable {
  /// The calls that await their `call.returned`, by the revision of their `call.made`.
  public var calls: [Int: Call] = [:]
  /// The requests in progress, by the revision of their `request.sent`.
  public private(set) var requests: [Int: Request] = [:]
  /// The result of the last request.
  public private(set) var latest: Reply?
  /// The cookies that the org has set.
  package var cookies = CookieJar()
  /// The user agent for requests, once drawn.
  public private(set) var userAgent: String?
  /// How the flow ended, if it has.
  public private(set) var outcome: String?
  /// The code of the error that the last call ended with; nil after a success.
  public private(set) var lastError: String?
  /// How far the org's clock is ahead of ours, in microseconds, by its last answer with a date; nil before.
  public private(set) var skew: Int64?

  /// A request in progress.
  public struct Request: Sendable, Equatable {
    /// The revision of the call that it belongs to.
    public var call: Int
    /// The origin it was sent to, normalized for comparison; empty if its URL has none.
    public var origin: String
    /// What the core stores about it.
    public var tag: Tag
  }

  /// The result of a request: an answer of the org, or a failure.
  public struct Reply: Sendable, Equatable {
    /// The revision of the `response.received` or `request.failed`.
    public var revision: Int
    /// When it came.
    public var at: Timestamp
    /// The request; nil if it is not known.
    public var request: Request?
    /// The answer, or why there is none.
    public var content: Content

    /// An answer, or why there is none.
    public enum Content: Sendable, Equatable {
      /// The org's answer.
      case answer(ResponseReceived)
      /// Why there is none.
      case failure(TransportError)
    }
  }

  /// A ledger of a flow that has not begun.
  public init() {}

  // MARK: Questions

  /// Whether the flow has begun something that has not yet been closed by a `flow.ended`.
  public var isOpen: Bool { outcome == nil && (latest != nil || !calls.isEmpty) }

  /// The last answer; nil if none came.
  public var answer: ResponseReceived? {
    guard case .answer(let response) = latest?.content else { return nil }
    return response
  }

  /// The call that the latest reply belongs to; nil if it has ended, so that the reply came too late and changes
  /// nothing.
  public var answered: (revision: Int, call: Call, request: Request)? {
    guard let request = latest?.request, let call = calls[request.call] else { return nil }
    return (request.call, call, request)
  }

  /// How a flow ends when the application releases it.
  public var outcomeOfRelease: String { lastError == nil ? "abandoned" : "failed" }

  // MARK: Events

  /// Called first for each event: removes expired cookies.
  public mutating func advance(to time: Timestamp) { cookies.drop(endedAt: time) }

  /// A `flow.ended`.
  public mutating func end(_ ended: FlowEnded) { outcome = ended.outcome }

  /// A `call.returned`.
  ///
  /// - Returns: what was stored about the call; nil if it is unknown.
  @discardableResult
  public mutating func close(_ returned: CallReturned) -> Call? {
    switch returned.outcome {
    case .status, .done: lastError = nil
    case .failed(let code, _): lastError = code
    case .cancelled: break
    }
    return calls.removeValue(forKey: returned.call)
  }

  /// A `request.sent`. Only a request to the org reopens a flow that had ended.
  ///
  /// - Parameters:
  ///   - sent: the event.
  ///   - revision: its revision.
  ///   - call: the call it belongs to; nil if unknown, in which case its answer belongs to no call.
  ///   - tag: what is stored in addition to its call and origin.
  public mutating func send(_ sent: RequestSent, at revision: Int, for call: Int?, _ tag: Tag) {
    outcome = nil
    guard let call else { return }
    requests[revision] = Request(call: call, origin: URLParts(sent.url)?.comparableOrigin ?? "", tag: tag)
  }

  /// A `response.received`: stores the answer, the org's time and its cookies.
  ///
  /// - Parameters:
  ///   - response: the event.
  ///   - record: its record.
  ///   - home: a URL of the org. Answers of other origins, or from a cache (RFC 9111 §5.1), do not show the org's time.
  ///     Nil if the flow does not use the time of answers.
  ///   - ignored: the name of a cookie that this answer may not set.
  /// - Returns: the request; nil if it is unknown.
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

  /// Whether an answer comes directly from the org and not from a cache.
  private func isFresh(_ response: ResponseReceived, to request: Request?, home: String?) -> Bool {
    guard let origin = home.flatMap({ URLParts($0) })?.comparableOrigin else { return false }
    return request?.origin == origin && (response.header("age").flatMap { Int($0) } ?? 0) <= 0
  }

  /// A `request.failed`.
  ///
  /// - Returns: the request; nil if it is unknown.
  @discardableResult
  public mutating func fail(_ failed: RequestFailed, _ record: FlowRecord) -> Request? {
    take(record, .failure(failed.error))
  }

  private mutating func take(_ record: FlowRecord, _ content: Reply.Content) -> Request? {
    let request = record.cause.flatMap { requests.removeValue(forKey: $0) }
    latest = Reply(revision: record.revision, at: record.at, request: request, content: content)
    return request
  }

  /// A `draw.made`: stores the user agent for requests.
  public mutating func take(_ draw: DrawMade) {
    if draw.kind == .userAgent { userAgent = draw.value.string }
  }

  // MARK: What follows

  /// Cancels calls, in the order in which they were made. Their callers receive nothing more.
  public func cancelling(_ calls: some Sequence<Int>) -> [FlowEvent] {
    calls.sorted().map { .callReturned(CallReturned(call: $0, outcome: .cancelled)) }
  }

  /// The events that follow from a `giveUp`: its call is cancelled if it is still pending.
  public func givingUp(_ made: CallMade) -> [FlowEvent] {
    guard let call = made.arguments["call"]?.int, calls[call] != nil else { return [] }
    return cancelling([call])
  }

  /// The events that follow from a `release`: the application has released the flow, so pending calls are cancelled and
  /// the flow ends.
  ///
  /// - Parameter outcome: how it ends.
  public func releasing(as outcome: String) -> [FlowEvent] {
    cancelling(calls.keys) + [.flowEnded(FlowEnded(outcome: outcome))]
  }
}

/// The tag of a core that stores nothing about requests, or the call of one whose calls are all alike.
public struct Untagged: Sendable, Hashable {
  /// Creates the tag.
  public init() {}
}

extension CallMade {
  /// The runtime's own call that cancels another one.
  public static let giveUp = "giveUp"
  /// The runtime's own call that reports that the application has released the flow.
  public static let release = "release"
  /// Whether the call is about other calls or the flow, and has no answer of its own.
  public var isControl: Bool { call == Self.giveUp || call == Self.release }
}
