// URLs taken apart by bytes, as servers read them.

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
