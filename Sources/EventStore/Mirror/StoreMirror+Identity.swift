// Which store.json a copy takes. It is not signed, and what carries it is not trusted: it must agree with the key that
// the host was enrolled with, with the handovers of that key, and with the records of the copy.

extension StoreMirror {
  /// Takes `store.json`.
  ///
  /// As long as the copy has no segment, or no trusted checkpoint covers a record, a later one may say something else
  /// about where the store came from: the first one that arrives may be forged.
  ///
  /// - Returns: `gap` if it names a key to which the log is handed over by a checkpoint that is not here, or is not
  ///   synced yet (see `takeWaitingIdentity`); `known` also if it is older than the one here; `conflict` if it is not
  ///   one of this store, or contradicts the enrolled key, the handovers or the copy. It is then kept as evidence.
  package func take(identity bytes: [UInt8], of store: String) throws(StoreError) -> MirrorOutcome {
    if let known = try? disk.contents(of: layout.identity, limit: Self.longestIdentity), known == bytes {
      return .known
    }
    let standing: Standing
    let said: StoreIdentity
    do throws(StoreError) {
      guard bytes.count <= Self.longestIdentity, let found = StoreIdentity(bytes: bytes), found.id.isSame(as: store),
        found.backup == nil
      else { throw Self.fault("is not one of this store") }
      said = found
      guard IdentityCheck.strangers(in: bytes).isEmpty else {
        throw Self.fault("has a member that no store has, or has it twice")
      }
      standing = try self.standing(of: said)
    } catch {
      guard error.isOfContent else { throw error }
      try keep(bytes[...], at: .start, as: "message")
      return .conflict(reason: error.message, isFork: false)
    }
    switch standing {
    case .older: return .known
    case .waits where current != nil:
      waitingIdentity = bytes
      return .gap
    case .waits, .fits:
      try disk.replace(layout.identity, with: bytes, in: layout.root)
      (identity, waitingIdentity) = (said, nil)
      return .applied
    }
  }

  /// Takes the last `store.json` that came before its handover, if that has been synced since; nil if there is none.
  package func takeWaitingIdentity() throws(StoreError) -> MirrorOutcome? {
    guard let bytes = waitingIdentity, let store = identity?.id else { return nil }
    waitingIdentity = nil
    return try take(identity: bytes, of: store)
  }

  /// Readers of stores read no more.
  private static let longestIdentity = 1 << 20

  /// How a `store.json` stands to the copy.
  private enum Standing {
    case fits
    /// A handover that it names has not arrived, or is not synced.
    case waits
    /// The host has handed its log over, or signed it first, since.
    case older
  }

  private static func fault(_ what: String) -> StoreError { StoreError(.malformed, "store.json \(what)") }

  /// Throws `malformed` if an identity contradicts the copy.
  private func standing(of said: StoreIdentity) throws(StoreError) -> Standing {
    let keys = try SaidKeys(of: said, pinned: pinned)
    try check(keys)
    try checkPast(of: said, keys)
    let line = notes.line
    if keys.line.isEmpty { return signed == nil && line.count == 1 ? .fits : .older }
    if keys.line.count < line.count { return .older }
    return keys.line.count > line.count || keys.line.count > 1 && !notes.isSaved ? .waits : .fits
  }

  /// Throws `malformed` if keys are not those that the handovers in the copy say.
  private func check(_ keys: SaidKeys) throws(StoreError) {
    if let last = keys.previous { try checkEnd(of: last.key, at: last.end) }
    let line = notes.line
    for (index, key) in keys.line.enumerated() where index < line.count {
      guard key == line[index] else {
        throw Self.fault("names key \(key.hashText), and the log was handed over to key \(line[index].hashText)")
      }
      if index < keys.ends.count { try checkEnd(of: key, at: keys.ends[index]) }
    }
  }

  /// Throws `malformed` if a key did not hand the log over at a size.
  private func checkEnd(of key: VerifierKey, at size: UInt64) throws(StoreError) {
    // A handover that has not arrived may still come, and one that cannot be read may be right.
    let found = notes.end(of: key)
    guard found == nil ? self.size <= size || !unreadable.isEmpty : found == size else {
      throw Self.fault("says that key \(key.hashText) was retired at \(size), and no checkpoint says so")
    }
  }

  // MARK: Where the store came from

  /// Throws `malformed` if what an identity says of the store's past is not so, or is not what the one here says.
  private func checkPast(of said: StoreIdentity, _ keys: SaidKeys) throws(StoreError) {
    guard current != nil, let known = identity else { return }
    let knownKeys = try? SaidKeys(of: known, pinned: pinned)
    // One that names no key says nothing of earlier keys yet.
    let comparesKeys = knownKeys?.line.isEmpty == false && !keys.line.isEmpty
    if Self.past(of: said) == Self.past(of: known), !comparesKeys || keys.earlier == knownKeys?.earlier { return }
    if let fault = try contradiction(of: said) { throw fault }
    // What was here first counts only if nothing speaks against it.
    guard signed != nil, let knownKeys, (try? check(knownKeys)) != nil, try contradiction(of: known) == nil else {
      return
    }
    throw Self.fault("says something else about the store's past than the one that was here before")
  }

