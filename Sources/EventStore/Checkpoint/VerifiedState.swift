/// The newest checkpoint that an auditor has verified of a log, in the auditor's own file.
///
/// Compared with the log at each check (`Verifier(remembered:)`), it reveals an older copy of the whole store, or
/// another log, without the auditor copying a checkpoint by hand. The file holds the signed note itself.
public struct VerifiedState: Sendable {
  private let place: ClaimedFile

  /// The state in the file at `path`, whose directory must be there.
  public init(path: String) { place = ClaimedFile(path: path, disk: SystemDisk()) }

  /// The newest checkpoint so far; nil before the first.
  ///
  /// - Throws: `malformed` if the file holds something else, and what reading throws.
  public func note() throws(StoreError) -> SignedNote? { try note(in: try place.read()) }

  /// Remembers a verified checkpoint, durable when it returns; a checkpoint older than the remembered one changes
  /// nothing. Call it only after a good verdict.
  ///
  /// - Throws: `locked` if another process is doing the same, and what writing throws.
  public func advance(to note: SignedNote) throws(StoreError) {
    let claim = try place.claim("another process remembers what it verified")
    if let known = try self.note(in: claim.content), known.size >= note.size { return }
    try place.put(Array(note.text.utf8), under: claim)
  }

  private func note(in content: [UInt8]?) throws(StoreError) -> SignedNote? {
    guard let content else { return nil }
    do throws(StoreError) {
      return try SignedNote(bytes: content, of: place.path)
    } catch {
      var error = error
      error.message = "what was verified before cannot be read: " + error.message
      error.advice = "put the file back from a copy; without it a roll-back may not show"
      throw error
    }
  }
}
