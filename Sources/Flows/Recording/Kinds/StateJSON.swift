// Parts of states as JSON, for kinds of flow.

public import EventStore

/// Values by revision, in the order of revisions.
package func keyed<Value>(_ values: [Int: Value], _ json: (Value) -> JSON) -> JSON {
  .members(values.sorted { $0.key < $1.key }.map { (String($0.key), json($0.value)) })
}

extension CookieJar {
  /// The cookies, in their order.
  package var json: JSON {
    .array(
      cookies.map { cookie in
        .members([
          ("origin", .string(cookie.origin)), ("name", .string(cookie.name)), ("value", .string(cookie.value)),
          ("expires", cookie.expires.map { .string($0.description) }),
        ])
      })
  }
}

extension Ledger {
  /// The members of the ledger for a state as JSON.
  ///
  /// - Parameters:
  ///   - call: converts what is stored about a call.
  ///   - tag: converts what is stored about a request in addition to its call and origin.
  public func members(call: (Call) -> JSON, tag: (Tag) -> [(String, JSON?)]) -> [(String, JSON?)] {
    [
      ("calls", keyed(calls, call)), ("requests", keyed(requests) { .members($0.members(tag)) }),
      ("latest", latest.map { Self.json($0, tag) }), ("cookies", cookies.json),
      ("userAgent", userAgent.map(JSON.string) ?? .null), ("clockSkew", skew.map { .number(String($0)) }),
      ("lastError", lastError.map(JSON.string) ?? .null), ("outcome", outcome.map(JSON.string) ?? .null),
    ]
  }

  private static func json(_ reply: Reply, _ tag: (Tag) -> [(String, JSON?)]) -> JSON {
    let head: [(String, JSON?)] = [
      ("revision", .int(reply.revision)), ("at", .string(reply.at.description)),
      ("call", (reply.request?.call).map(JSON.int)),
    ]
    let request = ("request", reply.request.map { JSON.members($0.members(tag)) })
    switch reply.content {
    case .answer(let response):
      // As recorded, except for the name of the first member.
      let data = (response.data.object?.members ?? []).filter { $0.key != "status" }
      return .members(head + [("httpStatus", .int(response.status))] + data.map { ($0.key, $0.value) } + [request])
    case .failure(let error):
      return .members(
        head + [("failure", .string(error.code.rawValue)), ("detail", .string(error.detail)), request])
    }
  }
}

extension Ledger.Request {
  /// The members of the request for a state as JSON.
  ///
  /// - Parameter tag: converts what is stored in addition to its call and origin.
  public func members(_ tag: (Tag) -> [(String, JSON?)]) -> [(String, JSON?)] {
    [("call", .int(call)), ("origin", .string(origin))] + tag(self.tag)
  }
}
