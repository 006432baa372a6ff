// The transport seam (DESIGN §7): how a request leaves the machine and how its outcome comes back. Three
// implementations exist: `CurlTransport` (live), the inert one of a replay, and `ScriptedTransport` (tests).

/// One header line of a request or a response, in the order in which it stands on the wire.
public struct HTTPField: Sendable, Hashable {
  /// The field name as sent or received; compare case-insensitively (RFC 9110 §5.1).
  public var name: String
  /// The field value, without surrounding white space.
  public var value: String

  /// Makes a field from its two parts, taken as they are.
  public init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }
}

/// A request as it leaves: every secret in its real form.
public struct HTTPRequest: Sendable, Hashable {
  /// The method, upper case: `GET`, `POST`.
  public var method: String
  /// The absolute URL, `http` or `https`.
  public var url: String
  /// The header lines, in order; the transport adds `Host` and `Content-Length` itself.
  public var headers: [HTTPField]
  /// The body; nil sends none.
  public var body: [UInt8]?

  /// Makes a request from its parts, taken as they are.
  public init(method: String, url: String, headers: [HTTPField] = [], body: [UInt8]? = nil) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
  }
}

/// A whole response: status line, headers and a body read to its end.
public struct HTTPResponse: Sendable, Hashable {
  /// The status code, 100...599.
  public var status: Int
  /// The header lines in the order received; repeated names stay separate.
  public var headers: [HTTPField]
  /// The body after transfer and content decoding; empty if there was none.
  public var body: [UInt8]
  /// How long its parts took; nil if the transport does not say it.
  public var timing: HTTPTiming?

  /// Makes a response from its parts, taken as they are.
  public init(status: Int, headers: [HTTPField] = [], body: [UInt8] = [], timing: HTTPTiming? = nil) {
    self.status = status
    self.headers = headers
    self.body = body
    self.timing = timing
  }
}

/// Why a request brought no whole response. Safe to log: no part of it quotes the URL, a header or a body.
public struct TransportError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What went wrong, as a closed list that a program can switch over and that a recording carries by raw value.
  public enum Code: String, Sendable, Hashable, CaseIterable {
    /// The URL is not an absolute `http` or `https` URL.
    case malformedURL
    /// The host name could not be resolved.
    case cannotResolveHost
    /// No connection: refused, unreachable, reset before the request was sent.
    case cannotConnect
    /// TLS failed: the certificate is not trusted, names another host, or the pinned key differs.
    case tlsFailed
    /// The time-out of the transport passed.
    case timedOut
    /// The connection broke, or the body ended early, after the request had been sent.
    case connectionLost
    /// The response is larger than the transport's limit.
    case responseTooLarge
    /// The other side does not speak HTTP.
    case malformedResponse
    /// The flow has reached one of its `FlowLimits`: nothing was sent.
    case limitReached
    /// The request was cancelled through its `TransportTask`.
    case cancelled
    /// A replay or a test has no answer for this request.
    case unavailable
    /// Anything else; `detail` says what.
    case other
  }

  /// What went wrong.
  public var code: Code
  /// One sentence for a person, without any part of the request or the response.
  public var detail: String

  /// Makes an error from its code and a sentence that quotes nothing of the request.
  public init(_ code: Code, _ detail: String) {
    self.code = code
    self.detail = detail
  }

  /// The sentence, then the code in parentheses.
  public var description: String { "\(detail) (\(code.rawValue))" }
}

/// A request under way.
public protocol TransportTask: Sendable {
  /// Gives the request up. Its completion is called once all the same: with `cancelled`, or with the outcome
  /// that was already on its way. May be called from any thread, any number of times.
  func cancel()
}

/// Sends requests. Implementations are safe to use from any thread.
public protocol Transport: Sendable {
  /// Starts a request and returns at once, without blocking.
  ///
  /// - Parameters:
  ///   - request: what to send, secrets included.
  ///   - completion: called exactly once, on a thread of the transport's own, never from inside `send`.
  /// - Returns: a handle to cancel the request with.
  @discardableResult
  func send(
    _ request: HTTPRequest, completion: @escaping @Sendable (Result<HTTPResponse, TransportError>) -> Void
  ) -> any TransportTask
}
