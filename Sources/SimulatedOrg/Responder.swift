// From the bytes of a request to its answer: protocol checks, the operation, headers, faults.

import Foundation
import Synchronization

/// The org behind its lock. Answering is short and never waits, so that any thread may do it.
final class Responder: Sendable {
  private let memory: Mutex<Memory>
  private let configuration: OrgConfiguration
  /// The listeners for notifications to devices.
  let hub = PushHub()

  /// The state that the lock guards.
  struct Memory {
    var org: OrgState
    var requests: [ReceivedRequest] = []
    var faults: [Fault] = []
    var served = 0
    /// The minute that is being counted, and the requests in it.
    var window: (minute: Int64, used: Int) = (0, 0)
  }

  init(_ configuration: OrgConfiguration, url: String) {
    self.configuration = configuration
    memory = Mutex(Memory(org: OrgState(configuration, baseURL: url)))
  }

  /// Reads or changes the memory, then delivers the resulting notifications.
  func withMemory<R>(_ body: (inout sending Memory) -> sending R) -> sending R {
    let result = memory.withLock(body)
    deliver()
    return result
  }

  /// Delivers the queued notifications.
  private func deliver() { hub.deliver(memory.withLock { $0.org.device.takeDeliveries() }) }

  /// Answers one request.
  func respond(to request: ReceivedRequest) -> Delivery {
    let (answer, fault) = memory.withLock { memory in
      memory.note(request)
      let fault = memory.takeFault(for: request)
      let answer = memory.answer(request, configuration, fault)
      return (answer, fault)
    }
    deliver()
    var reply = answer.reply
    if let json = answer.json {
      let decorated = configuration.decorate.map { $0(request.path, json) } ?? json
      reply.body = decorated.encoded
    }
    return fault?.spoil(reply, at: answer.now) ?? Delivery(reply: reply)
  }
}

/// The org's answer to a request, before any fault.
private struct Answer: Sendable {
  var reply: HTTPReply
  /// The body, when it is JSON.
  var json: OrgJSON?
  var now: Timestamp
}

extension Responder.Memory {
  /// Keeps the request; past the limit the older half is dropped, so that a long run does not fill the memory.
  fileprivate mutating func note(_ request: ReceivedRequest) {
    if requests.count >= 200_000 { requests.removeFirst(100_000) }
    requests.append(request)
  }

  /// The first fault that matches, counted down; a fault that is still skipping does not block later ones.
  fileprivate mutating func takeFault(for request: ReceivedRequest) -> Fault? {
    var taken: Fault?
    for index in faults.indices {
      if let path = faults[index].path, !request.target.contains(path) { continue }
      if faults[index].skipping > 0 {
        faults[index].skipping -= 1
      } else if taken == nil, faults[index].times > 0 {
        faults[index].times -= 1
        taken = faults[index]
      }
    }
    faults.removeAll { $0.times <= 0 }
    return taken
  }

  fileprivate mutating func answer(
    _ request: ReceivedRequest, _ configuration: OrgConfiguration, _ fault: Fault?
  ) -> Answer {
    served += 1
    let now = org.now
    var draws = SeededGenerator(seed: configuration.seed, for: "request \(served)")
    let cookie = request.deviceToken
    let device = cookie ?? draws.text("DI", length: 20)
    var headers = [
      (name: "Date", value: now.httpDate), (name: "X-Okta-Request-Id", value: draws.text("reqx", length: 23)),
    ]
    let limited = limit(configuration, now, &headers)
    if cookie == nil { headers.append((name: "Set-Cookie", value: "DT=\(device); Path=/; HttpOnly")) }
    var status = 200
    var json: OrgJSON
    do throws(Refusal) {
      guard request.isForThisMachine(orNamed: configuration.publicBaseURL) else { throw Refusal.misdirected }
      if limited { throw Refusal.rateLimit }
      if let fault, !fault.reachesOrg { throw fault.refusal ?? .internalError }
      if let route = DeviceRoute(path: request.path) {
        guard route.methods.contains(request.method) else { throw Refusal.wrongMethod }
        return try answer(try org.perform(route, try DeviceCall(request, route)), headers, fault, now)
      }
      if let route = IDXRoute(path: request.path) {
        guard request.method == route.method else { throw Refusal.wrongMethod }
        let reply = org.perform(route, try IDXCall(request, route, device: device))
        return try answer(reply, headers, fault, now)
      }
      if let route = OAuthRoute(path: request.path) {
        guard route.methods.contains(request.method) else { throw Refusal.wrongMethod }
        return try answer(org.perform(route, try OAuthCall(request)), headers, fault, now)
      }
      guard let operation = Operation(path: request.path) else { throw Refusal.noSuchPath }
      guard request.method == operation.method else { throw Refusal.wrongMethod }
      if let page = Page(operation, request) {
        headers.append((name: "Content-Type", value: page.type))
        return Answer(reply: HTTPReply(status: 200, headers: headers, body: page.body), json: nil, now: now)
      }
      let call = try Call(request, operation, device: device, apiToken: configuration.apiToken)
      json = try org.perform(operation, call)
      if let refusal = fault?.refusal { throw refusal }
    } catch {
      status = error.status
      json = error.body(errorId: draws.text("oae", length: 22))
    }
    headers.append((name: "Content-Type", value: "application/json"))
    return Answer(reply: HTTPReply(status: status, headers: headers), json: json, now: now)
  }

  /// The answer of the Identity Engine, of an authorization server, or to a device.
  private func answer(
    _ reply: IDXReply, _ headers: [(name: String, value: String)], _ fault: Fault?, _ now: Timestamp
  ) throws(Refusal) -> Answer {
    if let refusal = fault?.refusal { throw refusal }
    var all = headers + reply.headers
    if !reply.contentType.isEmpty { all.append((name: "Content-Type", value: reply.contentType)) }
    return Answer(
      reply: HTTPReply(status: reply.status, headers: all, body: Array(reply.page.utf8)), json: reply.json, now: now)
  }

  /// Counts the request and writes the rate-limit headers; true when it is one too many.
  private mutating func limit(
    _ configuration: OrgConfiguration, _ now: Timestamp, _ headers: inout [(name: String, value: String)]
  ) -> Bool {
    let minute = now.seconds / 60
    if minute != window.minute { window = (minute, 0) }
    window.used += 1
    let limit = configuration.requestsPerMinute
    // If the limit is not enforced the figure stands still, so that equal requests have equal answers.
    let used = configuration.enforcesRateLimit ? window.used : 1
    headers.append((name: "X-Rate-Limit-Limit", value: String(limit)))
    headers.append((name: "X-Rate-Limit-Remaining", value: String(max(0, limit - used))))
    headers.append((name: "X-Rate-Limit-Reset", value: String((minute + 1) * 60)))
    return configuration.enforcesRateLimit && used > limit
  }
}

/// The few addresses that a browser opens.
private struct Page {
  var type: String
  var body: [UInt8]

  init?(_ operation: Operation, _ request: ReceivedRequest) {
    switch operation {
    case .stepUpRedirect:
      type = "text/html"
      body = Array("<!doctype html><title>Acme Portal</title><p>Signed in.</p>\n".utf8)
    case .qrCode:
      // A gray dot: it is never scanned.
      type = "image/png"
      body = Array(
        Data(
          base64Encoded:
            "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg==") ?? Data())
    default: return nil
    }
  }
}
