/// Whom checkpoints are believed.
struct NoteCheck {
  /// The key that must have signed: the one that the caller pinned, else the one that store.json names.
  let key: VerifierKey?
  /// Keys that signed before.
  let retired: [VerifierKey]
  /// The origin that notes must be of.
  let origin: String
  /// The largest size that a readable checkpoint of the store speaks of.
  var largestSize: UInt64 = 0

  /// What is wrong with who signed a note, or nil.
  func fault(of note: SignedNote) -> String? {
    guard note.origin == origin else {
      return "The checkpoint of \(note.size) records is of \(note.origin), not of \(origin)."
    }
    guard let key else { return "There is a checkpoint, and no key to check it with." }
    switch note.standing(with: key) {
    case .valid: return nil
    case .invalid: return "The signature of the checkpoint of \(note.size) records does not hold."
    case .absent:
      if retired.contains(where: { note.standing(with: $0) == .valid }) { return nil }
      return "The checkpoint of \(note.size) records is not signed by \(key.name), key \(key.hashText)."
    }
  }
}
