import FlowRecording

/// A way in which an answer can be spoiled.
public enum Fault: String, Sendable, CaseIterable {
  /// No answer comes, in time or at all.
  case timedOut, connectionLost
  /// An answer of another shape.
  case serverError, page, cut, empty, otherShape
  /// The server has had enough for now.
  case limited

  /// What comes in place of an answer.
  func outcome(of response: Result<HTTPResponse, TransportError>) -> Result<HTTPResponse, TransportError> {
    let type = HTTPField("Content-Type", "application/json")
    switch self {
    case .timedOut: return .failure(TransportError(.timedOut, "the time is over"))
    case .connectionLost: return .failure(TransportError(.connectionLost, "the connection was lost"))
    case .serverError: return .success(HTTPResponse(status: 500, headers: [type], body: Array("{}".utf8)))
    case .page: return .success(HTTPResponse(status: 200, headers: [], body: Array("<html>".utf8)))
    case .empty: return .success(HTTPResponse(status: 200, headers: [], body: []))
    case .otherShape: return .success(HTTPResponse(status: 200, headers: [type], body: Array("[1,[],{}]".utf8)))
    case .limited: return .success(HTTPResponse(status: 429, headers: [HTTPField("Retry-After", "1")], body: []))
    case .cut:
      return response.map { response in
        HTTPResponse(status: response.status, headers: response.headers, body: response.body.dropLast(1))
      }
    }
  }
}

/// Spoils the answer to one request, and stops a flow that sends too many.
final class FaultyTransport: Transport {
  private let inner: any Transport
  private let fault: Fault?
  private let index: Int
  private let limit: Int
  private let log = Locked<(sent: [HTTPRequest], bodies: [[UInt8]])>(([], []))

  init(_ inner: any Transport, _ fault: Fault? = nil, at index: Int = 0, limit: Int = .max) {
    self.inner = inner
    self.fault = fault
    self.index = index
    self.limit = limit
  }

  /// What the flow has sent, and the bodies that came back.
  var exchanged: (sent: [HTTPRequest], bodies: [[UInt8]]) { log.withLock { $0 } }

  func send(
    _ request: HTTPRequest, completion: @escaping @Sendable (Result<HTTPResponse, TransportError>) -> Void
  ) -> any TransportTask {
    let number = log.withLock { log in
      log.sent.append(request)
      return log.sent.count - 1
    }
    // It is sent nevertheless: a completion must not run inside `send`.
    if number >= limit {
      return inner.send(request) { _ in completion(.failure(TransportError(.limitReached, "too many requests"))) }
    }
    return inner.send(request) { [fault, index, log] result in
      if case .success(let response) = result { log.withLock { $0.bodies.append(response.body) } }
      completion(number == index ? fault.map { $0.outcome(of: result) } ?? result : result)
    }
  }
}
