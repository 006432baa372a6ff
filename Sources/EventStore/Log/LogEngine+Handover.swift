// One key hands the log over to the next: a checkpoint that names the new key and is signed by both.
import Foundation

/// Held while a log is handed over, by one thread of the process at a time: the next one finds the key that the store
/// has then, before it records anything.
private let handingOver = NSLock()

extension LogEngine {
  /// Hands the log over; see `EventLog.handOver`.
  func handOver(from old: SigningKey, to new: SigningKey, at time: Timestamp) throws(StoreError) -> SignedNote {
    handingOver.lock()
    defer { handingOver.unlock() }
    try withMonitorThrowing { () throws(StoreError) in try refuseWhereClosed() }
    // Before the log records another key, so that a refusal leaves no record.
    try withRightThrowing { () throws(StoreError) in
      try completeHandover()
      try checkHandover(from: old, to: new, identity: storedIdentity)
      _ = try claimSecondPlace(with: old)
      for key in [old, new] { _ = try claimMemory(of: key) }
      try refuseUntoldPruning(by: old)
    }
    let data = "{\"from\":\"\(old.verifier)\",\"to\":\"\(new.verifier)\"}"
    // So that no two handovers have the same size, and the log records each.
    _ = try append(
      [NewRecord(at: time, stream: Envelope.ownStream, type: OwnRecords.rekeyed, data: Array(data.utf8))],
      expecting: .any)
    try drain()
    let note = try withRightThrowing { () throws(StoreError) in try signHandover(from: old, to: new) }
    withMonitor { planSigning(after: note.size) }
    resumeWaiters(with: nil)
    return note
  }

  /// Completes a handover of which a failing disk took `latest` and not all of the rest: the old key must not sign
  /// again. With the right to write.
  func completeHandover() throws(StoreError) {
    if let next = lastCheckpoint?.nextKey, storedIdentity.publicKey?.isSame(as: next.description) == false {
      storedIdentity = try storedIdentity.completingHandover(in: layout, on: disk)
    }
    try writer.writeHandover()
  }

  private func checkHandover(
    from old: SigningKey, to new: SigningKey, identity: StoreIdentity
  ) throws(StoreError) {
    func fail(_ what: String, _ advice: String) -> StoreError {
      StoreError(.keyMismatch, what, file: layout.identity, advice: advice)
    }
    guard identity.publicKey?.isSame(as: old.verifier.description) == true else {
      throw fail(
        identity.publicKey == nil ? "the store has no key yet" : "the old key is not the one that store.json names",
        identity.publicKey == nil ? "sign a checkpoint with the key that it is to have" : "give the store's own key")
    }
    guard new.verifier.name.isSame(as: identity.origin) else {
      throw fail("the new key is of \(new.verifier.name), the store of \(identity.origin)", "make one of that name")
    }
    let used = [old.verifier.description] + identity.retiredKeys.map(\.key)
    guard !used.contains(new.verifier.description) else {
      throw fail("the new key has signed this log before", "make a new one")
    }
  }

  /// As `sign` does, but `latest` is written first: from then on the log is handed over. If the rest fails, the next
  /// signing or opening completes it, and the NOTE precedes the next record.
  private func signHandover(from old: SigningKey, to new: SigningKey) throws(StoreError) -> SignedNote {
    try checkHandover(from: old, to: new, identity: storedIdentity)
    let size = writer.size
    if case .counted = treeCount { treeCount = .open }
    let claim = try claimSecondPlace(with: old)
    let (oldMemory, newMemory) = (try claimMemory(of: old), try claimMemory(of: new))
    if let last = lastCheckpoint, last.size > size {
      throw StoreError(
        .truncated, "the log has \(size) records, its checkpoint covers \(last.size)", file: layout.root,
        advice: "keep it as evidence and begin a store with a new origin")
    }
    try completeCount(with: old)
    try refuseUntoldPruning(by: old)
    try writer.sync()
    let note = try SignedNote(
      origin: storedIdentity.origin, size: size, root: writer.frontier.root, from: old, to: new)
    try remember(note, by: old, under: oldMemory)
    try remember(note, by: new, under: newMemory)
    var failure: StoreError?
    do throws(StoreError) {
      try disk.replace(layout.latestCheckpoint, with: Array(note.text.utf8), in: layout.checkpoints)
    } catch {
      // If only the sync of the directory failed, the next opening finds the note.
      guard (try? layout.latestCheckpoint(on: disk)) == note else { throw error }
      failure = error
    }
    lastCheckpoint = note
    writer.owedHandover = note
    // From here on the log refuses the old key, even if the rest fails.
    withMonitor {
      guard scheduledKey?.verifier == old.verifier else { return }
      scheduledKey = new
    }
    if let failure { throw failure }
    try completeHandover()
    keep(note, under: claim)
    observer.signed(size: size)
    return note
  }
}

extension SegmentWriter {
  /// Writes the NOTE of the handover that the latest checkpoint states, if the log ends where its place is and does not
  /// have it: a crash or a failing disk came between. What was found at opening must be settled.
  func completeHandover(_ latest: SignedNote?, knowing catalog: SegmentCatalog) throws(StoreError) {
    guard let note = latest.flatMap({ identity.handover(in: $0) }) else { return }
    let folder = CheckpointFolder(layout: layout, disk: disk, catalog: catalog)
    // If a segment cannot be read, the NOTE is written again, which is no fault.
    if note.size == size, (try? folder.isInSegment(note)) != true {
      owedHandover = note
      try writeHandover()
    } else {
      handover = note
    }
  }
}

extension StoreIdentity {
  /// The note of the handover to the key that store.json names, as the two keys signed it, if `latest` is that note. A
  /// witness may have signed it since.
  fileprivate func handover(in latest: SignedNote) -> SignedNote? {
    guard latest.origin.isSame(as: origin), let next = latest.nextKey,
      publicKey?.isSame(as: next.description) == true, let retired = retiredKeys.last, retired.until == latest.size,
      let old = try? VerifierKey(text: retired.key)
    else { return nil }
    return latest.limited(toSignaturesOf: [old, next])
  }

  /// The identity after the handover that the latest checkpoint states, if it states one that store.json does not know
  /// yet; store.json and the checkpoint's file are written then. Else the same identity.
  func completingHandover(in layout: StoreLayout, on disk: any Disk) throws(StoreError) -> StoreIdentity {
    guard let text = publicKey, let key = try? VerifierKey(text: text),
      let note = try layout.latestCheckpoint(on: disk), note.origin.isSame(as: origin), let next = note.nextKey,
      next != key, !retiredKeys.contains(where: { $0.key.isSame(as: next.description) }),
      note.standing(with: key) == .valid, note.standing(with: next) == .valid
    else { return self }
    try disk.replace(layout.checkpoint(note.size), with: Array(note.text.utf8), in: layout.checkpoints)
    var named = self
    named.retiredKeys.append(RetiredKey(key: text, until: note.size))
    named.publicKey = next.description
    try named.save(to: layout, on: disk)
    return named
  }
}
