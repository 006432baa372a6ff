// A `Set-Cookie` header (RFC 6265 §5.2), as far as masking and sending back need it.

import EventStore

/// One cookie as a server sets it: its name and attributes are public, its value is not.
struct SetCookie {
  var name: String
  var value: String
  var attributes: [String]

  private static let known: Set<String> = ["path", "domain", "expires", "max-age", "secure", "httponly", "samesite"]

  /// Reads a header value; nil where it has no usable name.
  init?(_ header: String) {
    let parts = header.split(separator: ";", omittingEmptySubsequences: false).map(SetCookie.trimmed)
    guard let first = parts.first, let equals = first.firstIndex(of: "=") else { return nil }
    name = String(first[..<equals])
    value = String(first[first.index(after: equals)...])
    attributes = parts.dropFirst().map(String.init)
    guard WordForm.isIdentifier(name) else { return nil }
  }

  /// The header with its value, and every attribute that is not a known one, replaced.
  func masked(with vault: inout Vault) -> String {
    let secret = value.isEmpty ? "" : vault.placeholder(for: .string(value), kind: "cookie")
    var parts = ["\(vault.mask(name))=\(secret)"]
    for attribute in attributes {
      let word = attribute.prefix { $0 != "=" }.lowercased()
      parts.append(
        SetCookie.known.contains(word)
          ? vault.mask(attribute) : vault.placeholder(for: .string(attribute), kind: "cookie"))
    }
    return parts.joined(separator: "; ")
  }

  private static func trimmed(_ text: Substring) -> Substring {
    var text = text
    while text.first == " " { text.removeFirst() }
    while text.last == " " { text.removeLast() }
    return text
  }
}
