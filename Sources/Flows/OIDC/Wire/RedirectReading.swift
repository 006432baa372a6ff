// Reads a redirect to the application (idx §11.1, oidc §3.1): its parameters, and whether it is for this flow.

/// The parts of a redirect URL that determine its meaning. None of it is trusted before `check`.
package struct RedirectReading: Sendable, Equatable {
  package var scheme: String
  /// The user, host, and port as written; empty if there are none.
  package var authority = ""
  package var path: String
  package var query: [(name: String, value: String)]

  package static func == (left: RedirectReading, right: RedirectReading) -> Bool {
    left.scheme == right.scheme && left.authority == right.authority && left.path == right.path
      && left.query.elementsEqual(right.query, by: ==)
  }

  /// Parses a URL with any scheme; `nil` if it has none. A fragment is ignored.
  package init?(_ url: String) {
    guard let colon = url.utf8.firstIndex(of: UInt8(ascii: ":")), colon != url.utf8.startIndex else { return nil }
    scheme = String(url[..<colon]).lowercased()
    guard scheme.utf8.allSatisfy(Self.isScheme) else { return nil }
    var rest = url[url.utf8.index(after: colon)...]
    if let hash = rest.utf8.firstIndex(of: UInt8(ascii: "#")) { rest = rest[..<hash] }
    query = []
    if let mark = rest.utf8.firstIndex(of: UInt8(ascii: "?")) {
      query = Self.parameters(rest[rest.utf8.index(after: mark)...])
      rest = rest[..<mark]
    }
    // The host is not compared; `redirect:/uri` and `redirect:///uri` are the same path (§11.1).
    if rest.utf8.starts(with: "//".utf8) {
      rest = rest.dropFirst(2)
      let slash = rest.utf8.firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
      authority = String(rest[..<slash])
      rest = rest[slash...]
    }
    path = String(rest)
  }

  private static func isScheme(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"),
      UInt8(ascii: "-"), UInt8(ascii: "."):
      true
    default: false
    }
  }

  /// Returns the value of a parameter; `nil` if it is missing or occurs twice with different values, which no server
  /// sends.
  package subscript(name: String) -> String? {
    let values = query.filter { $0.name == name }.map(\.value)
    guard let first = values.first, values.allSatisfy({ $0 == first }) else { return nil }
    return first
  }

  /// Whether this is the expected redirect: its scheme and path are the configured ones.
  package func isRedirect(to uri: String) -> Bool {
    guard let expected = RedirectReading(uri) else { return false }
    return scheme == expected.scheme && path == expected.path
  }

  // MARK: Decoding

  private static func parameters(_ text: Substring) -> [(name: String, value: String)] {
    text.utf8.split(separator: UInt8(ascii: "&")).map { pair in
      let equals = pair.firstIndex(of: UInt8(ascii: "=")) ?? pair.endIndex
      let value = equals == pair.endIndex ? pair[equals...] : pair[pair.index(after: equals)...]
      return (decoded(pair[..<equals]), decoded(value))
    }
  }

  /// Percent-decodes text, with `+` as a space; invalid UTF-8 is replaced.
  private static func decoded(_ text: Substring.UTF8View.SubSequence) -> String {
    let bytes = Array(text)
    var out: [UInt8] = []
    var index = 0
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count, let high = hex(bytes[index + 1]),
        let low = hex(bytes[index + 2])
      {
        out.append(high << 4 | low)
        index += 3
      } else {
        out.append(bytes[index] == UInt8(ascii: "+") ? UInt8(ascii: " ") : bytes[index])
        index += 1
      }
    }
    return String(decoding: out, as: UTF8.self)
  }

  private static func hex(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
