/// A checkpoint of a log that is known from outside its store, to be compared with the store's current content.
struct SignedPast {
  let note: SignedNote
  /// The file that it stands in.
  let file: String
  /// The name of the place that holds it, for messages: "the second place".
  let knower: String

  /// Throws if the log is not the one, or less than the one, that the checkpoint states: `keyMismatch`, `truncated`,
  /// `forked`.
  ///
  /// - Parameters:
  ///   - size: how many records the log has.
  ///   - keys: those that may have signed the checkpoint, the log's current key first.
  ///   - root: gives the log's root at a size that it has.
  func check(
    size: UInt64, keys: [VerifierKey], root: (UInt64) throws(StoreError) -> TreeHash
  ) throws(StoreError) {
    let advice = "keep the store and this file as evidence, and begin a store with a new origin"
    guard keys.first?.name.isSame(as: note.origin) == true,
      keys.contains(where: { note.standing(with: $0) == .valid })
    else {
      throw StoreError(
        .keyMismatch, "\(knower) holds a checkpoint that this key has not signed", file: file,
        advice: "give another place, or keep it as evidence")
    }
    guard note.size <= size else {
      throw StoreError(
        .truncated, "the log is truncated: it has \(size) records, \(knower) knows of \(note.size)", file: file,
        advice: advice)
    }
    guard try root(note.size) == note.root else {
      throw StoreError(
        .forked, "the log is forked: its root at \(note.size) records is not the one that \(knower) knows", file: file,
        position: note.size, advice: advice)
    }
  }
}