  /// What an identity says that stays the same for all time, except for keys.
  private static func past(of identity: StoreIdentity) -> [ByteName] {
    var said = [identity.origin, "\(identity.format)"]
    for before in identity.restoredFrom {
      said += [before.store, before.origin, "\(before.size)", before.root]
      said += [before.publicKey, before.checkpoint].map { $0.map { "+" + $0 } ?? "" }
    }
    return said.map { ByteName($0) }
  }

  /// How an identity contradicts the headers and the records of the copy, or itself; nil if it does not. What cannot be
  /// read contradicts nothing: other checks find it. Cost: a look at the beginning of each segment.
  private func contradiction(of said: StoreIdentity) throws(StoreError) -> StoreError? {
    for before in said.restoredFrom {
      guard let text = before.checkpoint else { continue }
      guard let note = try? SignedNote(text: text), note.origin.isSame(as: before.origin),
        let key = before.publicKey.flatMap({ VerifierKey(exactly: $0) }), note.standing(with: key) == .valid
      else { return Self.fault("has a checkpoint that the key beside it has not signed") }
    }
    do throws(StoreError) {
      let segments = try layout.segmentList(on: disk)
      for first in segments {
        let header = try SegmentHeader(of: first, in: layout, on: disk)
        let writer = said.writer(ofSegment: first)
        guard header.store.isSame(as: writer.id), header.origin.isSame(as: writer.origin) else {
          return Self.fault("names another writer of segment \(first) than that segment does")
        }
      }
      let restoredAt = Set(said.restoredFrom.map(\.size).filter { $0 < size })
      guard restoredAt.isSubset(of: segments) else {
        return Self.fault("says that the store was restored where no segment of it begins")
      }
      let (reader, check) = (try LogReader(directory: directory, disk: disk), OwnRecordCheck(identity: said))
      for position in restoredAt.union([0]).sorted() where position < size {
        let record: StoredRecord?
        do throws(StoreError) {
          var cursor = try reader.cursor(from: position)
          record = try cursor.next()
        } catch {
          guard error.code == .pruned else { throw error }
          continue
        }
        if check.fault(of: record?.stream == Envelope.ownStream ? record : nil, at: position) != nil {
          return Self.fault("says something else about the store's past than record \(position)")
        }
      }
      return nil
    } catch {
      guard error.isOfContent || error.code == .pruned || error.code == .missingSegment else { throw error }
      return nil
    }
  }
}

/// The keys of a `store.json`, as seen from the key that the host was enrolled with.
private struct SaidKeys {
  /// Keys of the stores that it was restored from, and those that had handed over before the enrolled key signed.
  private(set) var earlier: [RetiredKey] = []
  /// The key that handed over to the enrolled one, and at which size; nil if there is none.
  private(set) var previous: (key: VerifierKey, end: UInt64)?
  /// The enrolled key and those that followed it; empty if the store names no key yet.
  private(set) var line: [VerifierKey] = []
  /// The sizes at which they handed over: all but the last have.
  private(set) var ends: [UInt64] = []

  /// Throws `malformed` if one of them is none, or could not have signed this log, or if the enrolled one is not there.
  init(of identity: StoreIdentity, pinned: VerifierKey) throws(StoreError) {
    func fault(_ what: String) -> StoreError { StoreError(.malformed, "store.json \(what)") }
    var own: [(key: VerifierKey, retired: RetiredKey)] = []
    for retired in identity.retiredKeys {
      guard let key = VerifierKey(exactly: retired.key) else { throw fault("names a retired key that is none") }
      if key.name.isSame(as: identity.origin) {
        own.append((key, retired))
      } else if identity.restoredFrom.contains(where: { key.name.isSame(as: $0.origin) }) {
        earlier.append(retired)
      } else {
        throw fault("names a retired key of another log")
      }
    }
    guard let text = identity.publicKey else {
      guard own.isEmpty, pinned.name.isSame(as: identity.origin) else {
        throw fault("names no key, and is of another log than the enrolled key or retires keys")
      }
      return
    }
    guard let key = VerifierKey(exactly: text), key.name.isSame(as: identity.origin) else {
      throw fault("names a key that is not one of its log")
    }
    let keys = own.map { $0.key } + [key]
    guard let start = keys.firstIndex(of: pinned) else {
      throw fault("names key \(key.hashText), and key \(pinned.hashText) is enrolled")
    }
    earlier += own[..<start].map { $0.retired }
    if start > 0 { previous = (own[start - 1].key, own[start - 1].retired.until) }
    line = Array(keys[start...])
    ends = own[start...].map { $0.retired.until }
  }
}
