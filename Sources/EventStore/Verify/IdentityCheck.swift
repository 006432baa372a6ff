/// Checks `store.json`: readers show it, and keys are taken from it. It is not signed; whatever the log or a checkpoint
/// also states must agree.
struct IdentityCheck {
  let identity: StoreIdentity
  let notes: NoteCheck
  let pinnedKey: VerifierKey?
  /// The checkpoints that the store publishes.
  let published: [SignedNote]
  /// The first positions of the segments.
  let segments: [UInt64]

  /// The sizes at which the log's root is stated there.
  static func sizes(of identity: StoreIdentity) -> [UInt64] {
    var sizes = identity.restoredFrom.map(\.size) + [identity.backup?.size].compactMap { $0 }
    for before in identity.restoredFrom {
      if let note = before.checkpoint.flatMap({ try? SignedNote(text: $0) }) { sizes.append(note.size) }
    }
    return sizes
  }

  private func finding(_ kind: VerifyReport.Verdict, _ message: String, at position: UInt64? = nil)
    -> VerifyReport.Finding
  {
    .init(kind: kind, segment: "store.json", offset: nil, position: position, message: message)
  }

  // MARK: Keys

  /// The faults of the keys.
  func keyFindings() -> [VerifyReport.Finding] {
    var found: [VerifyReport.Finding] = []
    let all = identity.restoredFrom.map { ($0.publicKey, $0.origin) } + [(identity.publicKey, identity.origin)]
    for (text, origin) in all {
      guard let text else { continue }
      guard let named = VerifierKey(exactly: text) else {
        found.append(finding(.badSignature, "store.json names a key that is none."))
        continue
      }
      if !named.name.isSame(as: origin) {
        found.append(
          finding(.badSignature, "store.json names key \(named.hashText) of \(named.name) for \(origin)."))
      }
      if let pinnedKey, !notes.accepts(named) || !identity.isOf(pinnedKey.name) {
        found.append(
          finding(
            .badSignature, "store.json names key \(named.hashText), key \(pinnedKey.hashText) is pinned."))
      }
    }
    if identity.publicKey == nil, published.contains(where: isOwn) {
      found.append(finding(.altered, "store.json names no key, and there are checkpoints of \(identity.origin)."))
    }
    return found + identity.retiredKeys.compactMap(retiredFinding) + omittedHandovers()
  }

  /// True if a checkpoint is of this store's own origin, not of that of a store before it.
  private func isOwn(_ note: SignedNote) -> Bool { note.origin.isSame(as: identity.origin) }

  private func retiredFinding(_ retired: RetiredKey) -> VerifyReport.Finding? {
    guard let key = VerifierKey(exactly: retired.key) else {
      return finding(.badSignature, "store.json names a retired key that is none.")
    }
    guard let size = notes.handovers.end(of: key), size != retired.until else { return nil }
    return finding(
      .altered, "store.json says that key \(key.hashText) was retired at \(retired.until), it handed over at \(size).",
      at: size)
  }

  /// The handovers of this log that no entry of `retiredKeys` reports.
  private func omittedHandovers() -> [VerifyReport.Finding] {
    let reported = Set(
      identity.retiredKeys.compactMap { retired in
        VerifierKey(exactly: retired.key).flatMap { notes.handovers.end(of: $0) }
      })
    // store.json may be older than the handover of its key: after a crash, or in a copy that has not received it yet.
    let end = identity.publicKey.flatMap { VerifierKey(exactly: $0) }.flatMap { notes.handovers.end(of: $0) } ?? .max
    var sizes: Set<UInt64> = []
    return notes.handovers.notes.compactMap { note, _ in
      // A checkpoint in two files is reported once.
      guard isOwn(note), !reported.contains(note.size), note.size < end, sizes.insert(note.size).inserted else {
        return nil
      }
      return finding(
        .altered, "store.json names no key that was retired at \(note.size), where the log was handed over.",
        at: note.size)
    }
  }

  // MARK: Members

  /// The members that `store.json` may have, by the member that they stand in.
  private static let members: [String: Set<String>] = [
    "": ["format", "id", "origin", "publicKey", "retiredKeys", "restoredFrom", "backup"],
    "retiredKeys": ["key", "until"],
    "restoredFrom": ["store", "origin", "size", "root", "publicKey", "checkpoint"],
    "backup": ["at", "size", "root"],
  ]

