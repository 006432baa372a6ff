// A listener at the wire: it sees each request as it leaves, and may change it.

/// Sends requests through another transport, once a listener has seen them.
///
/// ```swift
/// let transport = ListeningTransport { request in
///   var request = request
///   request.headers.append(HTTPField("Accept-Language", "de"))
///   return request
/// }
/// ```
///
/// The log tells what the SDK asked for; what a listener changes afterwards is between it and the org. Replays send
/// nothing and need no listener.
public struct ListeningTransport: Transport {
  private let transport: any Transport
  private let listener: @Sendable (HTTPRequest) -> HTTPRequest

  /// Makes a transport.
  ///
  /// - Parameters:
  ///   - transport: what sends.
  ///   - listener: gets each request with its secrets, on the thread that sends it, and gives what is to be sent.
  public init(
    over transport: any Transport = CurlTransport.standard,
    listener: @escaping @Sendable (HTTPRequest) -> HTTPRequest
  ) {
    self.transport = transport
    self.listener = listener
  }

  /// Sends what the listener makes of a request; see `Transport/send(_:completion:)`.
  @discardableResult
  public func send(
    _ request: HTTPRequest, completion: @escaping @Sendable (Result<HTTPResponse, TransportError>) -> Void
  ) -> any TransportTask {
    transport.send(listener(request), completion: completion)
  }
}
