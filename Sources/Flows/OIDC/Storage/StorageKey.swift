// What stored tokens are found by (oidc §9.3).

/// The key of stored tokens: the issuer and the client id.
public struct StorageKey: Sendable, Hashable, Comparable, CustomStringConvertible {
  /// The normalized issuer; empty if none is known.
  public let issuer: String
  /// The client id.
  public let clientID: String

  /// The key of a client at an authorization server.
  public init(issuer: String, clientID: String) {
    self.issuer = OktaAuthConfig.normalized(issuer)
    self.clientID = clientID
  }

  /// The key of a configuration.
  public init(_ configuration: OktaAuthConfig) {
    self.init(issuer: configuration.issuer, clientID: configuration.clientId)
  }

  /// The key as a text: issuer, `_`, client id. Two keys never have the same.
  public var text: String { issuer + "_" + clientID }

  /// The text.
  public var description: String { text }

  /// By their texts.
  public static func < (left: StorageKey, right: StorageKey) -> Bool {
    left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
  }
}
