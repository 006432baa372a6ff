// A `Set-Cookie` header (RFC 6265 §5.2), as far as masking needs it.

import EventStore

/// One cookie as a server sets it: its name and attributes are public, its value is not.
struct SetCookie {
  /// The parts between semicolons, white space and all.
  private let parts: [Substring]
  private let name: Substring
  /// The value, without the white space around it.
  let value: Substring

  /// Reads a header value; nil where it has no usable name.
  init?(_ header: String) {
    parts = header.utf8.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false).map(Substring.init)
    guard let first = parts.first, let equals = first.utf8.firstIndex(of: UInt8(ascii: "=")) else { return nil }
    name = SetCookie.trimmed(first[..<equals])
    value = SetCookie.trimmed(first[first.utf8.index(after: equals)...])
    guard WordForm.isIdentifier(String(name)) else { return nil }
  }

  /// The header with its value, and every attribute that is not as RFC 6265 has it, replaced.
  func masked(with vault: inout Vault) -> String {
    var masked: [String] = []
    for (index, part) in parts.enumerated() {
      let text = SetCookie.trimmed(part)
      let shown =
        index > 0
        ? attribute(String(text), &vault)
        : vault.mask(String(name)) + text[name.endIndex..<value.startIndex]
          + (value.isEmpty ? "" : vault.placeholder(for: .string(String(value)), kind: "cookie"))
      masked.append(part[..<text.startIndex] + shown + part[text.endIndex...])
    }
    return masked.joined(separator: ";")
  }

  private func attribute(_ text: String, _ vault: inout Vault) -> String {
    let equals = text.utf8.firstIndex(of: UInt8(ascii: "=")) ?? text.endIndex
    let word = text[..<equals]
    let value = equals == text.endIndex ? "" : String(text[text.utf8.index(after: equals)...])
    let isPublic =
      switch word.lowercased() {
      case "": text.isEmpty
      case "secure", "httponly", "partitioned": value.isEmpty
      case "expires": WordForm.isDate(value)
      case "max-age": WordForm.isNumber(value)
      case "samesite": WordForm.isIdentifier(value)
      case "path", "domain": true
      default: false
      }
    return isPublic ? vault.mask(text) : vault.placeholder(for: .string(text), kind: "cookie")
  }

  private static func trimmed(_ text: Substring) -> Substring {
    var bytes = text.utf8
    while bytes.first == UInt8(ascii: " ") { bytes.removeFirst() }
    while bytes.last == UInt8(ascii: " ") { bytes.removeLast() }
    return Substring(bytes)
  }
}
