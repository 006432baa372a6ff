// Where requests of a flow may go (authn §1.1, idx §2.1). Links come from the org and may lead to another host, because
// of custom domains, but data that a person entered is sent only to hosts that the application named.

/// Where requests of a flow may go: never from `https` to `http`, and with an allow-list, only to its origins.
public struct LinkRule: Sendable, Hashable {
  /// The URL of the org or issuer.
  public var home: String
  /// Further origins that links may lead to; nil allows any origin for requests that carry no entries.
  public var origins: [String]?

  /// Makes a rule.
  public init(home: String, origins: [String]? = nil) {
    self.home = home
    self.origins = origins
  }

  /// Why a request must not be sent to a URL.
  public enum Violation: Error, Sendable, Hashable {
    /// The URL is missing or unusable.
    case malformed
    /// It leads from `https` to `http`.
    case leavesHTTPS
    /// It leads to this origin, which must not receive what the request carries.
    case foreign(origin: String)
  }

  /// Returns the URL if requests may be sent there.
  ///
  /// - Parameters:
  ///   - url: the URL that the org names, with placeholders.
  ///   - carriesEntries: whether the request carries more than a transaction handle: a password, a code, or a grant for
  ///     tokens. This is sent to another origin only if the list names it.
  /// - Throws: `Violation` if nothing may be sent.
  public func allowed(_ url: String?, carriesEntries: Bool = false) throws(Violation) -> String {
    guard let url, let parts = URLParts(url) else { throw .malformed }
    let home = URLParts(home)
    if parts.scheme == "http", home?.scheme == "https" { throw .leavesHTTPS }
    if parts.isSameOrigin(as: home) { return url }
    let isListed = origins?.contains { parts.isSameOrigin(as: URLParts($0)) }
    guard isListed ?? !carriesEntries else { throw .foreign(origin: parts.origin) }
    return url
  }

  /// The origin of a URL if it is not the home's, for the log; nil for the home's own.
  public func foreignOrigin(of url: String) -> String? {
    guard let parts = URLParts(url), !parts.isSameOrigin(as: URLParts(home)) else { return nil }
    return parts.origin
  }
}
