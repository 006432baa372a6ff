// The origins of URLs, compared as servers and libcurl do.

extension URLParts {
  /// Whether both have the same scheme, host, and port, ignoring the case of the host and a default port.
  package func isSameOrigin(as other: URLParts?) -> Bool {
    guard let other, scheme == other.scheme else { return false }
    return authority == other.authority || site == other.site
  }

  /// The origin in the normalized form used for comparisons: `https://acme.example`.
  package var comparableOrigin: String { scheme + "://" + site }

  /// The authority in the normalized form used for comparisons.
  private var site: String {
    let text = authority.lowercased()
    let usual = scheme == "https" ? ":443" : ":80"
    return text.hasSuffix(usual) ? String(text.dropLast(usual.count)) : text
  }

  /// Whether the host denotes this machine: `localhost`, a subdomain of it, an address in 127.0.0.0/8 written in full,
  /// or `[::1]`. Names are not resolved.
  package var isLoopback: Bool {
    let text = authority.lowercased()
    var host = text.utf8[...]
    if let colon = host.lastIndex(of: UInt8(ascii: ":")), host[host.index(after: colon)...].allSatisfy(Self.isDigit) {
      host = host[..<colon]
    }
    let name = Substring(host)
    if name == "localhost" || name.hasSuffix(".localhost") || name == "[::1]" { return true }
    let parts = host.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return parts.count == 4 && parts[0].elementsEqual("127".utf8)
      && parts.allSatisfy { $0.count <= 3 && $0.allSatisfy(Self.isDigit) && UInt8(Substring($0)) != nil }
  }

  private static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") <= 9 }
}
