// A copy of the latest checkpoint, in a place that the log's writer can write to but an attacker who can alter the
// store perhaps cannot.

/// A second place for the latest checkpoint of a log: `<origin>.checkpoint` in a directory, one file a log.
///
/// It is compared before it is replaced: it must hold a checkpoint of the same key over an earlier size, or this one,
/// of this very log. If it holds a larger one, the log was cut or an older copy put back; if it holds another root, the
/// log was rewritten. Then nothing is signed any more.
struct SecondPlace {
  private let place: ClaimedFile

  /// The file.
  var file: String { place.path }

  /// The second place for the log of that origin, in an existing directory.
  init(directory: String, origin: String, disk: any Disk) {
    place = ClaimedFile(path: directory + "/" + FileName.name(of: origin) + ".checkpoint", disk: disk)
  }

  /// The content of the place before a checkpoint is put there. Locks out other writers while it exists.
  struct Claim {
    fileprivate let lock: ClaimedFile.Claim
    /// The checkpoint that stands there.
    let found: SignedNote?
  }

  /// Locks the place and reads what stands there.
  ///
  /// - Throws: `locked`, `malformed` if it is no checkpoint, and what the disk throws.
  func claim() throws(StoreError) -> Claim {
    let lock = try place.claim("another writer is at the second place")
    return Claim(
      lock: lock, found: try lock.content.map { bytes throws(StoreError) in try SignedNote(bytes: bytes, of: file) })
  }

  /// Throws if the log is not the one, or less than the one, that the checkpoint found there states: `keyMismatch`,
  /// `truncated`, `forked`. It may be signed by a key that the store has retired. `root` gives the log's root at a size
  /// that it has.
  func compare(
    _ found: SignedNote, size: UInt64, key: VerifierKey, identity: StoreIdentity,
    root: (UInt64) throws(StoreError) -> TreeHash
  ) throws(StoreError) {
    try SignedPast(note: found, file: file, knower: "the second place").check(
      size: size, keys: [key] + identity.keysRetired(after: found.size), root: root)
  }

  /// Puts a checkpoint there, durable when it returns. The claim must be held.
  func put(_ note: SignedNote, under claim: Claim) throws(StoreError) {
    guard claim.found != note else { return }
    try place.put(Array(note.text.utf8), under: claim.lock)
  }

  /// Removes what is left of a checkpoint that was being put there. The claim must be held.
  func removeDraft(under claim: Claim) { place.removeDraft(under: claim.lock) }
}

extension StoreError {
  /// True if a second place cannot be reached right now; false if its content is evidence.
  var isPlaceUnreachable: Bool {
    switch code {
    case .notFound, .permission, .cannotCreate, .io, .noSpace, .locked: true
    default: false
    }
  }
}
