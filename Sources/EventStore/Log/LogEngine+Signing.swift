// Signed checkpoints of the log as it is written.

/// How far the tree that a log is opened with, which its directories state, was compared with its records.
enum TreeCount {
  /// Not yet.
  case open
  /// It was recounted from a size whose root is being compared with a signed one.
  case counted
  /// It is an extension of what was signed before.
  case done
}

extension LogEngine {
  /// Signs the log as it is; see `EventLog.checkpoint`.
  ///
  /// - Parameter pruned: the position before which the caller prunes: an unsigned record may say so.
  func checkpoint(with key: SigningKey, pruningBefore pruned: UInt64 = 0) throws(StoreError) -> SignedNote {
    try withMonitorThrowing { () throws(StoreError) in try refuseWhereClosed() }
    try drain()
    let note = try withRightThrowing { () throws(StoreError) in
      confirmedPruning = max(confirmedPruning, pruned)
      return try sign(with: key)
    }
    withMonitor { planSigning(after: note.size) }
    resumeWaiters(with: nil)
    return note
  }

  /// Sync the records, sign, sync the checkpoint, publish (DESIGN §4). With the right to write.
  func sign(with key: SigningKey) throws(StoreError) -> SignedNote {
    try completeHandover()
    guard key.verifier.name.isSame(as: storedIdentity.origin) else {
      throw StoreError(
        .keyMismatch, "the key is of \(key.verifier.name), the store of \(storedIdentity.origin)", file: layout.root,
        advice: "give the store's own key")
    }
    let text = key.verifier.description
    guard storedIdentity.publicKey?.isSame(as: text) ?? true else {
      throw StoreError(
        .keyMismatch, "the key is not the one that store.json names", file: layout.identity,
        advice: "give the store's own key")
    }
    let size = writer.size
    if case .counted = treeCount { treeCount = .open }
    let claim = try claimSecondPlace(with: key)
    let remembered = try claimMemory(of: key)
    if let last = lastCheckpoint {
      guard last.size <= size else {
        throw StoreError(
          .truncated, "the log has \(size) records, its checkpoint covers \(last.size)", file: layout.root,
          advice: "keep it as evidence and begin a store with a new origin")
      }
      if last.size == size, last.root == writer.frontier.root, last.standing(with: key.verifier) == .valid {
        try remember(last, by: key, under: remembered)
        keep(last, under: claim)
        return last
      }
    }
    try completeCount(with: key)
    try refuseUntoldPruning(by: key)
    try writer.sync()
    // If the process ended after signing and before publishing, that checkpoint is published now.
    let known = remembered?.entry?.note
    let note =
      if let known, known.size == size, known.nextKey == nil, known.standing(with: key.verifier) == .valid {
        known
      } else {
        try SignedNote(origin: storedIdentity.origin, size: size, root: writer.frontier.root, signedBy: key)
      }
    if storedIdentity.publicKey == nil {
      var named = storedIdentity
      named.publicKey = text
      try named.save(to: layout, on: disk)
      storedIdentity = named
    }
    // From here on the log never gets smaller: all its records are durable, and the next signing detects it if any are
    // gone.
    try remember(note, by: key, under: remembered)
    try disk.replace(layout.checkpoint(size), with: Array(note.text.utf8), in: layout.checkpoints)
    try writer.append(note)
    try disk.replace(layout.latestCheckpoint, with: Array(note.text.utf8), in: layout.checkpoints)
    lastCheckpoint = note
    keep(note, under: claim)
    let folder = CheckpointFolder(layout: layout, disk: disk, catalog: catalog)
    folder.thin(signedBy: key.verifier) { size throws(StoreError) in try self.root(at: size) }
    observer.signed(size: size)
    return note
  }

  // MARK: What the key remembers

  /// What the key has signed so far, after checking that it is this log's past; nil for a key that remembers nothing.
  /// With the right to write.
  func claimMemory(of key: SigningKey) throws(StoreError) -> SignerMemory.Claim? {
    guard let memory = key.memory else { return nil }
    let claim = try memory.claim()
    try claim.entry?.check(storedIdentity, key: key.verifier, size: writer.size, file: memory.file) {
      size throws(StoreError) in try root(at: size)
    }
    return claim
  }

  /// Writes down what is signed, durable when it returns. With the right to write.
  func remember(_ note: SignedNote, by key: SigningKey, under claim: SignerMemory.Claim?) throws(StoreError) {
    guard let memory = key.memory, let claim, claim.entry?.note != note || claim.entry?.store == nil else {
      return
    }
    try memory.put(.init(store: storedIdentity.id, note: note), under: claim)
  }

  /// The root of the first `size` records. Recomputed from the records until the first signature, as is everything
  /// after it. With the right to write.
  private func root(at size: UInt64) throws(StoreError) -> TreeHash {
    if size == writer.size {
      if case .open = treeCount { treeCount = .counted }
      return writer.frontier.root
    }
    if case .done = treeCount { return try RootLookup(layout: layout, disk: disk).frontier(at: size).root }
    let count = try TreeRecount(of: layout, on: disk, from: size, to: writer.size)
    guard count.frontier == writer.frontier else {
      throw StoreError(
        .altered, "the records behind \(size) do not lead to the tree that the log states", file: layout.root,
        position: size,
        advice: "run auditctl verify, and keep the store as evidence")
    }
    try refuseUnsigned(count.told, behind: size)
    treeCount = .counted
    return count.root
  }

