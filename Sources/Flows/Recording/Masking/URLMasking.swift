// URLs: scheme, host and path stay readable, of the query only what is declared. A secret in a path is found by its
// value.

import EventStore

enum URLMasking {
  /// The URL with its secrets replaced; text that is no absolute `http` URL is a secret as a whole.
  static func rewrite(_ text: String, policy: MaskingPolicy, vault: inout Vault) -> String {
    if text.isEmpty || isPlain(text) && isClean(text, vault) { return text }
    guard !Placeholder.isForged(in: text), let parts = URLParts(text), !parts.authority.utf8.contains(UInt8(ascii: "@"))
    else {
      return vault.placeholder(for: .string(text), kind: "url")
    }
    // A secret that reaches over the parts is a URL itself, or the beginning of one, and goes as a whole.
    let pathStart = parts.origin.utf8.count
    let pathEnd = pathStart + parts.path.utf8.count
    if vault.hasSecret(in: text, across: pathStart) || vault.hasSecret(in: text, across: pathEnd) {
      return vault.placeholder(for: .string(text), kind: "url")
    }
    let query = parts.query.map { "?" + parameters($0, policy: policy, vault: &vault) } ?? ""
    let fragment = parts.fragment.map { "#" + self.fragment($0, policy: policy, vault: &vault) } ?? ""
    let host = host(parts.authority, &vault)
    let path = path(parts.path, &vault)
    return parts.scheme + "://" + host + path + query + fragment
  }

  /// Takes up the secrets that a URL names, before anything of its message is written.
  static func collect(_ text: String, policy: MaskingPolicy, vault: inout Vault) {
    if !isPlain(text) { _ = rewrite(text, policy: policy, vault: &vault) }
  }

  /// Takes up the values of secret parameters of a URL that stands inside text for people.
  static func collect(inside text: String, vault: inout Vault) {
    guard text.utf8.contains(UInt8(ascii: "=")), text.contains("://") else { return }
    for piece in text.split(whereSeparator: { "?&#; \t\r\n\"'<>()[]{},".contains($0) }) {
      guard let equals = piece.firstIndex(of: "=") else { continue }
      let name = String(piece[..<equals])
      let value = String(piece[piece.index(after: equals)...])
      guard !value.isEmpty, URLParts.secretParameters.contains(name) else { continue }
      _ = secret(value, kind: name, &vault)
    }
  }

