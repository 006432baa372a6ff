import FlowRecording

/// Holds the answers to some requests back, until `release`.
final class HeldTransport: Transport {
  private let inner = CurlTransport.standard
  private let path: String
  private let held = Locked<[@Sendable () -> Void]>([])

  /// Holds answers to requests that end in a path.
  init(_ path: String) { self.path = path }

  func send(
    _ request: HTTPRequest, completion: @escaping @Sendable (Result<HTTPResponse, TransportError>) -> Void
  ) -> any TransportTask {
    guard request.url.hasSuffix(path) else { return inner.send(request, completion: completion) }
    return inner.send(request) { [held] result in held.withLock { $0.append { completion(result) } } }
  }

  /// Waits until an answer is held.
  func isHeld() async { while held.withLock({ $0.isEmpty }) { await Task.yield() } }

  /// Lets the answers go that are held.
  func release() {
    let answers = held.withLock { held in
      defer { held = [] }
      return held
    }
    for answer in answers { answer() }
  }
}
