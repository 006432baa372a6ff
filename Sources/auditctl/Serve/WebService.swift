// The pages over HTTP, for the person who has the link. What a web page of another site could do with a server on this
// machine is kept out: the Host must be ours (no other name can be led here), the cookie is given out once, for a token
// that is in the terminal alone, and no other site's request carries it. To a browser all ports of a host are one site,
// though, and a server of another user may listen on one of them: so the cookie has the port in its name, and counts
// for programs of the user who opened the link.

import AuditReports
import EventStore
import SimulatedOrg
import Synchronization

/// Answers the requests of a browser.
final class WebService: Sendable {
  private let views: WebViews
  private let log: LogReader
  private let hosts: Set<String>
  private let entry: Mutex<Entry>
  /// What stands before the session in the cookie.
  private let cookie: String
  private let session = WebService.secret()
  /// The receivers of new records.
  private let listeners = Mutex<[Int: AsyncStream<[UInt8]>.Continuation]>([:])
  private let number = Atomic(0)

  private enum Entry {
    /// The link has not been opened; it has this token.
    case closed(token: String)
    /// The link is used up. The session is that of a user, if it can be known who has opened it.
    case open(user: UInt32?)
  }

  /// The most browsers' windows that follow the log at once.
  private static let mostListeners = 32

  /// A service of a book's log on a port of loopback.
  init(_ book: some FactsBook, port: UInt16) {
    log = book.log
    views = WebViews(book)
    hosts = ["127.0.0.1:\(port)", "localhost:\(port)"]
    let secret = Self.secret()
    entry = Mutex(.closed(token: secret))
    cookie = "flowrecorder-\(port)="
    link = "http://127.0.0.1:\(port)/open?token=\(secret)"
  }

  /// The address to open, once.
  let link: String

  /// 256 bits in hexadecimal digits.
  private static func secret() -> String {
    var source = SystemRandomNumberGenerator()
    return (0..<32).map { _ in
      let digits = String(UInt8.random(in: 0...255, using: &source), radix: 16)
      return digits.count == 2 ? digits : "0" + digits
    }.joined()
  }

  // MARK: Requests

  /// The answer to a request.
  func answer(_ request: ReceivedRequest) -> Delivery {
    guard let host = request.header("Host")?.lowercased(), hosts.contains(host) else {
      return text(403, "This server answers under 127.0.0.1 alone.\n")
    }
    guard request.method == "GET" || request.method == "HEAD" else {
      return Delivery(HTTPReply(status: 405, headers: Self.headers + [("Allow", "GET, HEAD")]))
    }
    let address = WebAddress(target: request.target)
    if address.path == "/open" { return open(address, isLook: request.method == "HEAD") }
    guard isKnown(request) else {
      return page(403, views.page(saying: "Open the link that auditctl serve has printed.", title: "Not signed in"))
    }
    switch address.path {
    case "/app.css": return file(WebAssets.style, "text/css")
    case "/app.js": return file(WebAssets.script, "text/javascript")
    case "/events": return events()
    default: return view(address)
    }
  }

  private func view(_ address: WebAddress) -> Delivery {
    do {
      switch try views.answer(to: address) {
      case .page(let html): return page(200, html)
      case .text(let words): return text(200, words)
      case .missing(let html): return page(404, html)
      case .refused(let html): return page(400, html)
      }
    } catch {
      let words = (error as? StoreError)?.description ?? "The page cannot be made: \(error)."
      Messages.say(words.printable)
      return page(500, views.page(saying: words, title: "The log cannot be read"))
    }
  }

  /// Takes the token, and gives a cookie for it. Not by a redirection: one that began on another site would not carry a
  /// cookie that is strict. A mere look at the address (HEAD) leaves the token for who opens it.
  private func open(_ address: WebAddress, isLook: Bool) -> Delivery {
    let isRight = entry.withLock { entry in
      guard case .closed(let wanted) = entry, let given = address["token"], Self.isSame(wanted, given) else {
        return false
      }
      if !isLook { entry = .open(user: HTTPClient.current?.user) }
      return true
    }
    guard isRight else {
      return page(
        403, views.page(saying: "This link is used up, or is not right. Start auditctl serve again.", title: "No entry")
      )
    }
    let html = """
      <!DOCTYPE html>
      <html lang="en">
      <head><meta charset="utf-8"><meta http-equiv="refresh" content="0; url=/"><title>Opening</title></head>
      <body><p><a href="/">Go on</a></p></body>
      </html>

      """
    if isLook { return page(200, html) }
    return page(200, html, [("Set-Cookie", "\(cookie)\(session); Path=/; HttpOnly; SameSite=Strict")])
  }

