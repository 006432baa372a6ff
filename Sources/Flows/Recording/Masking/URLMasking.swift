// URLs: scheme, host and path stay readable, of the query only what is declared. A secret in a path is found by its
// value.

import EventStore

enum URLMasking {
  /// The URL with its secrets replaced; text that is no absolute `http` URL is a secret as a whole.
  static func rewrite(_ text: String, policy: MaskingPolicy, vault: inout Vault) -> String {
    guard !text.isEmpty else { return text }
    guard let parts = URLParts(text), !parts.authority.contains("@"), !Placeholder.isForged(in: text) else {
      return vault.placeholder(for: .string(text), kind: "url")
    }
    let query = parts.query.map { query in
      query.split(separator: "&", omittingEmptySubsequences: false)
        .map { parameter(String($0), policy: policy, vault: &vault) }.joined(separator: "&")
    }
    let fragment = parts.fragment.map { $0.isEmpty ? "" : vault.placeholder(for: .string($0), kind: "fragment") }
    return parts.scheme + "://" + host(parts.authority, &vault) + vault.mask(parts.path)
      + (query.map { "?" + $0 } ?? "") + (fragment.map { "#" + $0 } ?? "")
  }

  /// A host is no place for a short secret: `127.0.0.1` stays what it is when somebody's pass code is `127`.
  private static func host(_ authority: String, _ vault: inout Vault) -> String {
    let isPlain =
      authority.utf8.count < 4
      || authority.split(whereSeparator: { ".:[]".contains($0) })
        .allSatisfy { $0.utf8.count < NeedleIndex.longBytes }
    return isPlain ? authority : vault.mask(authority)
  }

  private static func parameter(_ text: String, policy: MaskingPolicy, vault: inout Vault) -> String {
    guard let equals = text.firstIndex(of: "=") else {
      return text.isEmpty || policy.query.contains(text)
        ? text : vault.placeholder(for: .string(text), kind: "query", taints: text.utf8.count >= 4)
    }
    let name = String(text[..<equals])
    let value = String(text[text.index(after: equals)...])
    if policy.query.contains(name) { return name + "=" + vault.mask(value) }
    let secretName = URLParts.secretParameters.contains(name)
    let shownName =
      secretName || name.isEmpty
      ? name : vault.placeholder(for: .string(name), kind: "key", taints: name.utf8.count >= NeedleIndex.longBytes)
    guard !value.isEmpty else { return shownName + "=" }
    return shownName + "=" + secret(value, kind: secretName ? name : "query", &vault)
  }

  /// The placeholder of a query value: of the decoded secret, and of this sighting of it where the two differ.
  private static func secret(_ raw: String, kind: String, _ vault: inout Vault) -> String {
    let decoded = String(validating: TextDecoding.percent(Array(raw.utf8)).bytes, as: UTF8.self) ?? raw
    let base = vault.placeholder(for: .string(decoded), kind: kind, taints: decoded.utf8.count >= 4)
    return decoded == raw ? base : vault.placeholder(forSighting: raw, of: base, encoding: "pct")
  }
}

/// An absolute URL in its parts (RFC 3986 appendix B), nothing decoded.
public struct URLParts: Sendable, Hashable {
  /// `http` or `https`, lower case.
  public var scheme: String
  /// Host and port as written.
  public var authority: String
  /// The path, from its first slash; may be empty.
  public var path: String
  /// What follows the question mark, if there is one.
  public var query: String?
  /// What follows the hash sign, if there is one.
  public var fragment: String?

  /// Names of query parameters that are known to carry secrets (authn §16).
  static let secretParameters: Set<String> = [
    "stateToken", "token", "fromURI", "recoveryToken", "sessionToken", "code",
  ]

  /// Takes a URL apart; nil for anything but an absolute `http` or `https` URL.
  public init?(_ text: String) {
    guard let colon = text.firstIndex(of: ":") else { return nil }
    scheme = String(text[..<colon])
    guard scheme == "http" || scheme == "https" else { return nil }
    var rest = text[text.index(after: colon)...]
    guard rest.hasPrefix("//") else { return nil }
    rest = rest.dropFirst(2)
    if let hash = rest.firstIndex(of: "#") {
      fragment = String(rest[rest.index(after: hash)...])
      rest = rest[..<hash]
    }
    if let mark = rest.firstIndex(of: "?") {
      query = String(rest[rest.index(after: mark)...])
      rest = rest[..<mark]
    }
    let slash = rest.firstIndex(of: "/") ?? rest.endIndex
    authority = String(rest[..<slash])
    path = String(rest[slash...])
    guard !authority.isEmpty else { return nil }
  }

  /// Scheme, host and port, without path: `https://acme.example`.
  public var origin: String { scheme + "://" + authority }
}
