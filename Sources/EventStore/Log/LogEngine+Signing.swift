// Signed checkpoints of the log as it is written.

extension LogEngine {
  /// Signs the log as it is; see `EventLog.checkpoint`.
  func checkpoint(with key: SigningKey) throws(StoreError) -> SignedNote {
    try withMonitorThrowing { () throws(StoreError) in try refuseWhereClosed() }
    try drain()
    let note = try withRightThrowing { () throws(StoreError) in try sign(with: key) }
    resumeWaiters(with: nil)
    return note
  }

  /// Sync the records, sign, sync the checkpoint, publish (DESIGN §4). With the right to write.
  func sign(with key: SigningKey) throws(StoreError) -> SignedNote {
    guard key.verifier.name == storedIdentity.origin else {
      throw StoreError(
        .keyMismatch, "the key is of \(key.verifier.name), the store of \(storedIdentity.origin)", file: layout.root,
        advice: "give the store's own key")
    }
    let text = key.verifier.description
    guard storedIdentity.publicKey == nil || storedIdentity.publicKey == text else {
      throw StoreError(
        .keyMismatch, "the key is not the one that store.json names", file: layout.identity,
        advice: "give the store's own key")
    }
    let size = writer.size
    if let last = lastCheckpoint {
      guard last.size <= size else {
        throw StoreError(
          .truncated, "the log has \(size) records, its checkpoint covers \(last.size)", file: layout.root,
          advice: "keep it as evidence and begin a store with a new origin")
      }
      if last.size == size, last.root == writer.frontier.root, last.standing(with: key.verifier) == .valid {
        return last
      }
    }
    try writer.sync()
    let note = try SignedNote(
      origin: storedIdentity.origin, size: size, root: writer.frontier.root, signedBy: key)
    if storedIdentity.publicKey == nil {
      var named = storedIdentity
      named.publicKey = text
      try named.save(to: layout, on: disk)
      storedIdentity = named
    }
    try disk.replace(layout.checkpoint(size), with: Array(note.text.utf8), in: layout.checkpoints)
    try writer.append(note)
    try disk.replace(layout.latestCheckpoint, with: Array(note.text.utf8), in: layout.checkpoints)
    lastCheckpoint = note
    return note
  }
}
