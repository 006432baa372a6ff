// A person with a browser, in a few requests: opens a page, fills its form in, and goes where it is sent.

import FlowRecording

/// Someone who signs in at the pages of a simulated org. Keeps the org's cookie from one page to the next.
public final class Person: Sendable {
  /// What went wrong on the way.
  public struct Lost: Error {
    /// The page's status and the beginning of its text.
    public var page: String
  }

  private let login: String
  private let password: String
  private let transport = CurlTransport()
  private let cookie = Locked<String?>(nil)

  /// Someone with a login and a password.
  public init(_ login: String, password: String) {
    self.login = login
    self.password = password
  }

  /// Opens a page, signs in and allows whatever is asked, until an application's address comes.
  ///
  /// - Returns: the address that the browser is sent to.
  public func redirect(from page: String) async throws -> String {
    var (address, reply) = (page, try await send("GET", page))
    for _ in 0..<4 {
      if let place = reply.headers.first(where: { $0.name.lowercased() == "location" })?.value { return place }
      guard let action = Self.action(of: reply), let root = Self.root(of: address) else { break }
      address = action.hasPrefix("/") ? root + action : action
      let isConsent = String(decoding: reply.body, as: UTF8.self).contains("id=\"consent\"")
      let form = isConsent ? "decision=allow" : "username=\(Self.encoded(login))&password=\(Self.encoded(password))"
      reply = try await send("POST", address, form)
    }
    throw Lost(page: "\(reply.status) \(String(decoding: reply.body.prefix(300), as: UTF8.self))")
  }

  /// The same, and opens the application's address, where a program of this machine listens.
  ///
  /// - Returns: the status of its answer.
  @discardableResult
  public func visit(_ page: String) async throws -> Int { try await send("GET", redirect(from: page)).status }

  private func send(_ method: String, _ url: String, _ form: String? = nil) async throws -> HTTPResponse {
    var headers = [HTTPField("Accept", "text/html")]
    if form != nil { headers.append(HTTPField("Content-Type", "application/x-www-form-urlencoded")) }
    if let cookie = cookie.withLock({ $0 }) { headers.append(HTTPField("Cookie", cookie)) }
    let request = HTTPRequest(method: method, url: url, headers: headers, body: form.map { Array($0.utf8) })
    let reply = try await withCheckedThrowingContinuation { continuation in
      _ = transport.send(request) { continuation.resume(with: $0) }
    }
    for field in reply.headers where field.name.lowercased() == "set-cookie" && field.value.hasPrefix("idx=") {
      cookie.withLock { $0 = String(field.value.prefix { $0 != ";" }) }
    }
    return reply
  }

  /// Where the form of a page is sent to.
  private static func action(of page: HTTPResponse) -> String? {
    let text = String(decoding: page.body, as: UTF8.self)
    guard let start = text.firstRange(of: "action=\"") else { return nil }
    return String(text[start.upperBound...].prefix { $0 != "\"" }).replacing("&amp;", with: "&")
  }

  private static func root(of address: String) -> String? { URLParts(address)?.origin }

  private static func encoded(_ text: String) -> String {
    text.replacing("%", with: "%25").replacing("+", with: "%2B").replacing("&", with: "%26").replacing("@", with: "%40")
  }
}
