// The live transport (DESIGN §7): libcurl, on one thread of its own. Nothing here runs on Swift's cooperative pool,
// which has as many threads as the machine has cores and must never wait for a network.

/// Sends requests with libcurl: TLS verified, redirects not followed, connections reused, HTTP/2 if offered.
///
/// A transport has one thread, started by the first request, that owns all its connections and sleeps without
/// wake-ups while nothing is under way. **Completions run on that thread, one after another**: a completion may call
/// `send` and `cancel`, and should hand longer work on, because all requests of the transport wait for it; one that
/// blocks until another request of the same transport has ended blocks forever.
///
/// What leaves is the request, byte for byte: the method, the path as it is (dot segments included), `Host`, the
/// given header lines in their order and case, `Content-Length`, the body. libcurl's own `Accept`, `Content-Type`,
/// `User-Agent` and `Expect` are never added. No `Accept-Encoding` is sent unless the request has one (so that the
/// flow alone decides what the org sees), and a body that comes encoded all the same is decoded. Cookies belong to the
/// flow: the transport neither keeps nor sends any of its own.
///
/// A `GET` or `HEAD` that died on a reused connection, before any byte of an answer, is sent again on a new one. No
/// other method is ever sent twice: a sign-in must not count twice because a connection was stale.
///
/// Letting go of a transport ends it: requests under way run to their end, or to their time-out, then its thread ends
/// and its connections are closed.
public final class CurlTransport: Transport {
  /// A transport with the default configuration, made when first used and shared by the process.
  public static let standard = CurlTransport()

  /// How this transport connects, verifies and limits.
  public let configuration: Configuration

  private let mailbox: CurlMailbox

  /// Makes a transport; neither thread nor connection exists before the first request.
  public init(_ configuration: Configuration = Configuration()) {
    self.configuration = configuration
    mailbox = CurlMailbox(configuration)
  }

  deinit { mailbox.close() }

  /// Starts a request and returns at once; see `Transport/send(_:completion:)`.
  ///
  /// - Parameters:
  ///   - request: what to send. A URL that is not absolute `http` or `https` in printable ASCII, or that carries a user
  ///     name, ends as `malformedURL`. A method or field that is not well-formed, and a `Content-Length` or
  ///     `Transfer-Encoding` line, which would contradict the framing that the transport gives the body, end as
  ///     `other` before anything is sent.
  ///   - completion: called exactly once, on the transport's thread.
  /// - Returns: a handle to cancel the request with. A request that is cancelled before the thread takes it up never
  ///   sends a byte.
  @discardableResult
  public func send(
    _ request: HTTPRequest, completion: @escaping @Sendable (Result<HTTPResponse, TransportError>) -> Void
  ) -> any TransportTask {
    CurlTask(id: mailbox.send(request, completion), mailbox: mailbox)
  }
}

/// A request of a `CurlTransport` under way; it keeps no transport alive.
private struct CurlTask: TransportTask {
  let id: UInt64
  let mailbox: CurlMailbox

  func cancel() { mailbox.cancel(id) }
}
