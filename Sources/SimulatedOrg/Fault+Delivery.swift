// Applies a fault to the answer.

import Foundation

extension Fault {
  /// The error object that takes the place of the org's answer, in the faults that have one.
  var refusal: Refusal? {
    switch kind {
    case .rateLimited, .rateLimitedWithoutHeaders: .rateLimit
    case .serverError: .internalError
    case .latency, .plainTextError, .connectionReset, .connectionClosed, .cutBody, .slowBody, .malformedJSON, .htmlPage,
      .emptyBody, .contentType, .strayElement, .reply:
      nil
    }
  }

  /// The delivery in place of `Delivery(reply:)`. `reply` is the org's own answer, or the fault's refusal.
  func spoil(_ reply: HTTPReply, at now: Timestamp) -> Delivery {
    var reply = reply
    switch kind {
    case .latency(let seconds): return Delivery(reply: reply, delay: Self.wait(seconds))
    case .cutBody(let kept): return Delivery(reply: reply, form: .cut(keeping: kept ?? reply.body.count / 2))
    case .slowBody(let bytes, let pause):
      return Delivery(reply: reply, form: .dribble(bytes: bytes, pause: Self.wait(pause)))
    case .connectionReset: return Delivery(reply: reply, form: .reset)
    case .connectionClosed: return Delivery(reply: reply, form: .hangUp)
    case .rateLimited(let limit, let wait):
      reply.set("X-Rate-Limit-Limit", String(limit))
      reply.set("X-Rate-Limit-Remaining", "0")
      reply.set("X-Rate-Limit-Reset", String((now + wait).seconds))
    case .rateLimitedWithoutHeaders:
      reply.headers.removeAll { $0.name.hasPrefix("X-Rate-Limit") }
    case .serverError: break
    case .plainTextError:
      reply.status = 500
      reply.set("Content-Type", "text/plain")
      reply.body = Array("Internal Server Error".utf8)
    case .malformedJSON:
      reply.status = 200
      reply.body = Array(reply.body.dropLast(max(1, reply.body.count / 3)))
    case .htmlPage:
      reply.status = 200
      reply.set("Content-Type", "text/html")
      reply.body = Array("<!doctype html>\n<html><body><h1>Proxy sign-in</h1></body></html>\n".utf8)
    case .emptyBody:
      reply.status = 200
      reply.body = []
    case .contentType(let type): reply.set("Content-Type", type)
    case .strayElement(let element):
      if var elements = OrgJSON(parsing: reply.body)?.elements {
        elements.insert(element, at: elements.count / 2)
        reply.body = OrgJSON.array(elements).encoded
      }
    case .reply(let status, let headers, let body):
      reply.status = status
      for header in headers.sorted(by: { $0.key < $1.key }) { reply.set(header.key, header.value) }
      reply.body = Array(body.utf8)
    }
    return Delivery(reply: reply)
  }

  /// Converts any number to a waiting time: an invalid number becomes zero, and the maximum is thirty years.
  private static func wait(_ seconds: TimeInterval) -> Duration {
    seconds > 0 ? .seconds(min(seconds, 1_000_000_000)) : .zero
  }
}

extension HTTPReply {
  /// Replaces a header, or adds it.
  fileprivate mutating func set(_ name: String, _ value: String) {
    headers.removeAll { $0.name.lowercased() == name.lowercased() }
    headers.append((name: name, value: value))
  }
}
