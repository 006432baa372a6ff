// Text about a log, signed by the log's own key, for people who must account for what the log says about a period.

extension LogReader {
  /// Signs text about this log with its key. Refuses a log that has fewer records than the key has signed, or different
  /// ones.
  ///
  /// - Parameter body: lines, each with its line end. The first must not be the log's origin: that would begin a
  ///   checkpoint.
  /// - Throws: `keyMismatch` if the store names another key, or none; `altered` if records are gone that no signed
  ///   record reports as pruned; `truncated` or `forked` if the log is not what
  ///   the key remembers to have signed; `invalid` for a body that begins as a checkpoint does; `malformed` for one
  ///   that cannot be the body of a note.
  package func signedText(_ body: String, by key: SigningKey) throws(StoreError) -> SignedText {
    guard let named = identity.publicKey, named.isSame(as: key.verifier.description) else {
      throw StoreError(
        .keyMismatch,
        identity.publicKey == nil
          ? "the log has no key yet: it was never signed" : "the key is not the one that store.json names",
        file: layout.identity, advice: "sign the log first (auditctl checkpoint), and give the store's own key")
    }
    guard !String(body.prefix { $0 != "\n" }).isSame(as: identity.origin) else {
      throw StoreError(
        .invalid, "a text that begins with the log's origin would be a checkpoint", file: layout.identity)
    }
    if let memory = key.memory, let entry = try memory.read() {
      let size = try statistics().records
      try entry.check(identity, key: key.verifier, size: size, file: memory.file) { size throws(StoreError) in
        try self.root(at: size)
      }
    }
    let signed = try layout.latestCheckpoint(on: disk).flatMap {
      $0.standing(with: key.verifier) == .valid ? $0.size : nil
    }
    try ToldPruning(layout: layout, disk: disk).refuseUntold(
      within: max(signed ?? 0, identity.restoredFrom.last?.size ?? 0), knowing: catalog)
    return try SignedText(body: body, signedBy: [key])
  }

  /// The checkpoints in the store's folder, in the order of their sizes: the newest, and older ones that are still
  /// needed. Files that are not checkpoints are left out. The checkpoints are not verified.
  package func keptCheckpoints() throws(StoreError) -> [SignedNote] {
    var notes: [SignedNote] = []
    for size in try layout.checkpointSizes(on: disk).sorted() {
      if let note = try? layout.note(at: layout.checkpoint(size), on: disk) { notes.append(note) }
    }
    return notes
  }
}
