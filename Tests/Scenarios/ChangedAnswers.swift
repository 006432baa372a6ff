// A transport that changes the org's answers: for what an org may say and the simulated one never does.

import Dispatch
import EventStore
import FlowRecording

/// Sends requests over another transport and changes what comes back.
struct ChangedAnswers: Transport {
  /// What is done with a request.
  enum Change: Sendable {
    /// Nothing.
    case none
    /// It does not reach the org: this is its answer.
    case answer(HTTPResponse)
    /// It reaches the org, and no answer comes.
    case failure(TransportError)
    /// Its answer is changed.
    case edit(@Sendable (inout HTTPResponse) -> Void)
  }

  private let transport: any Transport
  private let change: @Sendable (HTTPRequest, Int) -> Change
  private let counts = Locked<[String: Int]>([:])
  /// What else becomes of an answer, whoever gave it.
  private var variation: Variation?

  /// Changes the answers to requests.
  ///
  /// - Parameters:
  ///   - transport: how requests leave.
  ///   - change: gets a request, and how many to the same path there were before.
  init(over transport: any Transport, _ change: @escaping @Sendable (HTTPRequest, Int) -> Change) {
    // The changed answers vary too, and none varies twice.
    switch transport {
    case let varied as VariedAnswers: (self.transport, variation) = (varied.transport, varied.variation)
    case var changed as ChangedAnswers:
      variation = changed.variation
      changed.variation = nil
      self.transport = changed
    default: self.transport = transport
    }
    self.change = change
  }

  func send(
    _ request: HTTPRequest, completion: @escaping @Sendable (Result<HTTPResponse, TransportError>) -> Void
  ) -> any TransportTask {
    let variation = variation
    let completion: @Sendable (Result<HTTPResponse, TransportError>) -> Void = { result in
      completion(variation?.vary(result) ?? result)
    }
    let path = URLParts(request.url)?.path ?? ""
    let count = counts.withLock { counts in
      defer { counts[path, default: 0] += 1 }
      return counts[path, default: 0]
    }
    let change = change(request, count)
    if case .answer(let response) = change {
      DispatchQueue.global().async { completion(.success(response)) }
      return NoTask()
    }
    return transport.send(request) { result in
      switch (change, result) {
      case (.failure(let error), _): completion(.failure(error))
      case (.edit(let edit), .success(var response)):
        edit(&response)
        completion(.success(response))
      case (.none, _), (.answer, _), (.edit, .failure): completion(result)
      }
    }
  }
}

/// A transport that keeps requests back until they are released: so that a second call is made before the first is answered.
final class HeldRequests: Transport {
  private let transport: any Transport
  private let held = Locked<(isHolding: Bool, requests: [@Sendable () -> Void])>((false, []))

  /// Holds requests back on their way to another transport, once it is asked to.
  init(over transport: any Transport) { self.transport = transport }

  /// Keeps back what is sent from now on.
  func hold() { held.withLock { $0.isHolding = true } }

  /// How many requests wait.
  var count: Int { held.withLock { $0.requests.count } }

  /// Lets the request go that has waited longest.
  func releaseOne() {
    let first = held.withLock { $0.requests.isEmpty ? nil : $0.requests.removeFirst() }
    first?()
  }

  /// Lets what is sent from now on pass; what was kept back waits.
  func pass() { held.withLock { $0.isHolding = false } }

  /// Lets go what was kept back, and all that follows.
  ///
  /// - Parameter dropped: how many of the first requests are never sent.
  func release(dropping dropped: Int = 0) {
    let requests = held.withLock { held in
      defer { held = (false, []) }
      return held.requests
    }
    for request in requests.dropFirst(dropped) { request() }
  }

  func send(
    _ request: HTTPRequest, completion: @escaping @Sendable (Result<HTTPResponse, TransportError>) -> Void
  ) -> any TransportTask {
    let isHeld = held.withLock { held in
      if held.isHolding { held.requests.append { [transport] in transport.send(request, completion: completion) } }
      return held.isHolding
    }
    return isHeld ? NoTask() : transport.send(request, completion: completion)
  }
}

/// Nothing to give up.
private struct NoTask: TransportTask {
  func cancel() {}
}

extension HTTPResponse {
  /// A refusal of the org for now.
  static func limited(_ headers: HTTPField...) -> HTTPResponse {
    HTTPResponse(
      status: 429,
      headers: [HTTPField("Content-Type", "application/json"), HTTPField("X-Okta-Request-Id", "req-of-the-limit")]
        + headers,
      body: Array(#"{"errorCode":"E0000047","errorSummary":"API call exceeded rate limit"}"#.utf8))
  }

  /// Changes the JSON object of the body, if there is one.
  mutating func edit(_ change: (inout JSONObject) -> Void) {
    guard var object = (try? JSON(parsing: body))?.object else { return }
    change(&object)
    body = JSON.object(object).bytes
  }

  /// Changes the links of a transaction, if it has any.
  mutating func editLinks(_ change: (inout JSONObject) -> Void) {
    edit { object in
      guard var links = object["_links"]?.object else { return }
      change(&links)
      object["_links"] = .object(links)
    }
  }
}
