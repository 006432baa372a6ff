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
    // By bytes, as servers read URLs, and not by `Character`.
    let bytes = text.utf8Span.span
    let isSecure = text.utf8.starts(with: "https://".utf8)
    guard isSecure || text.utf8.starts(with: "http://".utf8) else { return nil }
    scheme = isSecure ? "https" : "http"
    func part(_ range: Range<Int>) -> String {
      let start = text.utf8.index(text.startIndex, offsetBy: range.lowerBound)
      return String(text[start..<text.utf8.index(start, offsetBy: range.count)])
    }
    let start = isSecure ? 8 : 7
    let hash = Self.first(UInt8(ascii: "#"), in: bytes, start..<bytes.count)
    let mark = Self.first(UInt8(ascii: "?"), in: bytes, start..<(hash ?? bytes.count))
    let end = mark ?? hash ?? bytes.count
    let slash = Self.first(UInt8(ascii: "/"), in: bytes, start..<end) ?? end
    guard slash > start else { return nil }
    authority = part(start..<slash)
    path = part(slash..<end)
    let length = bytes.count
    query = mark.map { part($0 + 1..<(hash ?? length)) }
    fragment = hash.map { part($0 + 1..<length) }
  }

  private static func first(_ byte: UInt8, in bytes: Span<UInt8>, _ range: Range<Int>) -> Int? {
    for index in range where bytes[index] == byte { return index }
    return nil
  }

  /// Scheme, host and port, without path: `https://acme.example`.
  public var origin: String { scheme + "://" + authority }
}
