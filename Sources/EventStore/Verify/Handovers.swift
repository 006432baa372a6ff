/// The handovers that checkpoints state, read once: which note hands the log over to which key, and at what size a key
/// signed its last checkpoint (docs/FORMAT.md §6).
struct Handovers {
  /// The notes that name a next key and are signed by it, the smallest first. Whether a trusted key has signed them too
  /// is for the reader to check.
  let notes: [(note: SignedNote, next: VerifierKey)]
  private let ends: [VerifierKey: UInt64]

  /// The handovers in `published` by some of `keys`.
  init(in published: [SignedNote], by keys: [VerifierKey]) {
    notes = published.compactMap { note -> (note: SignedNote, next: VerifierKey)? in
      guard let next = note.nextKey, note.standing(with: next) == .valid else { return nil }
      return (note: note, next: next)
    }.sorted { $0.note.size < $1.note.size }
    let byHash: [UInt32: [VerifierKey]] = Dictionary(grouping: Set(keys)) { $0.hash }
    var ends: [VerifierKey: UInt64] = [:]
    for (note, next) in notes {
      for hash in Set(note.signatures.map(\.keyHash)) {
        for key in byHash[hash] ?? [] where key != next && ends[key] == nil && note.standing(with: key) == .valid {
          ends[key] = note.size
        }
      }
    }
    self.ends = ends
  }

  /// The size at which a key handed the log over for the first time; nil if no checkpoint says so. The key must be one
  /// of those that were given.
  func end(of key: VerifierKey) -> UInt64? { ends[key] }
}
