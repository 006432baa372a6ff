import FlowRecording

/// The live transport with a way to end all that is under way, so that a flow is released at once.
final class EndableTransport: Transport {
  private let transport: CurlTransport
  private let tasks = Locked<[any TransportTask]>([])

  /// Makes a transport.
  ///
  /// - Parameter allowsClearText: whether requests may leave the machine without TLS.
  init(allowsClearText: Bool) {
    var configuration = CurlTransport.Configuration()
    configuration.allowsClearText = allowsClearText
    transport = CurlTransport(configuration)
  }

  func send(
    _ request: HTTPRequest, completion: @escaping @Sendable (Result<HTTPResponse, TransportError>) -> Void
  ) -> any TransportTask {
    let task = transport.send(request, completion: completion)
    // A sign-in has few requests; those that are over do nothing when they are cancelled.
    tasks.withLock { $0.append(task) }
    return task
  }

  /// Ends the requests that wait for an answer.
  func cancelAll() { for task in tasks.withLock({ $0 }) { task.cancel() } }
}
