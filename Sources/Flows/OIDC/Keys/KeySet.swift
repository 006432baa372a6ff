// The keys of an authorization server (RFC 7517, oidc §8.2).

public import EventStore

/// A key set as it was read: keys that cannot verify a signature are left out, and of each key only its public members
/// stay.
public struct KeySet: Sendable, Hashable {
  /// The keys in their order, which means nothing.
  package var keys: [VerificationKey]

  /// The most keys that are looked at.
  static let limit = 256

  /// Reads the document of a `jwks_uri`; nil if it is not a key set. Unusable keys are skipped.
  public init?(_ document: JSON) {
    guard let keys = document["keys"]?.array else { return nil }
    self.keys = keys.prefix(Self.limit).compactMap(VerificationKey.init)
  }

  /// The document of these keys.
  public var json: JSON { ["keys": .array(keys.map(\.json))] }

  /// Whether the set has a key with this id; true for a token that names no key.
  public func holds(_ id: String?) -> Bool {
    id.map { id in keys.contains { $0.id?.isSame(as: id) ?? false } } ?? !keys.isEmpty
  }
}