  private func isKnown(_ request: ReceivedRequest) -> Bool {
    let hasCookie = request.headers.filter { $0.name.lowercased() == "cookie" }.contains { header in
      header.value.split(separator: ";").contains { pair in
        let text = pair.drop { $0 == " " }
        return text.hasPrefix(cookie) && Self.isSame(session, String(text.dropFirst(cookie.count)))
      }
    }
    guard hasCookie, case .open(let user) = entry.withLock({ $0 }) else { return false }
    return user == nil || user == HTTPClient.current?.user
  }

  /// Compared to the end whatever differs, so that the time says nothing.
  private static func isSame(_ one: String, _ other: String) -> Bool {
    let (one, other) = (Array(one.utf8), Array(other.utf8))
    guard one.count == other.count else { return false }
    return zip(one, other).reduce(UInt8(0)) { $0 | $1.0 ^ $1.1 } == 0
  }

  // MARK: Replies

  private static let headers: [(name: String, value: String)] = [
    (
      "Content-Security-Policy",
      "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; "
        + "frame-ancestors 'none'"
    ),
    ("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "no-referrer"), ("Cache-Control", "no-store"),
    ("Cross-Origin-Opener-Policy", "same-origin"), ("Cross-Origin-Resource-Policy", "same-origin"),
  ]

  private func page(_ status: Int, _ html: String, _ more: [(name: String, value: String)] = []) -> Delivery {
    reply(status, html, "text/html", more)
  }

  private func file(_ text: String, _ type: String) -> Delivery { reply(200, text, type) }

  private func text(_ status: Int, _ text: String) -> Delivery { reply(status, text, "text/plain") }

  private func reply(
    _ status: Int, _ body: String, _ type: String, _ more: [(name: String, value: String)] = []
  ) -> Delivery {
    Delivery(
      HTTPReply(
        status: status, headers: Self.headers + [("Content-Type", "\(type); charset=utf-8")] + more,
        body: Array(body.utf8)))
  }

  // MARK: Server-sent events

  /// A stream that has an event whenever the log grows.
  private func events() -> Delivery {
    let (stream, continuation) = AsyncStream.makeStream(of: [UInt8].self, bufferingPolicy: .bufferingNewest(4))
    let mine = number.wrappingAdd(1, ordering: .relaxed).oldValue
    let hasRoom = listeners.withLock { listeners in
      guard listeners.count < Self.mostListeners else { return false }
      listeners[mine] = continuation
      return true
    }
    guard hasRoom else { return text(503, "Too many windows follow the log.\n") }
    continuation.onTermination = { [weak self] _ in
      self?.listeners.withLock { _ = $0.removeValue(forKey: mine) }
    }
    continuation.yield(Array("retry: 2000\n\n".utf8))
    return Delivery(
      HTTPReply(status: 200, headers: Self.headers + [("Content-Type", "text/event-stream; charset=utf-8")]),
      streaming: stream)
  }

  /// Follows the log from a position on until the task is cancelled, and notifies each listener of what is new.
  /// Positions alone are sent.
  func follow(from end: UInt64) async {
    do {
      for try await record in log.follow(from: end) {
        send("event: records\ndata: {\"position\":\(record.position)}\n\n")
      }
    } catch {
      Messages.say("The log is not followed any more: \(error)".printable)
    }
    listeners.withLock { listeners in for continuation in listeners.values { continuation.finish() } }
  }

  /// Lets windows that are gone be noticed: a line that means nothing.
  func beat() { send(":\n\n") }

  private func send(_ text: String) {
    let all = listeners.withLock { Array($0.values) }
    for continuation in all { continuation.yield(Array(text.utf8)) }
  }
}
