// The keys of an authorization server (RFC 7517, oidc §8.2).

public import EventStore

/// A key set as it was read: keys that cannot verify a signature are left out.
public struct KeySet: Sendable, Hashable {
  /// The keys, each a JWK.
  public var keys: [JSON]

  /// Reads the document of a `jwks_uri`; nil if it is no key set.
  public init?(_ document: JSON) {
    guard let keys = document["keys"]?.array else { return nil }
    self.keys = keys
  }
}
