// Which key a store signs with.
import Foundation

extension SigningKey {
  /// The key of a store, made on first use. A store that names a key already must have it.
  ///
  /// - Parameters:
  ///   - identity: what the store says of itself.
  ///   - store: the store's directory; the key must not lie in it.
  ///   - path: the key's file; nil is the usual place.
  ///
  /// Throws `keyMissing` where the store names a key and the file is not there, `keyMismatch` where the file has
  /// another, `keyExposed` where others than its owner can use it, `invalid` where the file lies, or would lie, inside of the
  /// store, be it by a symbolic link.
  public static func obtain(
    for identity: StoreIdentity, store: String, path: String? = nil
  ) throws(StoreError) -> SigningKey {
    let place = path ?? defaultPath(origin: identity.origin)
    if StoreLayout(store).holds(place) {
      throw StoreError(
        .invalid, "the signing key must not lie inside of the store", file: place, advice: "give another place")
    }
    let key: SigningKey
    do throws(StoreError) {
      key = try load(path: place)
    } catch {
      guard error.code == .keyMissing, identity.publicKey == nil else { throw error }
      return try create(path: place, name: identity.origin)
    }
    guard key.verifier.name == identity.origin,
      identity.publicKey == nil || identity.publicKey == key.verifier.description
    else {
      throw StoreError(
        .keyMismatch, "the signing key is not the one that the store names", file: place,
        advice: "give the store's own key")
    }
    return key
  }
}
