// URLs: scheme, host and path stay readable; in the query, only declared parameters do. A secret in a path is found by
// its value.

import EventStore

enum URLMasking {
  /// The URL with its secrets replaced; text that is not an absolute `http` URL is a secret as a whole.
  static func rewrite(_ text: String, policy: MaskingPolicy, vault: inout Vault) -> String {
    if text.isEmpty || isPlain(text) && isClean(text, vault) { return text }
    guard !Placeholder.isForged(in: text), let parts = URLParts(text), !parts.authority.utf8.contains(UInt8(ascii: "@"))
    else {
      return whole(text, &vault)
    }
    // The parts are searched separately, which would not find a secret that spans several of them: the URL is replaced
    // as a whole.
    if isAcrossParts(text, parts, vault) { return whole(text, &vault) }
    let query = parts.query.map { "?" + parameters($0, policy: policy, vault: &vault) } ?? ""
    let fragment = parts.fragment.map { "#" + self.fragment($0, policy: policy, vault: &vault) } ?? ""
    let host = host(parts.authority, &vault)
    let path = path(parts.path, policy, &vault)
    // As written: the scheme may have capital letters.
    let scheme = String(Substring(text.utf8.prefix(parts.scheme.utf8.count)))
    return scheme + "://" + host + path + query + fragment
  }

  /// A URL that is replaced as a whole. The secrets in its parameters, and its password, may also occur in other text.
  private static func whole(_ text: String, _ vault: inout Vault) -> String {
    collect(inside: text, vault: &vault)
    // `user:password@host` (RFC 3986 §3.2.1).
    if let authority = URLParts(text)?.authority.utf8, let end = authority.lastIndex(of: UInt8(ascii: "@")),
      let colon = authority[..<end].firstIndex(of: UInt8(ascii: ":"))
    {
      let password = String(Substring(authority[authority.index(after: colon)..<end]))
      if !password.isEmpty { _ = secret(password, kind: "credentials", &vault) }
    }
    return vault.placeholder(for: .string(text), kind: "url")
  }

  /// Whether a known secret spans a separator at which `rewrite` splits a URL.
  private static func isAcrossParts(_ text: String, _ parts: URLParts, _ vault: Vault) -> Bool {
    let pathStart = parts.origin.utf8.count
    let pathEnd = pathStart + parts.path.utf8.count
    var marks: [Int] = []
    if parts.path.contains(";") { marks += self.marks(in: parts.path, between: "/", first: ";", from: pathStart) }
    var start = pathEnd
    for part in [parts.query, parts.fragment].compactMap({ $0 }) {
      // After the start of the query or fragment, which also separates parts.
      marks.append(start)
      marks += self.marks(in: part, between: "&", first: "=", from: start + 1)
      start += 1 + part.utf8.count
    }
    return !vault.sightings(in: text) { range in
      range.lowerBound < pathStart && range.upperBound > pathStart
        || range.lowerBound < pathEnd && range.upperBound > pathEnd || reaches(range, over: marks)
    }.isEmpty
  }

  /// Whether one of some increasing positions is in a range.
  private static func reaches(_ range: Range<Int>, over marks: [Int]) -> Bool {
    var (low, high) = (0, marks.count)
    while low < high {
      let middle = (low + high) / 2
      if marks[middle] < range.lowerBound { low = middle + 1 } else { high = middle }
    }
    return low < marks.count && marks[low] < range.upperBound
  }

  /// The positions of the separators between the pieces of a text, and of the first separator inside each.
  private static func marks(
    in text: String, between: Character, first inside: Character, from start: Int
  ) -> [Int] {
    var (marks, offset): ([Int], Int) = ([], start)
    for piece in text.split(separator: between, omittingEmptySubsequences: false) {
      if let mark = piece.firstIndex(of: inside) { marks.append(offset + piece[..<mark].utf8.count) }
      offset += piece.utf8.count
      marks.append(offset)
      offset += 1
    }
    return marks.dropLast()
  }

  /// Collects the secrets in a URL before anything of its message is written.
  static func collect(_ text: String, policy: MaskingPolicy, vault: inout Vault) {
    if !isPlain(text) { _ = rewrite(text, policy: policy, vault: &vault) }
  }

