// Where requests of a flow may go (authn §1.1, idx §2.1). Links come from the org: they may lead to another host, since
// custom domains do, but what a person entered goes nowhere that the application did not name.

/// Where requests of a flow may go: never from `https` down to `http`, and with an allow-list only to its origins.
public struct LinkRule: Sendable, Hashable {
  /// The URL of the org or issuer.
  public var home: String
  /// The origins that links may lead to beside it; nil allows any to what carries no entries.
  public var origins: [String]?

  /// Makes a rule.
  public init(home: String, origins: [String]? = nil) {
    self.home = home
    self.origins = origins
  }

  /// Why a request may not go somewhere.
  public enum Violation: Error, Sendable, Hashable {
    /// There is no URL, or it cannot be used.
    case malformed
    /// It leads from `https` down to `http`.
    case leavesHTTPS
    /// It leads to this origin, which may not have what the request carries.
    case foreign(origin: String)
  }

  /// A URL, if requests may go there.
  ///
  /// - Parameters:
  ///   - url: the URL that the org names, placeholders in it.
  ///   - carriesEntries: whether the request takes more there than a handle of the transaction: a password, a code, what
  ///     tokens are given for. That goes to another origin only if the list names it.
  /// - Throws: `Violation`; then nothing is sent.
  public func allowed(_ url: String?, carriesEntries: Bool = false) throws(Violation) -> String {
    guard let url, let parts = URLParts(url) else { throw .malformed }
    let home = URLParts(home)
    if parts.scheme == "http", home?.scheme == "https" { throw .leavesHTTPS }
    if parts.isSameOrigin(as: home) { return url }
    let isListed = origins?.contains { parts.isSameOrigin(as: URLParts($0)) }
    guard isListed ?? !carriesEntries else { throw .foreign(origin: parts.origin) }
    return url
  }

  /// The origin of a URL if it is another than the home's, for the log; nil for the home's own.
  public func foreignOrigin(of url: String) -> String? {
    guard let parts = URLParts(url), !parts.isSameOrigin(as: URLParts(home)) else { return nil }
    return parts.origin
  }
}
