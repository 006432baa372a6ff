// A transport for tables: it records requests and answers them in order.

package import EventStore

/// A transport with a list of answers, which it returns at once.
package final class CannedTransport: Transport {
  private let answers: Locked<[Result<HTTPResponse, TransportError>]>
  private let seen = Locked<[String]>([])

  package init(_ answers: [Result<HTTPResponse, TransportError>]) { self.answers = Locked(answers) }

  /// Answers of JSON.
  package convenience init(json answers: [(status: Int, body: JSON)]) {
    self.init(answers.map { .success(HTTPResponse(status: $0.status, body: $0.body.bytes)) })
  }

  /// The requests so far.
  package var sent: [String] { seen.withLock { $0 } }

  package func send(
    _ request: HTTPRequest, completion: @escaping @Sendable (Result<HTTPResponse, TransportError>) -> Void
  ) -> any TransportTask {
    seen.withLock { $0.append(Self.text(request)) }
    let answer: Result<HTTPResponse, TransportError>? = answers.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    completion(answer ?? .failure(TransportError(.unavailable, "There are no more answers.")))
    return CannedTask {}
  }

  /// A request in one line.
  static func text(_ request: HTTPRequest) -> String {
    let headers = request.headers.map { "\($0.name): \($0.value)" }
    let body = request.body.map { String(decoding: $0, as: UTF8.self) } ?? "-"
    return "\(request.method) \(request.url) \(headers) \(body)"
  }
}

/// A request that notes when it is cancelled.
package struct CannedTask: TransportTask {
  let ended: @Sendable () -> Void

  package init(_ ended: @escaping @Sendable () -> Void) { self.ended = ended }

  package func cancel() { ended() }
}
