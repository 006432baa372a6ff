// Where a URL leads, compared as servers and libcurl do.

extension URLParts {
  /// Whether both lead to the same scheme, host and port. Letters of the host count without case, and a port that the scheme
  /// has anyway does not count.
  package func isSameOrigin(as other: URLParts?) -> Bool {
    guard let other else { return false }
    return scheme == other.scheme && site == other.site
  }

  /// The authority in the one form that comparisons use.
  private var site: String {
    let text = authority.lowercased()
    let usual = scheme == "https" ? ":443" : ":80"
    return text.hasSuffix(usual) ? String(text.dropLast(usual.count)) : text
  }

  /// Whether the host is this machine by its form: `localhost`, a name below it, 127.0.0.0/8 written in full, or `[::1]`. Names
  /// are not looked up.
  package var isLoopback: Bool {
    var host = authority.lowercased()[...]
    if let colon = host.lastIndex(of: ":"), host[host.index(after: colon)...].allSatisfy(\.isASCIIDigit) {
      host = host[..<colon]
    }
    if host == "localhost" || host.hasSuffix(".localhost") || host == "[::1]" { return true }
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts[0] == "127"
      && parts.allSatisfy { $0.count <= 3 && $0.allSatisfy(\.isASCIIDigit) && UInt8($0) != nil }
  }
}

extension Character {
  fileprivate var isASCIIDigit: Bool { ("0"..."9").contains(self) }
}
