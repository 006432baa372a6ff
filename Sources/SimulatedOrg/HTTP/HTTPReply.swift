// A whole HTTP/1.1 reply, and the ways it can be delivered or spoiled.

/// Status, headers and body of one answer.
package struct HTTPReply: Sendable {
  var status: Int
  var headers: [(name: String, value: String)]
  var body: [UInt8]

  /// An answer of those parts; the length is added.
  package init(status: Int, headers: [(name: String, value: String)] = [], body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// Status line, headers and the empty line. Content-Length always states the length of the whole body, also when less
  /// is sent; a stream has none, and ends with the connection.
  func head(closing: Bool, isStream: Bool = false) -> [UInt8] {
    var text = "HTTP/1.1 \(status) \(Self.phrases[status] ?? "Status \(status)")\r\n"
    for header in headers { text += "\(header.name): \(header.value)\r\n" }
    // RFC 9110 §8.6: an answer that never has a body must not say how long it is.
    if status != 204, !isStream { text += "Content-Length: \(body.count)\r\n" }
    if closing { text += "Connection: close\r\n" }
    return Array((text + "\r\n").utf8)
  }

  private static let phrases = [
    200: "OK", 201: "Created", 202: "Accepted", 204: "No Content", 302: "Found", 400: "Bad Request",
    401: "Unauthorized", 403: "Forbidden",
    404: "Not Found", 405: "Method Not Allowed", 406: "Not Acceptable", 409: "Conflict", 410: "Gone",
    413: "Content Too Large", 422: "Unprocessable Content", 423: "Locked", 429: "Too Many Requests",
    431: "Request Header Fields Too Large",
    500: "Internal Server Error", 502: "Bad Gateway", 503: "Service Unavailable", 504: "Gateway Timeout",
  ]
}

/// What happens on the connection in answer to one request.
package struct Delivery: Sendable {
  enum Form: Sendable, Equatable {
    /// Head and body in one write.
    case whole
    /// The head with the full Content-Length, this many bytes of the body, then the end of the connection.
    case cut(keeping: Int)
    /// The body in small pieces with a pause before each.
    case dribble(bytes: Int, pause: Duration)
    /// The connection ends without a byte.
    case hangUp
    /// The connection is reset (TCP RST) without a byte.
    case reset
  }

  var reply: HTTPReply
  var form: Form = .whole
  /// The delay before the first byte.
  var delay: Duration = .zero
  /// The pieces that replace the body, if it is streamed.
  private(set) var pieces: AsyncStream<[UInt8]>?

  init(reply: HTTPReply, form: Form = .whole, delay: Duration = .zero) {
    self.reply = reply
    self.form = form
    self.delay = delay
  }

  /// An answer at once, as a whole.
  package init(_ reply: HTTPReply) { self.init(reply: reply) }

  /// A head at once, then a body in pieces as they come; the connection ends with them.
  package init(_ reply: HTTPReply, streaming pieces: AsyncStream<[UInt8]>) {
    self.init(reply: reply)
    self.pieces = pieces
  }
}

/// The server's answer to a request: at once, from any thread.
package typealias Respond = @Sendable (ReceivedRequest) -> Delivery
