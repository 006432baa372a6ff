// The transport of a replay: nothing leaves, nothing answers.

/// Sends nothing and never completes. A replay feeds recorded answers instead.
public struct InertTransport: Transport {
  /// Makes the transport.
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
