// The transport of a replay: nothing is sent or received.

/// Sends nothing and never completes. A replay supplies the recorded answers instead.
public struct InertTransport: Transport {
  /// Creates the transport.
  public init() {}

  /// Does nothing.
  public func send(
    _ request: HTTPRequest, completion: @escaping @Sendable (Result<HTTPResponse, TransportError>) -> Void
  ) -> any TransportTask {
    InertTask()
  }
}

private struct InertTask: TransportTask {
  func cancel() {}
}
