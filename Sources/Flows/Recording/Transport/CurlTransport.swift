// The live transport (DESIGN §7): libcurl on its own thread. Nothing here runs on Swift's cooperative pool, which has
// only as many threads as the machine has cores and must never wait for the network.

/// Sends requests with libcurl. TLS is verified, redirects are not followed, connections are reused, and HTTP/2 is used
/// if the server offers it.
///
/// A transport has one thread, which the first request starts. It owns all connections, and sleeps without wake-ups
/// while no request is in progress. **Completions run on that thread, one after another.** A completion may call `send`
/// and `cancel`, but should move longer work elsewhere, because all requests of the transport wait for it. A completion
/// that waits for another request of the same transport blocks forever.
///
/// The request is sent exactly as given: the method, the path unchanged (including dot segments), `Host`, the given
/// header lines in their order and case, `Content-Length`, and the body. libcurl's own `Accept`, `Content-Type`,
/// `User-Agent`, and `Expect` are never added. `Accept-Encoding` is sent only if the request contains it, so that the
/// flow alone decides what the org sees; a body that is encoded anyway is decoded. Cookies are up to the flow: the
/// transport neither stores nor sends any.
///
/// A `GET` or `HEAD` that failed on a reused connection before any byte of an answer is sent again on a new one. No
/// other method is ever sent twice, because a sign-in must not count twice if a connection was stale.
///
/// Releasing a transport ends it: requests in progress continue until they complete or time out; then its thread ends
/// and its connections are closed.
public final class CurlTransport: Transport {
  /// A transport with the default configuration, created on first use and shared by the process.
  public static let standard = CurlTransport()

  /// The configuration of this transport.
  public let configuration: Configuration

  private let mailbox: CurlMailbox

  /// Creates a transport. Its thread and connections are created by the first request.
  public init(_ configuration: Configuration = Configuration()) {
    self.configuration = configuration
    mailbox = CurlMailbox(configuration)
  }

  deinit { mailbox.close() }

  /// Starts a request and returns immediately; see `Transport/send(_:completion:)`.
  ///
  /// - Parameters:
  ///   - request: the request to send. If the URL is not an absolute `http` or `https` URL in printable ASCII, or
  ///     contains a user name, the request fails with `malformedURL`. If a method or field is malformed, or if there is
  ///     a `Content-Length` or `Transfer-Encoding` line, which would contradict the transport's own framing, it fails
  ///     with `other`. In these cases, nothing is sent.
  ///   - completion: called exactly once, on the transport's thread.
  /// - Returns: a handle for cancelling the request. A request that is cancelled before the thread takes it up is never
  ///   sent.
  @discardableResult
  public func send(
    _ request: HTTPRequest, completion: @escaping @Sendable (Result<HTTPResponse, TransportError>) -> Void
  ) -> any TransportTask {
    CurlTask(id: mailbox.send(request, completion), mailbox: mailbox)
  }
}

/// A request of a `CurlTransport` in progress; it does not retain the transport.
private struct CurlTask: TransportTask {
  let id: UInt64
  let mailbox: CurlMailbox

  func cancel() { mailbox.cancel(id) }
}
