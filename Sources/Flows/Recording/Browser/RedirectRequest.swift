// How a listener judges one HTTP request. Pure, so that each rule can be tested without a socket.

import Foundation

/// Judges requests to a redirect URI on loopback (RFC 8252 §7.3, RFC 9112 §2-§3).
struct RedirectRequest: Sendable {
  /// The decision about a request.
  enum Verdict: Equatable {
    /// It is the redirect: the whole URL.
    case redirect(String)
    /// A browser asks whether a page of the public network may send it here (Private Network Access). Allowed; waiting
    /// continues.
    case preflight
    /// Refused with this status; waiting continues.
    case refuse(Int)
    /// Its head is not complete yet.
    case incomplete
  }

  /// The maximum length of a head.
  static let limit = 16_384

  /// `127.0.0.1:4711`
  let authority: String
  let port: Int
  let path: String
  let state: String
  /// Where the browser goes after the redirect; nil for the built-in page.
  var finishedPage: String?

  /// Judges what a client has sent so far.
  ///
  /// - Parameter judged: the number of bytes that were already judged, so that a client that sends them one by one
  ///   costs no more.
  func verdict(on bytes: [UInt8], judged: Int = 0) -> Verdict {
    guard let end = Self.end(of: bytes, from: judged) else {
      return bytes.count > Self.limit ? .refuse(431) : .incomplete
    }
    guard end <= Self.limit else { return .refuse(431) }
    guard let head = String(validating: bytes[..<end], as: UTF8.self) else { return .refuse(400) }
    var lines = head.split(separator: "\r\n", omittingEmptySubsequences: false).makeIterator()
    let request = (lines.next() ?? "").split(separator: " ", omittingEmptySubsequences: false)
    guard request.count == 3, request[2] == "HTTP/1.1" || request[2] == "HTTP/1.0" else { return .refuse(400) }
    var hosts: [Substring] = []
    var isPreflight = false
    while let line = lines.next() {
      guard let colon = line.firstIndex(of: ":") else { return .refuse(400) }
      let name = line[..<colon].lowercased()
      if name == "host" { hosts.append(line[line.index(after: colon)...].trimmed) }
      if name == "access-control-request-private-network" || name == "access-control-request-method" {
        isPreflight = true
      }
    }
    // With DNS rebinding, a page of another host whose name resolves to this address sends its own name as the host.
    let isOurs = hosts.count == 1 && hosts.first.map { isOwn($0) } == true
    guard isOurs else { return .refuse(400) }
    let target = request[1]
    let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.first.map(String.init) == path else { return .refuse(404) }
    if request[0] == "OPTIONS", isPreflight { return .preflight }
    guard request[0] == "GET" else { return .refuse(405) }
    let isPrintable = target.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    let states = parts.count == 2 ? Self.values(of: "state", in: parts[1]) : []
    guard isPrintable, states.count == 1, states[0].isSameInConstantTime(as: state) else { return .refuse(400) }
    return .redirect("http://\(authority)\(target)")
  }

  private func isOwn(_ host: Substring) -> Bool {
    ["127.0.0.1:\(port)", "localhost:\(port)", "[::1]:\(port)"].contains(host.lowercased())
  }

  /// Where the head ends: before the empty line, of which three bytes may have come before.
  private static func end(of bytes: [UInt8], from judged: Int) -> Int? {
    let start = max(judged - 3, 0)
    guard bytes.count >= start + 4 else { return nil }
    return (start...(bytes.count - 4)).first {
      bytes[$0] == 13 && bytes[$0 + 1] == 10 && bytes[$0 + 2] == 13 && bytes[$0 + 3] == 10
    }
  }

  /// The values of a query parameter, decoded.
  private static func values(of name: String, in query: Substring) -> [String] {
    query.split(separator: "&").compactMap { pair in
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.first.map(decoded) == name else { return nil }
      return parts.count == 2 ? decoded(parts[1]) : ""
    }
  }

  /// A name or value of a form, unchanged if it is not valid.
  private static func decoded(_ text: Substring) -> String {
    let spaced = text.replacing("+", with: " ")
    return spaced.removingPercentEncoding ?? String(spaced)
  }
}

extension Substring {
  /// Without blanks at its ends.
  fileprivate var trimmed: Substring {
    var text = self
    while text.first == " " || text.first == "\t" { text.removeFirst() }
    while text.last == " " || text.last == "\t" { text.removeLast() }
    return text
  }
}
