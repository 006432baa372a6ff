// Which checkpoints of a store are believed by whoever knows one of its keys.

extension LogReader {
  /// The keys that sign for a log whose key `key` is: that one, and those that it handed the log over to, one after the
  /// other, as the checkpoints say that the store has published. Cost: a read of each file in `checkpoints/`.
  package func trustedKeys(from key: VerifierKey) throws(StoreError) -> [VerifierKey] {
    try trust(in: key).trusted
  }

  /// True if a checkpoint is signed by a key that is trusted at its size by whoever trusts `key`. Cost: as of
  /// `trustedKeys(from:)`.
  package func isTrusted(_ note: SignedNote, from key: VerifierKey) throws(StoreError) -> Bool {
    try trust(in: key, and: [note]).isTrusted(note)
  }

  private func trust(in key: VerifierKey, and more: [SignedNote] = []) throws(StoreError) -> NoteCheck {
    var published = more
    if let latest = try layout.latestCheckpoint(on: disk) { published.append(latest) }
    for size in try layout.checkpointSizes(on: disk) {
      // What cannot be read hands nothing over; verify finds it.
      if let note = try? layout.note(at: layout.checkpoint(size), on: disk) { published.append(note) }
    }
    return NoteCheck(identity: identity, pinned: key, published: published)
  }
}
