// The transport for tests: it returns predefined answers and keeps the requests.

internal import Dispatch
internal import Foundation

/// Answers requests from a script and keeps the requests that it received.
///
/// Each request receives the first matching answer in the script that is not used up; a request without a match fails
/// with `unavailable`. Completions run one after another on a queue of the transport, never from inside `send`.
///
///     let transport = ScriptedTransport([
///       .respond(to: "POST", "/api/v1/authn", with: HTTPResponse(status: 200, body: json)),
///       .fail(with: TransportError(.timedOut, "No answer.")),
///     ])
public final class ScriptedTransport: Transport, @unchecked Sendable {
  // `@unchecked Sendable`: the mutable properties are used only under `lock`.

  /// One answer of a script.
  public struct Answer: Sendable {
    /// Returns whether this answer is for a request; must not call the transport.
    public var matches: @Sendable (HTTPRequest) -> Bool
    /// The outcome of the request.
    public var outcome: Result<HTTPResponse, TransportError>
    /// What the answer waits for; `nil` to answer immediately.
    public var hold: Hold?
    /// How many requests may receive this answer.
    public var uses: Int

    /// Creates an answer.
    ///
    /// - Parameters:
    ///   - outcome: the outcome of the request.
    ///   - uses: how many requests may receive this answer; one by default.
    ///   - hold: what the answer waits for; nothing by default.
    ///   - matches: returns whether the answer is for a request; any request by default.
    public init(
      _ outcome: Result<HTTPResponse, TransportError>, uses: Int = 1, hold: Hold? = nil,
      matches: @escaping @Sendable (HTTPRequest) -> Bool = { _ in true }
    ) {
      self.matches = matches
      self.outcome = outcome
      self.hold = hold
      self.uses = uses
    }

    /// A response to a request with this method and a URL that, without its query, ends in `path`.
    public static func respond(
      to method: String, _ path: String, with response: HTTPResponse, uses: Int = 1, hold: Hold? = nil
    ) -> Answer {
      Answer(.success(response), uses: uses, hold: hold) {
        $0.method == method && $0.url.prefix { $0 != "?" && $0 != "#" }.hasSuffix(path)
      }
    }

    /// A response to any request.
    public static func respond(with response: HTTPResponse, uses: Int = 1, hold: Hold? = nil) -> Answer {
      Answer(.success(response), uses: uses, hold: hold)
    }

    /// A failure of any request.
    public static func fail(with error: TransportError, uses: Int = 1, hold: Hold? = nil) -> Answer {
      Answer(.failure(error), uses: uses, hold: hold)
    }
  }

  /// Holds answers back until it is released, so that a test controls when a response arrives.
  public final class Hold: @unchecked Sendable {
    // `@unchecked Sendable`: the mutable properties are used only under `lock`.
    private let lock = NSLock()
    private var isReleased = false
    private var waiting: [@Sendable () -> Void] = []

    /// Creates a hold that is not released yet.
    public init() {}

    /// Releases all waiting answers; later ones no longer wait.
    public func release() {
      for deliver in open() { deliver() }
    }

    fileprivate func afterRelease(_ deliver: @escaping @Sendable () -> Void) {
      if !isWaiting(deliver) { deliver() }
    }

    private func open() -> [@Sendable () -> Void] {
      lock.withLock {
        isReleased = true
        defer { waiting = [] }
        return waiting
      }
    }

    private func isWaiting(_ deliver: @escaping @Sendable () -> Void) -> Bool {
      lock.withLock {
        if !isReleased { waiting.append(deliver) }
        return !isReleased
      }
    }
  }

  private let queue = DispatchQueue(label: "flows.scripted-transport")
  private let lock = NSLock()
  private var script: [Answer]
  private var seen: [HTTPRequest] = []
  private var waiters: [(count: Int, resume: CheckedContinuation<[HTTPRequest], Never>)] = []

  /// Creates a transport that follows a script.
  public init(_ script: [Answer] = []) { self.script = script }

  /// Every request so far, in the order of `send`.
  public var requests: [HTTPRequest] { lock.withLock { seen } }

  /// The number of answers in the script that are not used up.
  public var remaining: Int { lock.withLock { script.count } }

  /// Adds an answer at the end of the script.
  public func add(_ answer: Answer) { lock.withLock { script.append(answer) } }

  /// Waits until at least this many requests have been sent, and returns all requests so far.
  public func requests(atLeast count: Int) async -> [HTTPRequest] {
    await withCheckedContinuation { continuation in
      let all: [HTTPRequest]? = lock.withLock {
        if seen.count >= count { return seen }
        waiters.append((count, continuation))
        return nil
      }
      if let all { continuation.resume(returning: all) }
    }
  }

  /// Answers a request from the script; see `Transport/send(_:completion:)`.
  @discardableResult
  public func send(
    _ request: HTTPRequest, completion: @escaping @Sendable (Result<HTTPResponse, TransportError>) -> Void
  ) -> any TransportTask {
    let (answer, ready, all) = lock.withLock { take(request) }
    let task = ScriptedTask(queue, completion)
    if let hold = answer.hold {
      hold.afterRelease { task.end(answer.outcome) }
    } else {
      task.end(answer.outcome)
    }
    for waiter in ready { waiter.resume(returning: all) }
    return task
  }

  /// Notes the request, and finds its answer and the callers that wait for it. Call this under `lock`.
  private func take(
    _ request: HTTPRequest
  ) -> (answer: Answer, ready: [CheckedContinuation<[HTTPRequest], Never>], all: [HTTPRequest]) {
    seen.append(request)
    let ready = waiters.filter { $0.count <= seen.count }.map(\.resume)
    waiters.removeAll { $0.count <= seen.count }
    guard let index = script.firstIndex(where: { $0.matches(request) }) else {
      let none = TransportError(.unavailable, "The script has no answer for this request.")
      return (Answer(.failure(none)), ready, seen)
    }
    let answer = script[index]
    script[index].uses -= 1
    if script[index].uses <= 0 { script.remove(at: index) }
    return (answer, ready, seen)
  }
}

/// A request of a `ScriptedTransport`; the first outcome counts.
///
/// `@unchecked Sendable`: `completion` is used only on `queue`.
private final class ScriptedTask: TransportTask, @unchecked Sendable {
  private let queue: DispatchQueue
  private var completion: (@Sendable (Result<HTTPResponse, TransportError>) -> Void)?

  init(_ queue: DispatchQueue, _ completion: @escaping @Sendable (Result<HTTPResponse, TransportError>) -> Void) {
    self.queue = queue
    self.completion = completion
  }

  func end(_ outcome: Result<HTTPResponse, TransportError>) {
    queue.async { [self] in
      let completion = completion
      self.completion = nil
      completion?(outcome)
    }
  }

  func cancel() { end(.failure(.gaveUp)) }
}
