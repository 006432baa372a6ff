// Compares what a key remembers with the store that it will sign.

extension SignerMemory.Entry {
  /// Throws `keyMismatch` if the key signs another store, or has signed this one and the store no longer says so.
  func refuseStranger(_ identity: StoreIdentity, file: String) throws(StoreError) {
    if let store, !store.isSame(as: identity.id) {
      throw StoreError(
        .keyMismatch, "the signing key is that of another store, \(store), of the same origin", file: file,
        advice: "give this store an origin of its own, or its own key")
    }
    if let note, identity.publicKey == nil {
      throw StoreError(
        .keyMismatch, "the store names no key, though this one has signed \(note.size) records of \(note.origin)",
        file: file, advice: "keep the store as evidence; auditctl restore begins one with a new origin")
    }
  }

  /// Throws what `refuseStranger` throws, and `truncated` or `forked` if the log is not what the key has signed.
  ///
  /// - Parameters:
  ///   - identity: the store's identity.
  ///   - key: the key that will sign.
  ///   - size: how many records the log has.
  ///   - file: the file of the memory.
  ///   - root: gives the log's root at a size that it has.
  func check(
    _ identity: StoreIdentity, key: VerifierKey, size: UInt64, file: String,
    root: (UInt64) throws(StoreError) -> TreeHash
  ) throws(StoreError) {
    try refuseStranger(identity, file: file)
    guard let note else { return }
    try SignedPast(note: note, file: file, knower: "its signer").check(
      size: size, keys: [key] + identity.keysRetired(after: note.size), root: root)
  }
}

extension StoreIdentity {
  /// The keys that may have signed a checkpoint of that size before they handed the log over.
  func keysRetired(after size: UInt64) -> [VerifierKey] {
    retiredKeys.filter { size <= $0.until }.compactMap { try? VerifierKey(text: $0.key) }
  }
}
