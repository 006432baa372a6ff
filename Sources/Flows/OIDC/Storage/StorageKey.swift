// What stored tokens are found by (oidc §9.3).

/// The key of stored tokens: the issuer and the client id, in one text that no other pair has.
///
/// The text is the issuer, `_`, and the client id. In both, `%` stands as `%25` and `_` as `%5F`, so that the one `_` is the
/// border; scheme and host of the issuer are in lower case, its usual port and a slash at its end are left out. Keys of older
/// versions have texts of other forms, see ``init(older:)``.
public struct StorageKey: Sendable, Hashable, Comparable, CustomStringConvertible {
  /// The key as a text.
  public let text: String

  /// The key of a client at an authorization server.
  public init(issuer: String, clientID: String) {
    text = Self.escaped(Self.comparable(issuer)) + "_" + Self.escaped(clientID)
  }

  /// The key of a configuration.
  public init(_ configuration: OktaAuthConfig) {
    self.init(issuer: configuration.issuer, clientID: configuration.clientId)
  }

  /// A key of an older version, as it was written: nothing of it is escaped or normalized.
  public init(older text: String) { self.text = text }

  /// The key under which all versions before composite keys kept the tokens of an application.
  public static let legacy = StorageKey(older: "OktaAuthStateManager")

  /// The text.
  public var description: String { text }

  /// By their bytes.
  public static func < (left: StorageKey, right: StorageKey) -> Bool {
    left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
  }

  /// Whether two texts have the same bytes; «é» of one scalar and of two are two client ids.
  public static func == (left: StorageKey, right: StorageKey) -> Bool { left.text.utf8.elementsEqual(right.text.utf8) }

  /// Hashes the bytes.
  public func hash(into hasher: inout Hasher) { for byte in text.utf8 { hasher.combine(byte) } }

  /// An issuer in the form that keys compare: one issuer has one.
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
