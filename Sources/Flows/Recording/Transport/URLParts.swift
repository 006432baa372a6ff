// Parses URLs by bytes, as servers do.

/// The parts of an absolute URL (RFC 3986 appendix B), without decoding.
public struct URLParts: Sendable, Hashable {
  /// `http` or `https`, in lowercase.
  public var scheme: String
  /// The host and port as written.
  public var authority: String
  /// The path, from its first slash; may be empty.
  public var path: String
  /// The text after the question mark, if there is one.
  public var query: String?
  /// The text after the hash sign, if there is one.
  public var fragment: String?

  /// The names of query parameters that are known to contain secrets (authn §16, idx §17).
  static let secretParameters: Set<String> = [
    "stateToken", "token", "fromURI", "recoveryToken", "sessionToken", "code", "access_token", "id_token",
    "refresh_token", "interaction_code", "interaction_handle", "stateHandle", "recovery_token", "activation_token",
    "otp",
  ]

  /// Parses a URL; `nil` for anything except an absolute `http` or `https` URL.
  public init?(_ text: String) {
    // Parsed by bytes, as servers do, rather than by `Character`.
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

  /// The scheme, host, and port, without the path: `https://acme.example`.
  public var origin: String { scheme + "://" + authority }
}
