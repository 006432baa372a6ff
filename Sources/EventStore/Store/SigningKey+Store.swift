// Which key a store signs with.
import Foundation

extension SigningKey {
  /// The key of a store, made on first use. A store that names a key already must have it; a key that signs one store
  /// signs no other.
  ///
  /// - Parameters:
  ///   - identity: the store's identity.
  ///   - store: the store's directory; neither the key nor what it remembers may lie in it.
  ///   - path: the key's file; nil is the usual place.
  ///   - state: the file of what the key remembers; nil is `<key file>.state`.
  /// - Throws: `keyMissing` if the store names a key, or one has signed it, and the file is not there; `keyMismatch` if
  ///   the file has another key, one of another store, or, if the store names no key, one that nothing ties to the
  ///   store; `keyExposed` if others than its owner can use it; `malformed` if what it remembers cannot be read;
  ///   `invalid` if a file lies, or would lie, inside the store, even through a symbolic link.
  public static func obtain(
    for identity: StoreIdentity, store: String, path: String? = nil, state: String? = nil
  ) throws(StoreError) -> SigningKey {
    let place = path ?? defaultPath(origin: identity.origin)
    let memory = SignerMemory(path: state ?? SignerMemory.path(besideKey: place))
    try refuseInside(store, place, memory)
    let known = try memory.read()
    let key: SigningKey
    do throws(StoreError) {
      key = try load(path: place, state: memory.file)
    } catch {
      guard error.code == .keyMissing, identity.publicKey == nil else { throw error }
      try known?.refuseStranger(identity, file: memory.file)
      return try create(path: place, name: identity.origin, store: identity.id, state: memory.file)
    }
    guard identity.publicKey != nil || key.verifier.name.isSame(as: identity.origin) else {
      throw StoreError(
        .keyMismatch, "the signing key is that of another log, \(key.verifier.name)", file: place,
        advice: "give a file that is not there yet, and a key is made in it")
    }
    guard key.verifier.name.isSame(as: identity.origin),
      identity.publicKey?.isSame(as: key.verifier.description) ?? true
    else {
      throw StoreError(
        .keyMismatch, "the signing key is not the one that the store names", file: place,
        advice: "give the store's own key")
    }
    try known?.refuseStranger(identity, file: memory.file)
    guard identity.publicKey != nil || known != nil else {
      throw StoreError(
        .keyMismatch, "the signing key was there before, and nothing says that it is this store's", file: place,
        advice: "put \(memory.file) back beside it, or give the store an origin of its own, or another key")
    }
    if known == nil || known?.store == nil { try key.bind(to: identity) }
    return key
  }

  /// The key that a store is handed over to, made if it is not there.
  ///
  /// - Throws: what `obtain` throws; a key from an earlier, unfinished handover of this store is used.
  public static func obtainNext(
    for identity: StoreIdentity, store: String, path: String, state: String? = nil
  ) throws(StoreError) -> SigningKey {
    let memory = SignerMemory(path: state ?? SignerMemory.path(besideKey: path))
    try refuseInside(store, path, memory)
    let known = try memory.read()
    try known?.refuseStranger(identity, file: memory.file)
    let key: SigningKey
    do throws(StoreError) {
      key = try load(path: path, state: memory.file)
    } catch {
      guard error.code == .keyMissing else { throw error }
      return try create(path: path, name: identity.origin, store: identity.id, state: memory.file)
    }
    if known == nil || known?.store == nil { try key.bind(to: identity) }
    return key
  }

  /// Remembers which store the key belongs to.
  private func bind(to identity: StoreIdentity) throws(StoreError) {
    guard let memory else { return }
    let claim = try memory.claim()
    try claim.entry?.refuseStranger(identity, file: memory.file)
    guard claim.entry?.store == nil else { return }
    try memory.put(.init(store: identity.id, note: claim.entry?.note), under: claim)
  }

  private static func refuseInside(
    _ store: String, _ key: String, _ memory: SignerMemory
  ) throws(StoreError) {
    for (file, what) in [(key, "the signing key"), (memory.file, "what the signing key remembers")]
    where StoreLayout(store).holds(file) {
      throw StoreError(
        .invalid, "\(what) must not lie inside of the store", file: file, advice: "give another place")
    }
  }
}
