// Reads a redirect (oidc §3.1, §4.2). A draw reads it, because the redirect is secret; the core evaluates the result.

import EventStore
import FlowRecording

/// The authorization response in a redirect URL.
enum AuthorizationResponse {
  /// The parts of it that may be logged.
  static let schema: WireSchema = .object([
    "ours": .boolean, "place": .text, "repeated": .identifier, "state": .word(["equal", "different", "missing"]),
    "iss": .url, "error": .text, "error_description": .text, "code": .secret("code"),
  ])

  /// Returns the value of the draw.
  ///
  /// - Parameter input: `redirect`, the `redirectUri` that it must match, and the `state` that it must contain.
  static func value(of input: JSON) -> JSON {
    let url = input["redirect"]?.string ?? ""
    let uri = input["redirectUri"]?.string ?? ""
    let redirect = RedirectReading(url)
    guard let redirect, RedirectReading.leads(url, to: uri) else {
      return ["ours": false, "place": .string(place(of: url, redirect))]
    }
    let names = redirect.query.map(\.name)
    // The server's parameters must not be repeated (RFC 6749 §3.1); parameters in the redirect URI are the client's
    // own.
    let repeated = known.first { name in names.count { $0 == name } > 1 } ?? foreign(names, repeatedBeside: uri)
    func text(_ name: String) -> JSON? { redirect[name].map(JSON.string) }
    return .members([
      ("ours", true), ("repeated", repeated.map(JSON.string)),
      ("state", .string(verdict(redirect["state"], input["state"]?.string))), ("iss", text("iss")),
      ("error", text("error")), ("error_description", text("error_description")), ("code", text("code")),
    ])
  }

  private static let known = ["state", "code", "error", "iss", "error_description"]

  /// The first repeated name that is not in the redirect URI.
  private static func foreign(_ names: [String], repeatedBeside uri: String) -> String? {
    let own = Set(RedirectReading(uri)?.query.map(\.name) ?? [])
    var seen: Set<String> = []
    return names.first { !own.contains($0) && !seen.insert($0).inserted }
  }

  private static func verdict(_ state: String?, _ expected: String?) -> String {
    guard let state else { return "missing" }
    return isEqual(state, expected ?? "") && expected?.isEmpty == false ? "equal" : "different"
  }

  /// Compares all bytes, regardless of how many are equal.
  private static func isEqual(_ one: String, _ other: String) -> Bool {
    let (left, right) = (Array(one.utf8), Array(other.utf8))
    guard left.count == right.count else { return false }
    return zip(left, right).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
  }

  /// The destination of a redirect that does not match: host and path, but never the query.
  private static func place(of url: String, _ redirect: RedirectReading?) -> String {
    guard let redirect else {
      return String(decoding: url.utf8.prefix { $0 != UInt8(ascii: "?") }.prefix(200), as: UTF8.self)
    }
    let host = redirect.authority.split(separator: "@", omittingEmptySubsequences: false).last.map(String.init) ?? ""
    return String((host + redirect.path).prefix(200))
  }
}

extension RedirectReading {
  /// Whether a redirect matches a redirect URI: scheme, user, host, port, and path must be equal, ignoring case in the
  /// first three; the query is not compared (oidc §4.2).
  func isExactly(_ uri: String) -> Bool {
    guard let expected = RedirectReading(uri) else { return false }
    return scheme == expected.scheme && path == expected.path && place == expected.place
  }

  /// The authority in normalized form: the user unchanged, the host in lowercase, and no default port.
  private var place: String {
    let at =
      authority.utf8.lastIndex(of: UInt8(ascii: "@")).map { authority.utf8.index(after: $0) } ?? authority.startIndex
    var host = authority[at...].lowercased()
    let usual = scheme == "https" ? ":443" : scheme == "http" ? ":80" : ":"
    if host.hasSuffix(usual) { host.removeLast(usual.utf8.count) }
    return authority[..<at] + host
  }

  /// Whether a URL matches a redirect URI. A URL with a fragment does not (oidc §4.2).
  package static func leads(_ url: String, to uri: String) -> Bool {
    guard !url.utf8.contains(UInt8(ascii: "#")), let redirect = RedirectReading(url) else { return false }
    return redirect.isExactly(uri)
  }
}
