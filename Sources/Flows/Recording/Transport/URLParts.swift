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

  /// Parses a URL; `nil` for anything except an absolute `http` or `https` URL. The scheme may be written in any case
  /// (RFC 3986 §3.1).
  public init?(_ text: String) {
    // Parsed by bytes, as servers do, rather than by `Character`.
    let bytes = text.utf8Span.span
    guard let start = Self.start(of: bytes) else { return nil }
    let isSecure = start == Self.secure.utf8.count
    scheme = isSecure ? "https" : "http"
    func part(_ range: Range<Int>) -> String {
      let start = text.utf8.index(text.startIndex, offsetBy: range.lowerBound)
      return String(text[start..<text.utf8.index(start, offsetBy: range.count)])
    }
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

  private static let (secure, clear) = ("https://", "http://")

  /// The length of `https://` or `http://` at the start of a text, in any case; `nil` if it starts with neither.
  static func start(of bytes: Span<UInt8>) -> Int? {
    if begins(bytes, with: secure) { return secure.utf8.count }
    return begins(bytes, with: clear) ? clear.utf8.count : nil
  }

  /// Whether a text begins with a lowercase prefix, ignoring the case of its own ASCII letters.
  static func begins(_ bytes: Span<UInt8>, with prefix: String) -> Bool {
    guard bytes.count >= prefix.utf8.count else { return false }
    var index = 0
    for byte in prefix.utf8 {
      guard ASCIICase.lowercased(bytes[index]) == byte else { return false }
      index += 1
    }
    return true
  }

  private static func first(_ byte: UInt8, in bytes: Span<UInt8>, _ range: Range<Int>) -> Int? {
    for index in range where bytes[index] == byte { return index }
    return nil
  }

  /// The scheme, host, and port, without the path: `https://acme.example`.
  public var origin: String { scheme + "://" + authority }
}
