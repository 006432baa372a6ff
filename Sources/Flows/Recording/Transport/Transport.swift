// The transport seam (DESIGN §7): it sends requests and returns their outcomes. There are three implementations:
// `CurlTransport` (live), `InertTransport` (replay), and `ScriptedTransport` (tests).

/// One header line of a request or a response.
public struct HTTPField: Sendable, Hashable {
  /// The field name as sent or received; compare case-insensitively (RFC 9110 §5.1).
  public var name: String
  /// The field value, without surrounding whitespace.
  public var value: String

  /// Creates a field from its parts, which are used unchanged.
  public init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }
}

/// A request as it is sent, with secrets in clear.
public struct HTTPRequest: Sendable, Hashable {
  /// The method in uppercase, such as `GET` or `POST`.
  public var method: String
  /// The absolute `http` or `https` URL.
  public var url: String
  /// The header lines, in order. The transport itself adds `Host` and `Content-Length`.
  public var headers: [HTTPField]
  /// The body; `nil` if there is none.
  public var body: [UInt8]?

  /// Creates a request from its parts, which are used unchanged.
  public init(method: String, url: String, headers: [HTTPField] = [], body: [UInt8]? = nil) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
  }
}

/// A complete response: status, headers, and body.
public struct HTTPResponse: Sendable, Hashable {
  /// The status code, 100...599.
  public var status: Int
  /// The header lines in the order received; repeated names stay separate.
  public var headers: [HTTPField]
  /// The body after transfer and content decoding; empty if there was none.
  public var body: [UInt8]
  /// How long its phases took; `nil` if the transport does not report it.
  public var timing: HTTPTiming?

  /// Creates a response from its parts, which are used unchanged.
  public init(status: Int, headers: [HTTPField] = [], body: [UInt8] = [], timing: HTTPTiming? = nil) {
    self.status = status
    self.headers = headers
    self.body = body
    self.timing = timing
  }
}

/// Why a request received no complete response. Safe to log: it never quotes the URL, a header, or a body.
public struct TransportError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What went wrong. Recordings contain the raw value.
  public enum Code: String, Sendable, Hashable, CaseIterable {
    /// The URL is not an absolute `http` or `https` URL.
    case malformedURL
    /// The host name could not be resolved.
    case cannotResolveHost
    /// No connection could be established: refused, unreachable, or reset before the request was sent.
    case cannotConnect
    /// TLS failed: the certificate is not trusted or is for another host, or the pinned key differs.
    case tlsFailed
    /// The transport's time limit passed.
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
    /// Any other failure; see `detail`.
    case other
  }

  /// What went wrong.
  public var code: Code
  /// One sentence for a person, without any part of the request or the response.
  public var detail: String

  /// Creates an error from a code and a sentence that quotes no part of the request.
  public init(_ code: Code, _ detail: String) {
    self.code = code
    self.detail = detail
  }

  /// The sentence, followed by the code in parentheses.
  public var description: String { "\(detail) (\(code.rawValue))" }
}

/// A request in progress.
public protocol TransportTask: Sendable {
  /// Cancels the request. Its completion is still called once: with `cancelled`, or with an outcome that was already on
  /// its way. May be called from any thread, any number of times.
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