  /// Whether a URL has neither query nor fragment, nor anything else that is a secret by its place.
  private static func isPlain(_ text: String) -> Bool {
    text.utf8.starts(with: "http".utf8)
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "?"), UInt8(ascii: "#"), UInt8(ascii: ";"), UInt8(ascii: "@"), UInt8(ascii: "$"): false
        default: true
        }
      }
  }

  /// Whether no secret stands in a plain URL, found out without taking it apart.
  private static func isClean(_ text: String, _ vault: Vault) -> Bool {
    let bytes = text.utf8Span.span
    let host = text.utf8.starts(with: "https://".utf8) ? 8 : 7
    guard host == 8 || text.utf8.starts(with: "http://".utf8) else { return false }
    guard bytes.count > host, bytes[host] != UInt8(ascii: "/") else { return false }
    return !vault.hasSecret(in: bytes)
  }

  /// A host is no place for a short secret: `127.0.0.1` stays what it is when somebody's pass code is `127`.
  private static func host(_ authority: String, _ vault: inout Vault) -> String {
    var longest = 0
    var label = 0
    for byte in authority.utf8 {
      switch byte {
      case UInt8(ascii: "."), UInt8(ascii: ":"), UInt8(ascii: "["), UInt8(ascii: "]"): label = 0
      default: label += 1
      }
      longest = max(longest, label)
    }
    return longest < NeedleIndex.longBytes ? authority : vault.mask(authority)
  }

  /// A path stays readable but for the parameters of its segments, where servers put session ids (`;jsessionid=…`).
  private static func path(_ path: String, _ vault: inout Vault) -> String {
    guard path.utf8.contains(UInt8(ascii: ";")) else { return vault.mask(path) }
    return path.split(separator: "/", omittingEmptySubsequences: false).map { segment in
      guard let semicolon = segment.firstIndex(of: ";") else { return vault.mask(String(segment)) }
      let parameters = segment[segment.index(after: semicolon)...]
      return vault.mask(String(segment[..<semicolon])) + ";"
        + (parameters.isEmpty ? "" : secret(String(parameters), kind: "path", &vault))
    }.joined(separator: "/")
  }

  private static func fragment(_ text: String, policy: MaskingPolicy, vault: inout Vault) -> String {
    if text.isEmpty { return text }
    return text.contains("=")
      ? parameters(text, policy: policy, vault: &vault) : secret(text, kind: "fragment", &vault)
  }

  private static func parameters(_ text: String, policy: MaskingPolicy, vault: inout Vault) -> String {
    text.split(separator: "&", omittingEmptySubsequences: false)
      .map { parameter(String($0), policy: policy, vault: &vault) }.joined(separator: "&")
  }

  private static func parameter(_ text: String, policy: MaskingPolicy, vault: inout Vault) -> String {
    guard let equals = text.firstIndex(of: "=") else {
      return text.isEmpty || policy.query.contains(text) ? text : secret(text, kind: "query", &vault)
    }
    let name = String(text[..<equals])
    let value = String(text[text.index(after: equals)...])
    if policy.query.contains(name), WordForm.isIdentifier(value) { return name + "=" + vault.mask(value) }
    let isSecretName = URLParts.secretParameters.contains(name)
    let isNameShown = isSecretName || name.isEmpty || policy.query.contains(name)
    let shownName =
      isNameShown
      ? name : vault.placeholder(for: .string(name), kind: "key", taints: name.utf8.count >= NeedleIndex.longBytes)
    guard !value.isEmpty else { return shownName + "=" }
    return shownName + "=" + secret(value, kind: isSecretName ? name : "query", &vault)
  }

  /// The placeholder of a part of a URL: of the decoded secret, and of this sighting of it where the two differ.
  private static func secret(_ raw: String, kind: String, _ vault: inout Vault) -> String {
    let bytes = raw.utf8Span.span
    let decoded = String(validating: TextDecoding.percent(bytes, plusIsSpace: true).bytes, as: UTF8.self) ?? raw
    let base = vault.placeholder(for: .string(decoded), kind: kind, taints: decoded.utf8.count >= 4)
    guard !decoded.utf8.elementsEqual(raw.utf8) else { return base }
    // A plus may also have meant a plus.
    let plain = String(validating: TextDecoding.percent(bytes, plusIsSpace: false).bytes, as: UTF8.self) ?? raw
    if !plain.utf8.elementsEqual(decoded.utf8) { _ = vault.placeholder(for: .string(plain), kind: kind) }
    return vault.placeholder(forSighting: raw, of: base, encoding: "pct")
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

  /// Names of query parameters that are known to carry secrets (authn §16, idx §17).
  static let secretParameters: Set<String> = [
    "stateToken", "token", "fromURI", "recoveryToken", "sessionToken", "code", "access_token", "id_token",
    "refresh_token", "interaction_code", "interaction_handle", "stateHandle", "recovery_token", "activation_token",
    "otp",
  ]

  /// Takes a URL apart; nil for anything but an absolute `http` or `https` URL.
  public init?(_ text: String) {
    guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
    scheme = String(text[..<colon])
    guard scheme == "http" || scheme == "https" else { return nil }
    var rest = text[colon...]
    guard rest.utf8.starts(with: "://".utf8) else { return nil }
    rest = rest[rest.utf8.index(rest.startIndex, offsetBy: 3)...]
    fragment = URLParts.cut(&rest, at: UInt8(ascii: "#"))
    query = URLParts.cut(&rest, at: UInt8(ascii: "?"))
    let slash = rest.utf8.firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
    authority = String(rest[..<slash])
    path = String(rest[slash...])
    guard !authority.isEmpty else { return nil }
  }

  /// Takes off what follows the first such byte. By bytes, as servers read URLs, and not by `Character`.
  private static func cut(_ text: inout Substring, at byte: UInt8) -> String? {
    guard let index = text.utf8.firstIndex(of: byte) else { return nil }
    defer { text = text[..<index] }
    return String(text[text.utf8.index(after: index)...])
  }

  /// Scheme, host and port, without path: `https://acme.example`.
  public var origin: String { scheme + "://" + authority }
}
