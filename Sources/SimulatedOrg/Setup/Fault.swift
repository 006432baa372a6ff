// What can be made to go wrong between a request and its answer.

public import Foundation

/// A fault the org plays on matching requests.
public struct Fault: Sendable {
  /// What goes wrong.
  public enum Kind: Sendable {
    /// The right answer, this many real seconds late.
    case latency(seconds: TimeInterval)
    /// 429 `E0000047` with `X-Rate-Limit-Limit`, `-Remaining: 0` and `-Reset` that many seconds after `Date`.
    case rateLimited(limit: Int = 600, resetIn: TimeInterval = 30)
    /// 429 `E0000047` without rate-limit headers.
    case rateLimitedWithoutHeaders
    /// 500 with the error object `E0000009`.
    case serverError
    /// 500 with `Internal Server Error` as plain text.
    case plainTextError
    /// The connection is reset (TCP RST) before a byte.
    case connectionReset
    /// The connection ends regularly, before a byte.
    case connectionClosed
    /// The right head and the first bytes of the right body (half of it by default), then the end.
    case cutBody(keeping: Int? = nil)
    /// The right answer, the body in pieces with a real pause before each.
    case slowBody(bytes: Int = 16, pause: TimeInterval = 0.01)
    /// 200 and the right headers, the right body cut so that it is no JSON.
    case malformedJSON
    /// 200 with an HTML page.
    case htmlPage
    /// 200 with no body.
    case emptyBody
    /// The right answer under another content type.
    case contentType(String)
    /// The right answer, an array, with one more element in its middle. Any other answer is left as it is.
    case strayElement(OrgJSON)
    /// Any status, headers and body in place of the answer.
    case reply(status: Int, headers: [String: String] = [:], body: String)
  }

  /// What goes wrong.
  public var kind: Kind
  /// Only requests whose path and query contain this; all when `nil`.
  public var path: String?
  /// How many matching requests go through unharmed first: `skipping: 2` spoils the third.
  public var skipping: Int
  /// How many requests are spoiled before the fault is used up.
  public var times: Int
  /// Whether the org acts on the request before it spoils the answer.
  public var reachesOrg: Bool

  /// A fault.
  ///
  /// - Parameters:
  ///   - kind: What goes wrong.
  ///   - path: A part of path and query that a request must contain; `nil` for any request.
  ///   - skipping: Matching requests, counted from the injection, that go through first.
  ///   - times: How many requests are spoiled.
  ///   - reachesOrg: Whether the org acts on the request. By default it does if the right answer is delayed or
  ///     damaged (latency, cut and slow body, malformed JSON), and does not if another one takes its place.
  public init(
    _ kind: Kind, path: String? = nil, skipping: Int = 0, times: Int = 1, reachesOrg: Bool? = nil
  ) {
    self.kind = kind
    self.path = path
    self.skipping = skipping
    self.times = times
    self.reachesOrg = reachesOrg ?? kind.usesAnswer
  }
}

extension Fault.Kind {
  /// An error object with this status and code in place of the answer, such as 423 `E0000155`.
  public static func refused(_ status: Int, _ code: String) -> Self {
    let body = Refusal(status, code, "Injected fault").body(errorId: "oaeInjectedFault")
    return .reply(
      status: status, headers: ["Content-Type": "application/json"],
      body: String(decoding: body.encoded, as: UTF8.self))
  }

  /// Whether the org's own answer is delivered in some form.
  var usesAnswer: Bool {
    switch self {
    case .latency, .cutBody, .slowBody, .malformedJSON, .contentType, .strayElement: true
    case .rateLimited, .rateLimitedWithoutHeaders, .serverError, .plainTextError, .connectionReset, .connectionClosed,
      .htmlPage, .emptyBody, .reply:
      false
    }
  }
}
