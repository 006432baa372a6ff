// A `Set-Cookie` header (RFC 6265 §5.2), to the extent needed by masking and the jar.

import EventStore

/// One cookie as a server sets it: its attributes are public if they have their usual form, its name is public if orgs
/// are known to use it, and its value is always secret.
struct SetCookie {
  /// The parts between semicolons, including white space.
  private let parts: [Substring]
  private let name: Substring
  /// The value, without surrounding white space.
  let value: Substring

  /// Reads a header value; nil if it has no usable name.
  init?(_ header: String) {
    parts = header.utf8.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false).map(Substring.init)
    guard let first = parts.first, let equals = first.utf8.firstIndex(of: UInt8(ascii: "=")) else { return nil }
    name = SetCookie.trimmed(first[..<equals])
    value = SetCookie.trimmed(first[first.utf8.index(after: equals)...])
    guard WordForm.isIdentifier(String(name)) else { return nil }
  }

  /// Reads a header value as it was recorded: its name may be a placeholder.
  init?(recorded header: String) {
    parts = header.utf8.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false).map(Substring.init)
    guard let first = parts.first, let equals = first.utf8.firstIndex(of: UInt8(ascii: "=")) else { return nil }
    name = SetCookie.trimmed(first[..<equals])
    value = SetCookie.trimmed(first[first.utf8.index(after: equals)...])
  }

  /// The name as recorded.
  var recordedName: String { String(name) }

  /// For how many seconds the cookie is good; nil if the server does not report it. `Max-Age` counts more than
  /// `Expires`, and the last of each.
  ///
  /// - Parameter now: seconds since 1970 on the server's clock, as far as it is known.
  func lifetime(at now: Int) -> Int? {
    var maximum: Int?
    var end: Int?
    for part in parts.dropFirst() {
      let (word, value) = Self.attribute(Self.trimmed(part))
      switch word {
      case "max-age" where WordForm.isNumber(value): maximum = Int(value) ?? maximum
      case "expires": end = HTTPDate.seconds(value) ?? end
      default: break
      }
    }
    // At most ten years.
    return (maximum ?? end.map { $0 - now }).map { min($0, 315_360_000) }
  }

  /// An attribute's name in lower case, and its value.
  private static func attribute(_ text: Substring) -> (word: String, value: String) {
    let equals = text.utf8.firstIndex(of: UInt8(ascii: "=")) ?? text.endIndex
    let value = equals == text.endIndex ? "" : String(trimmed(text[text.utf8.index(after: equals)...]))
    return (trimmed(text[..<equals]).lowercased(), value)
  }

  /// The header with its value replaced, as well as every attribute that does not follow RFC 6265.
  func masked(with vault: inout Vault) -> String {
    var masked: [String] = []
    let crossed = crossedParts(vault)
    for (index, part) in parts.enumerated() {
      let text = SetCookie.trimmed(part)
      let shown =
        index > 0
        ? crossed.contains(index)
          ? vault.placeholder(for: .string(String(text)), kind: "cookie") : attribute(String(text), &vault)
        : maskedName(&vault) + text[name.endIndex..<value.startIndex]
          + (value.isEmpty ? "" : vault.placeholder(for: .string(String(value)), kind: "cookie"))
      masked.append(part[..<text.startIndex] + shown + part[text.endIndex...])
    }
    return masked.joined(separator: ";")
  }

  /// Adds the value and its forms as a secret of a kind, so that other text that quotes it is masked.
  func addValue(as kind: String, to vault: inout Vault) {
    _ = vault.placeholder(for: .string(String(value)), kind: kind)
    addForms(to: &vault)
  }

  /// Adds the forms of the value that readers use: without its quotes (RFC 6265 §4.1.1), and percent-decoded.
  func addForms(to vault: inout Vault) {
    let secret = JSON.string(String(value))
    let quote = UInt8(ascii: "\"")
    let isQuoted = value.utf8.count > 2 && value.utf8.first == quote && value.utf8.last == quote
    let bare = isQuoted ? String(decoding: value.utf8.dropFirst().dropLast(), as: UTF8.self) : String(value)
    if isQuoted { vault.add(form: bare, named: "bare", of: secret) }
    let decoded = TextDecoding.percent(bare.utf8Span.span, plusIsSpace: false)
    guard decoded.isChanged, let plain = String(validating: decoded.bytes, as: UTF8.self) else { return }
    vault.add(form: plain, named: "plain", of: secret)
  }

  /// The parts that a secret spans only in part: searching each part separately would not find it.
  private func crossedParts(_ vault: Vault) -> Set<Int> {
    let header = parts.joined(separator: ";")
    let bytes = header.utf8Span.span
    let ranges = vault.sightings(in: header) { range in range.contains { bytes[$0] == UInt8(ascii: ";") } }
    guard !ranges.isEmpty else { return [] }
    var (crossed, start): (Set<Int>, Int) = ([], 0)
    for (index, part) in parts.enumerated() {
      let end = start + part.utf8.count
      if ranges.contains(where: { $0.lowerBound < end && $0.upperBound > start }) { crossed.insert(index) }
      start = end + 1
    }
    return crossed
  }

  /// Names of cookies that orgs set. Any other name may be a token.
  private static let names: Set<String> = [
    "DT", "JSESSIONID", "sid", "idx", "t", "xids", "sub", "oktaStateToken", "okta_user_lang", "enduser_version",
    "autolaunch_triggered", "activate_ca_modal_triggered", "last_login_check_time", "ln", "srefresh", "u",
  ]

  /// The name, or its placeholder.
  func maskedName(_ vault: inout Vault) -> String {
    let name = String(name)
    if Self.names.contains(name) { return name }
    return vault.placeholder(for: .string(name), kind: "key", taints: name.utf8.count >= NeedleIndex.longBytes)
  }

  private func attribute(_ text: String, _ vault: inout Vault) -> String {
    let (word, value) = Self.attribute(Substring(text))
    // Dates and numbers are never replaced, because the jar reads them.
    if word == "expires" && WordForm.isDate(value) || word == "max-age" && WordForm.isNumber(value) { return text }
    let isPublic =
      switch word {
      case "": text.isEmpty
      case "secure", "httponly", "partitioned": value.isEmpty
      case "samesite": WordForm.isIdentifier(value)
      case "path", "domain": true
      default: false
      }
    // What looks like a placeholder would be replaced together with the attribute's name.
    guard isPublic, !Placeholder.isForged(in: text) else {
      return vault.placeholder(for: .string(text), kind: "cookie")
    }
    let masked = vault.mask(text)
    guard word == "path" || word == "domain" else { return masked }
    // RFC 6265 §4.1.1 allows almost any text in a path. What has another form than orgs give it may be a secret.
    let shown = Self.attribute(Substring(masked)).value
    return WordForm.isCookiePlace(shown, isPath: word == "path")
      ? masked : vault.placeholder(for: .string(text), kind: "cookie")
  }

  /// The text without spaces around it. Of spaces alone nothing remains, at their beginning: an empty value stands at
  /// its equals sign, within the trimmed part.
  private static func trimmed(_ text: Substring) -> Substring {
    var bytes = text.utf8
    while bytes.last == UInt8(ascii: " ") { bytes.removeLast() }
    while bytes.first == UInt8(ascii: " ") { bytes.removeFirst() }
    return Substring(bytes)
  }
}
