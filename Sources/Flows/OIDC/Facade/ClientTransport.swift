// The transport of a client that has its own timeout, or whose application observes answers.

import FlowRecording

/// Sends by another transport.
struct ClientTransport: Transport {
  let transport: any Transport
  /// The timeout of a request in seconds; nil for the transport's own limit.
  let seconds: Int?
  let timers: any FlowTimers
  /// Receives each answer.
  let received: (@Sendable (HTTPResponse) -> Void)?

  func send(
    _ request: HTTPRequest, completion: @escaping @Sendable (Result<HTTPResponse, TransportError>) -> Void
  ) -> any TransportTask {
    let pending = Pending(completion: completion)
    let task = transport.send(request) { result in
      if case .success(let response) = result { received?(response) }
      pending.end(result)
    }
    if let seconds {
      pending.wait(
        for: timers.schedule(milliseconds: min(max(seconds, 1), 3_600) * 1_000) {
          pending.end(.failure(TransportError(.timedOut, "There was no answer in \(seconds) s.")))
          task.cancel()
        })
    }
    return task
  }

  /// A request that ends once.
  private final class Pending: Sendable {
    private struct Contents {
      var completion: (@Sendable (Result<HTTPResponse, TransportError>) -> Void)?
      var timer: (any TimerTask)?
    }
    private let contents: Locked<Contents>

    init(completion: @escaping @Sendable (Result<HTTPResponse, TransportError>) -> Void) {
      contents = Locked(Contents(completion: completion))
    }

    func wait(for timer: any TimerTask) {
      let isOver = contents.withLock { contents in
        if contents.completion != nil { contents.timer = timer }
        return contents.completion == nil
      }
      if isOver { timer.cancel() }
    }

    func end(_ result: Result<HTTPResponse, TransportError>) {
      let (completion, timer) = contents.withLock { contents in
        defer { contents = Contents() }
        return (contents.completion, contents.timer)
      }
      timer?.cancel()
      completion?(result)
    }
  }
}
