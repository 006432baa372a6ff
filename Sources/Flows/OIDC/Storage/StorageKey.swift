// The key for looking up stored tokens (oidc §9.3).

/// The key of stored tokens: the issuer and the client ID, combined into unique text.
///
/// The text consists of the issuer, `_`, and the client ID. In both parts, `%` becomes `%25` and `_` becomes `%5F`, so
/// that the only `_` is the separator. The scheme and host of the issuer are in lowercase, and its default port and a
/// trailing slash are removed. Keys of older versions have other formats; see ``init(older:)``.
public struct StorageKey: Sendable, Hashable, Comparable, CustomStringConvertible {
  /// The key as text.
  public let text: String

  /// Creates the key for a client at an authorization server.
  public init(issuer: String, clientID: String) {
    text = Self.escaped(Self.comparable(issuer)) + "_" + Self.escaped(clientID)
  }

  /// Creates the key for a configuration.
  public init(_ configuration: OktaAuthConfig) {
    self.init(issuer: configuration.issuer, clientID: configuration.clientId)
  }

  /// Creates the key of an older version from its text, without escaping or normalizing it.
  public init(older text: String) { self.text = text }

  /// The key under which all versions before composite keys stored the tokens of an application.
  public static let legacy = StorageKey(older: "OktaAuthStateManager")

  /// The key as text.
  public var description: String { text }

  /// Orders keys by their bytes.
  public static func < (left: StorageKey, right: StorageKey) -> Bool {
    left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
  }

  /// Returns whether two keys have the same bytes. Canonically equivalent texts, such as «é» as one or two scalars, are
  /// different client IDs.
  public static func == (left: StorageKey, right: StorageKey) -> Bool { left.text.utf8.elementsEqual(right.text.utf8) }

  /// Hashes the bytes.
  public func hash(into hasher: inout Hasher) { for byte in text.utf8 { hasher.combine(byte) } }

  /// Normalizes an issuer, so that each issuer has exactly one form.
  static func comparable(_ issuer: String) -> String {
    let text = OktaAuthConfig.normalized(issuer)
    guard let mark = text.firstRange(of: "://") else { return text }
    let scheme = text[..<mark.lowerBound].lowercased()
    let rest = text[mark.upperBound...]
    let end = rest.firstIndex(of: "/") ?? rest.endIndex
    var site = rest[..<end].lowercased()
    for (name, port) in [("https", ":443"), ("http", ":80")] where scheme == name && site.hasSuffix(port) {
      site.removeLast(port.count)
    }
    return scheme + "://" + site + rest[end...]
  }

  private static func escaped(_ text: String) -> String {
    text.utf8.reduce(into: [UInt8]()) { out, byte in
      switch byte {
      case UInt8(ascii: "%"): out += Array("%25".utf8)
      case UInt8(ascii: "_"): out += Array("%5F".utf8)
      default: out.append(byte)
      }
    }.text
  }
}

extension [UInt8] {
  fileprivate var text: String { String(decoding: self, as: UTF8.self) }
}