  /// Throws `altered` if records behind the first `size`, which no signature covers, say what was pruned. A pruning
  /// signs its record at once, so that only one that was interrupted leaves such a record, or an attacker, to remove
  /// signed records once the next signature covers it. This program's own ones follow its first signature.
  private func refuseUnsigned(
    _ told: [(record: PrunedRecord, at: UInt64)], behind size: UInt64
  ) throws(StoreError) {
    let verified = max(size, storedIdentity.restoredFrom.last?.size ?? 0)
    let unsigned = told.filter { $0.at >= verified && $0.record.before > confirmedPruning }
    guard let first = unsigned.max(by: { $0.record.before < $1.record.before }),
      try first.record.before > ToldPruning(layout: layout, disk: disk).before(within: verified)
    else { return }
    throw StoreError(
      .altered,
      "record \(first.at), which nothing has signed, says that the records before \(first.record.before) were pruned",
      file: layout.root, position: first.at,
      advice: "if you began to prune them, go on with auditctl prune --before \(first.record.before); otherwise keep "
        + "the store as evidence")
  }

  /// Checks that the records lead to the tree that will be signed, from the latest signed size on, or from the
  /// beginning if nothing was signed. With the right to write, after comparing what the key and the second place know.
  ///
  /// - Throws: `altered`, `forked`.
  func completeCount(with key: SigningKey) throws(StoreError) {
    if case .done = treeCount { return }
    let last = lastCheckpoint.flatMap { $0.standing(with: key.verifier) == .valid ? $0 : nil }
    if case .open = treeCount {
      let root = try root(at: last?.size ?? 0)
      guard root == last?.root ?? MerkleTree.empty else {
        throw StoreError(
          .forked, "the log is forked: its root at \(last?.size ?? 0) records is not the one of its checkpoint",
          file: layout.root, position: last?.size, advice: "keep the store as evidence, and begin one with a new origin"
        )
      }
    }
    treeCount = .done
  }

  /// Throws `altered` if a signature would vouch for a removal of records that no signed record states. Prunings of a
  /// log before this store was restored from it have been verified then. With the right to write.
  func refuseUntoldPruning(by key: SigningKey) throws(StoreError) {
    let signed = lastCheckpoint.flatMap { $0.standing(with: key.verifier) == .valid ? $0.size : nil } ?? 0
    try ToldPruning(layout: layout, disk: disk).refuseUntold(
      within: max(signed, storedIdentity.restoredFrom.last?.size ?? 0), knowing: catalog)
  }

  // MARK: The second place

  /// The lock on the second place, after checking that its content is this log's past. Nil if there is none, or if it
  /// cannot be reached, which is reported. With the right to write.
  func claimSecondPlace(with key: SigningKey) throws(StoreError) -> SecondPlace.Claim? {
    guard let place = secondPlace else { return nil }
    let claim: SecondPlace.Claim
    do throws(StoreError) {
      claim = try place.claim()
    } catch {
      guard error.isPlaceUnreachable else { throw error }
      observer.checkpointFailed(error)
      return nil
    }
    if let found = claim.found {
      try place.compare(found, size: writer.size, key: key.verifier, identity: storedIdentity) {
        size throws(StoreError) in try root(at: size)
      }
    }
    return claim
  }

  /// Puts a checkpoint at the second place, if it was claimed; a failure is reported. With the right to write.
  func keep(_ note: SignedNote, under claim: SecondPlace.Claim?) {
    guard let claim, let place = secondPlace else { return }
    do throws(StoreError) { try place.put(note, under: claim) } catch { observer.checkpointFailed(error) }
  }

  private var secondPlace: SecondPlace? {
    schedule?.also.map { SecondPlace(directory: $0, origin: storedIdentity.origin, disk: disk) }
  }

  // MARK: The schedule

  /// When the next checkpoint is due, in milliseconds of `now`; nil if there is nothing to sign. With the lock.
  var signingDue: UInt64? {
    guard schedule != nil, !closed, signedSize < written else { return nil }
    return written >= signSize ? 0 : signAt
  }

  func signingIsDue(at now: UInt64) -> Bool { signingDue.map { now >= $0 } ?? false }

  /// Plans the next checkpoint after one of `size` records; without a size, after one that just failed. With the lock,
  /// or before there are other threads.
  func planSigning(after size: UInt64?) {
    guard let schedule else { return }
    if let size { signedSize = max(signedSize, size) }
    signAt = .max
    if let every = schedule.every {
      let parts = every.components
      let milliseconds = min(max(parts.seconds, 0), 1 << 40) * 1_000 + parts.attoseconds / 1_000_000_000_000_000
      signAt = Self.now() + UInt64(max(milliseconds, 100))
    }
    signSize =
      schedule.everyRecords.map {
        (size == nil ? written : signedSize).addingReportingOverflow(max($0, 1)).partialValue
      }
      ?? .max
  }

  /// Signs what is due. Most is synced before, without holding up writers. Called with the lock; releases it meanwhile.
  func signOnThread() {
    guard let scheduledKey else { return }
    if !writing, synced < written { syncOnThread() }
    monitor.unlock()
    do throws(StoreError) {
      _ = try checkpoint(with: scheduledKey)
    } catch {
      withMonitor { planSigning(after: nil) }
      // The thread that is closing the log signs it.
      if error.code != .closed { observer.checkpointFailed(error) }
    }
    monitor.lock()
  }
}