  /// Names of parameters that are secrets inside text too: those of URLs, and others that OIDC declares secret (oidc
  /// §14).
  private static let secretNames = URLParts.secretParameters.union([
    "state", "nonce", "id_token_hint", "code_verifier", "client_secret", "client_assertion", "device_secret",
    "device_code", "user_code",
  ])

  /// Collects the values of secret parameters of URLs inside text for people: of any scheme, as in
  /// `com.app:/cb?code=…`, and of a query alone.
  static func collect(inside text: String, vault: inout Vault) {
    guard text.utf8.contains(UInt8(ascii: "=")) else { return }
    let hasURL = text.contains(":/")
    for piece in text.split(whereSeparator: { "?&#; \t\r\n\"'<>()[]{},".contains($0) }) {
      guard let equals = piece.firstIndex(of: "="), hasURL || isParameter(piece, of: text) else { continue }
      let name = String(piece[..<equals])
      let value = String(piece[piece.index(after: equals)...])
      guard !value.isEmpty, secretNames.contains(name) else { continue }
      _ = secret(value, kind: name, &vault)
    }
  }

  /// Whether a piece of text follows a separator as in a URL.
  private static func isParameter(_ piece: Substring, of text: String) -> Bool {
    guard piece.startIndex > text.startIndex else { return false }
    return "?&#".contains(text[text.index(before: piece.startIndex)])
  }

  /// Whether a URL has neither a query nor a fragment, nor anything else that is secret by its place.
  static func isPlain(_ text: String) -> Bool {
    URLParts.begins(text.utf8Span.span, with: "http")
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "?"), UInt8(ascii: "#"), UInt8(ascii: ";"), UInt8(ascii: "@"), UInt8(ascii: "$"): false
        default: true
        }
      }
  }

  /// Whether a plain URL contains no secret, determined without splitting it.
  static func isClean(_ text: String, _ vault: Vault) -> Bool {
    let bytes = text.utf8Span.span
    guard let host = URLParts.start(of: bytes), bytes.count > host, bytes[host] != UInt8(ascii: "/") else {
      return false
    }
    return !vault.hasSecret(in: bytes)
  }

  /// Short secrets are not searched in a host: `127.0.0.1` stays unchanged if a passcode is `127`.
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
    // A long secret may itself contain dots.
    return longest < NeedleIndex.longBytes && !vault.hasLongSecret(in: authority) ? authority : vault.mask(authority)
  }

  /// A path stays readable except for known secrets and the parameters of its segments, where servers put session ids
  /// (`;jsessionid=…`). The protocol's own segments are kept: replacing them would reveal a short secret.
  private static func path(_ path: String, _ policy: MaskingPolicy, _ vault: inout Vault) -> String {
    guard path.utf8.contains(UInt8(ascii: ";")) else { return vault.mask(path, words: policy.paths) }
    return path.split(separator: "/", omittingEmptySubsequences: false).map { segment in
      guard let semicolon = segment.firstIndex(of: ";") else {
        return vault.mask(String(segment), words: policy.paths)
      }
      let parameters = segment[segment.index(after: semicolon)...]
      return vault.mask(String(segment[..<semicolon]), words: policy.paths) + ";"
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

  /// The placeholder of a part of a URL: of the decoded secret, and of this sighting of it if the two differ.
  private static func secret(_ raw: String, kind: String, _ vault: inout Vault) -> String {
    let bytes = raw.utf8Span.span
    let decoded = String(validating: TextDecoding.percent(bytes, plusIsSpace: true).bytes, as: UTF8.self) ?? raw
    let base = vault.placeholder(for: .string(decoded), kind: kind, taints: decoded.utf8.count >= 4)
    guard !decoded.utf8.elementsEqual(raw.utf8) else { return base }
    // A plus may also have been meant literally.
    let plain = String(validating: TextDecoding.percent(bytes, plusIsSpace: false).bytes, as: UTF8.self) ?? raw
    if !plain.utf8.elementsEqual(decoded.utf8) { _ = vault.placeholder(for: .string(plain), kind: kind) }
    return vault.placeholder(forSighting: raw, of: base, encoding: "pct")
  }
}
