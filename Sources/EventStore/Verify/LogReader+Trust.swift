// Which checkpoints of a store a reader who knows one of its keys can trust.

extension LogReader {
  /// The keys that sign for a log whose key `key` is: that one, and those that it handed the log over to, one after the
  /// other, according to the published checkpoints. Cost: a read of each file in `checkpoints/`.
  package func trustedKeys(from key: VerifierKey) throws(StoreError) -> [VerifierKey] {
    try trust(in: key).trusted
  }

  /// True if a checkpoint is signed by a key that is trusted at its size, given trust in `key`. Cost: as of
  /// `trustedKeys(from:)`.
  package func isTrusted(_ note: SignedNote, from key: VerifierKey) throws(StoreError) -> Bool {
    try trust(in: key, and: [note]).isTrusted(note)
  }

  /// The size at which `key` handed the log over, according to the published checkpoints; nil if none of them says so.
  /// Cost: as of `trustedKeys(from:)`.
  package func handover(of key: VerifierKey) throws(StoreError) -> UInt64? {
    Handovers(in: try published(), by: [key]).end(of: key)
  }

  private func trust(in key: VerifierKey, and more: [SignedNote] = []) throws(StoreError) -> NoteCheck {
    NoteCheck(identity: identity, pinned: key, published: more + (try published()))
  }

  /// The checkpoints that the store publishes and that can be read.
  private func published() throws(StoreError) -> [SignedNote] {
    var published: [SignedNote] = []
    // An unreadable checkpoint hands nothing over; `verify` reports it.
    if let latest = try layout.readableNote(at: layout.latestCheckpoint, on: disk) { published.append(latest) }
    for size in try layout.checkpointSizes(on: disk) {
      if let note = try? layout.note(at: layout.checkpoint(size), on: disk) { published.append(note) }
    }
    return published
  }
}
