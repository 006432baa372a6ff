// A copy of the latest checkpoint, where the log's writer may put it and whoever can alter the store perhaps cannot.

/// A second place for the latest checkpoint of a log: `<origin>.checkpoint` in a directory, one file a log.
///
/// It is compared before it is replaced: it must hold a checkpoint of the same key over an earlier size, or this one, of
/// this very log. Where it holds a larger one, the log was cut or an older copy put back; where it holds another root, the
/// log was rewritten. Then nothing is signed any more.
struct SecondPlace {
  /// The directory; it must be there.
  let directory: String
  let disk: any Disk
  /// The file.
  let file: String

  /// The place of the log of that origin.
  init(directory: String, origin: String, disk: any Disk) {
    self.directory = directory
    self.disk = disk
    file = directory + "/" + FileName.name(of: origin) + ".checkpoint"
  }

  /// What the place says before a checkpoint is put there. Other writers are kept away until it goes.
  final class Claim: Sendable {
    private let lock: any DiskFile
    /// The checkpoint that stands there.
    let found: SignedNote?

    fileprivate init(lock: any DiskFile, found: SignedNote?) {
      self.lock = lock
      self.found = found
    }

    // By name, since a process that is being started has the open file too.
    deinit { lock.unlock() }
  }

  /// Locks the place and reads what stands there. Throws `locked`, `malformed` where it is no checkpoint, and what the disk
  /// throws.
  func claim() throws(StoreError) -> Claim {
    let lock = try disk.open(file + ".lock", .updateOrCreate)
    guard try lock.lock() else {
      throw StoreError(.locked, "another writer is at the second place", file: file, advice: "try again")
    }
    return Claim(lock: lock, found: try StoreLayout(directory).note(at: file, on: disk))
  }

  /// Throws where the log is not the one, or less than the one, that the checkpoint found there states: `keyMismatch`,
  /// `truncated`, `forked`. It may be signed by a key that the store has retired. `root` gives the log's root at a size
  /// that it has.
  func compare(
    _ found: SignedNote, size: UInt64, key: VerifierKey, retired: [RetiredKey],
    root: (UInt64) throws(StoreError) -> TreeHash
  ) throws(StoreError) {
    let advice = "keep store and second place as evidence, and begin a store with a new origin"
    // A key that handed the log over has signed what was put there before.
    let earlier = retired.filter { found.size <= $0.until }.compactMap { try? VerifierKey(text: $0.key) }
    guard found.origin == key.name, ([key] + earlier).contains(where: { found.standing(with: $0) == .valid }) else {
      throw StoreError(
        .keyMismatch, "the second place holds a checkpoint that this key has not signed", file: file,
        advice: "give another directory, or keep it as evidence")
    }
    guard found.size <= size else {
      throw StoreError(
        .truncated, "the log has \(size) records, the second place knows of \(found.size)", file: file, advice: advice)
    }
    guard try root(found.size) == found.root else {
      throw StoreError(
        .forked, "the log's root at \(found.size) records is not the one that the second place has", file: file,
        position: found.size, advice: advice)
    }
  }

  /// Puts a checkpoint there, durable when it returns. The claim must be held.
  func put(_ note: SignedNote, under claim: Claim) throws(StoreError) {
    guard claim.found?.text != note.text else { return }
    try disk.replace(file, with: Array(note.text.utf8), in: directory)
  }

  /// Removes what is left of a checkpoint that was being put there. The claim must be held.
  func removeDraft(under claim: Claim) {
    // Nothing else says that there is one, and asking would cost no less.
    try? disk.remove(file + Draft.suffix)
  }
}

extension StoreError {
  /// True where a second place cannot be reached just now; false where what it says is evidence.
  var isPlaceUnreachable: Bool {
    switch code {
    case .notFound, .permission, .cannotCreate, .io, .noSpace, .locked: true
    default: false
    }
  }
}
