// Which checkpoints a copy trusts: those of the key that its host was enrolled with, and of keys that it handed over
// to.

/// The checkpoints of a copy.
struct MirrorNotes {
  private let layout: StoreLayout
  private let disk: any Disk
  private let pinned: VerifierKey
  /// The checkpoints that hand the log over, in the store and since the last sync.
  private var handovers: [SignedNote] = []
  /// The newest trusted one since the last sync, and where it ends.
  private(set) var newest: (note: SignedNote, end: MirrorPlace)?
  private var unsaved: [SignedNote] = []
  /// The errors of files that should hold checkpoints and could not be read when the copy was opened, and were not
  /// replaced since: nothing is believed of these files, and the rest of the copy counts all the same.
  private(set) var unreadable: [StoreError] = []
  /// The keys trusted by the handovers so far, and the store.json they were read from: its keys are read once.
  private var known: (check: NoteCheck, identity: StoreIdentity, handovers: Int)?

  init(layout: StoreLayout, disk: any Disk, pinned: VerifierKey) throws(StoreError) {
    self.layout = layout
    self.disk = disk
    self.pinned = pinned
    let sizes = try layout.checkpointSizes(on: disk).sorted()
    for path in sizes.map({ layout.checkpoint($0) }) + [layout.latestCheckpoint] {
      do throws(StoreError) {
        guard let note = try layout.note(at: path, on: disk) else { continue }
        if note.nextKey != nil, path != layout.latestCheckpoint { handovers.append(note) }
      } catch {
        guard error.isOfContent else { throw error }
        unreadable.append(Self.problem(error, with: path, isLatest: path == layout.latestCheckpoint))
      }
    }
  }

  /// The error of a checkpoint that cannot be read, with what to do about it.
  private static func problem(_ error: StoreError, with path: String, isLatest: Bool) -> StoreError {
    StoreError(
      error.code, "a checkpoint of this copy cannot be read: \(error.message)", file: path, offset: error.offset,
      advice: isLatest
        ? "the next checkpoint of the host takes its place"
        : "put the file of that name from the host's store there, or move it away if that has none, then start the "
          + "collector again; until then a key that it hands the log over to is not trusted")
  }

  /// True if the enrolled key, or one that it led to, has signed the note.
  func isTrusted(_ note: SignedNote, identity: StoreIdentity) -> Bool {
    NoteCheck(identity: identity, pinned: pinned, published: handovers).isTrusted(note)
  }

  /// The enrolled key, and those that it led to, one after the other.
  var line: [VerifierKey] {
    NoteCheck(identity: StoreIdentity(id: "", origin: pinned.name), pinned: pinned, published: handovers).trusted
  }

  /// The size at which a key handed the log over; nil if no checkpoint that was seen says so.
  func end(of key: VerifierKey) -> UInt64? { Handovers(in: handovers, by: [key]).end(of: key) }

  /// True if each handover that was seen is in the store.
  var isSaved: Bool { unsaved.isEmpty }

  private mutating func check(_ identity: StoreIdentity) -> NoteCheck {
    if let known, known.handovers == handovers.count, known.identity == identity { return known.check }
    let check = NoteCheck(identity: identity, pinned: pinned, published: handovers)
    known = (check, identity, handovers.count)
    return check
  }

  /// Takes in a checkpoint whose root is that of the log.
  ///
  /// - Throws: `malformed` if none of the store's keys has signed it.
  mutating func see(_ note: SignedNote, endingAt end: MirrorPlace, identity: StoreIdentity) throws(StoreError) {
    var check = check(identity)
    // A checkpoint that no trusted key has signed hands nothing over.
    let isHandover = note.nextKey != nil && check.isTrusted(note)
    if isHandover { check = NoteCheck(identity: identity, pinned: pinned, published: handovers + [note]) }
    if let fault = check.fault(of: note) { throw StoreError(.malformed, fault, position: note.size) }
    guard check.isTrusted(note) else { return }
    if isHandover {
      handovers.append(note)
      unsaved.append(note)
    }
    newest = (note, end)
  }

  /// Forgets checkpoints seen since the last sync that cover more than `size` records.
  mutating func forget(over size: UInt64) {
    handovers.removeAll { $0.size > size }
    known = nil
    unsaved.removeAll { $0.size > size }
    if let seen = newest, seen.note.size > size { newest = nil }
  }

  /// Publishes the checkpoints that were seen, durable when it returns. The records that it covers must be synced.
  mutating func save() throws(StoreError) {
    for note in unsaved { try put(note, at: layout.checkpoint(note.size)) }
    unsaved = []
    guard let note = newest?.note else { return }
    let latest = try layout.readableNote(at: layout.latestCheckpoint, on: disk)
    if let latest, latest.size >= note.size { return }
    try put(note, at: layout.latestCheckpoint)
  }

  private mutating func put(_ note: SignedNote, at path: String) throws(StoreError) {
    try disk.replace(path, with: Array(note.text.utf8), in: layout.checkpoints)
    unreadable.removeAll { $0.file == path }
  }
}