  /// One finding for each unknown member: a reader would overlook a member under another name.
  static func strangers(in layout: StoreLayout, on disk: any Disk) throws(StoreError) -> [VerifyReport.Finding] {
    strangers(in: try disk.contents(of: layout.identity, limit: 1 << 20)).map {
      .init(
        kind: .altered, segment: "store.json", offset: nil, position: nil,
        message: "It has a member \($0), which no store has, or has once."
      )
    }
  }

  /// The names of the members of a `store.json` that no store has, or that it has had before.
  static func strangers(in bytes: [UInt8]) -> [String] {
    guard let whole = try? JSON(parsing: bytes) else { return [] }
    var strange = strangers(in: whole, of: "")
    for name in ["retiredKeys", "restoredFrom", "backup"] {
      for part in whole[name]?.array ?? [whole[name] ?? .null] { strange += strangers(in: part, of: name) }
    }
    return strange
  }

  private static func strangers(in json: JSON, of name: String) -> [String] {
    var seen: Set<String> = []
    return (json.object?.members ?? []).map(\.key)
      .filter { key in
        // Compared byte by byte: programs do not find a member whose name only looks the same.
        !seen.insert(key).inserted || !(members[name] ?? []).contains { $0.utf8.elementsEqual(key.utf8) }
      }
  }

  // MARK: Where it came from

  /// Whether a checkpoint says that there were records.
  private var isBegun: Bool { published.contains { isOwn($0) && $0.size > 0 } }

  /// The faults in the statements about the stores that this one was restored from, and in its backup mark. If a log
  /// was smaller than its last checkpoint when it was restored, an auditor who pins the key of that checkpoint still
  /// finds it truncated.
  func pastFindings(_ check: LogCheck) -> [VerifyReport.Finding] {
    var found = identity.restoredFrom.flatMap { findings(of: $0, check) }
    if segments.isEmpty, found.isEmpty {
      found.append(
        .init(
          kind: isBegun ? .missingSegment : .ok, segment: "segments", offset: nil, position: 0,
          message: "There is no segment: the making of the store was cut off, or they are gone."))
    }
    if let backup = identity.backup {
      if backup.size > check.reach {
        found.append(
          .init(
            kind: .truncated, segment: nil, offset: nil, position: check.reach,
            message: "The backup was of \(backup.size) records, \(check.reach) are there."))
      } else if let root = check.roots[backup.size], root.description != backup.root {
        found.append(finding(.altered, "It says another root of the backup's records.", at: backup.size))
      }
      if backup.size < check.intact.size {
        let message = "The backup was of \(backup.size) records, and \(check.intact.size) are there."
        found.append(finding(.altered, message, at: backup.size))
      }
    }
    return found
  }

  private func findings(of before: StoreOrigin, _ check: LogCheck) -> [VerifyReport.Finding] {
    var found: [VerifyReport.Finding] = []
    if before.size > check.reach {
      found.append(
        finding(
          .truncated, "It was restored with \(before.size) records, \(check.reach) are there.", at: check.reach))
    } else if before.size == check.reach {
      // A restored store is complete before it gets its name, and its own first record states where it came from.
      let message = "It was restored with \(before.size) records, and the record that says so is gone."
      found.append(finding(.truncated, message, at: before.size))
    } else if let root = check.roots[before.size], root.description != before.root {
      found.append(finding(.altered, "It says another root of the records that were restored.", at: before.size))
    } else if !segments.contains(before.size) {
      let message = "The segment that the restored store began after \(before.size) records is not there."
      found.append(finding(.missingSegment, message, at: before.size))
    }
    guard let text = before.checkpoint else { return found }
    guard let note = try? SignedNote(text: text), let key = before.publicKey.flatMap({ try? VerifierKey(text: $0) }),
      note.origin.isSame(as: before.origin), note.standing(with: key) == .valid
    else {
      return found + [finding(.badSignature, "It holds a checkpoint of \(before.origin) that its key has not signed.")]
    }
    if let end = notes.handovers.end(of: key), note.size > end {
      let message = "It holds a checkpoint of \(note.size) records by a key that was retired at \(end)."
      return found + [finding(.badSignature, message, at: note.size)]
    }
    if note.size > before.size {
      if pinnedKey != nil, notes.isTrusted(note) {
        let message = "The pinned key signed \(note.size) records of \(before.origin), \(before.size) were restored."
        found.append(finding(.truncated, message, at: before.size))
      }
    } else if let root = check.roots[note.size], root != note.root {
      found.append(finding(.forked, "Its checkpoint of \(note.size) records states another root.", at: note.size))
    }
    return found
  }
}
