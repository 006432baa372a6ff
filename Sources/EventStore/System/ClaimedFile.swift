// A small file that is read, compared and replaced by one process at a time: it keeps facts about a log outside of its
// store.

/// A file that is replaced whole, by the holder of the lock on `<path>.lock` beside it.
///
/// The lock is not on the file itself: replacing the file would leave the lock on the old one.
struct ClaimedFile: Sendable {
  let path: String
  let disk: any Disk

  /// The right to replace the file; locks out other processes, and other objects of this one, while it exists.
  final class Claim: Sendable {
    private let lock: any DiskFile
    /// What the file held when it was claimed; nil if it was not there.
    let content: [UInt8]?

    fileprivate init(lock: any DiskFile, content: [UInt8]?) {
      self.lock = lock
      self.content = content
    }

    // Unlocked explicitly, since a process that is being started also holds the open file.
    deinit { lock.unlock() }
  }

  /// Takes the lock at once and reads the file.
  ///
  /// - Throws: `locked` with what `user` says of the holder, and what the disk throws.
  func claim(_ user: String) throws(StoreError) -> Claim {
    let lock = try disk.open(path + ".lock", .updateOrCreate)
    guard try lock.lock() else {
      throw StoreError(.locked, user, file: path, advice: "try again")
    }
    return Claim(lock: lock, content: try read())
  }

  /// What the file holds; nil if it is not there.
  ///
  /// - Throws: `tooLarge` over 64 KiB.
  func read() throws(StoreError) -> [UInt8]? {
    do throws(StoreError) {
      return try disk.contents(of: path, limit: 1 << 16)
    } catch {
      guard error.code == .notFound else { throw error }
      return nil
    }
  }

  /// Replaces the file, durable when it returns; mode 0600. The claim must be held.
  func put(_ bytes: [UInt8], under claim: Claim) throws(StoreError) {
    let folder = path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    try disk.replace(path, with: bytes, in: folder)
  }

  /// Removes the draft of an interrupted replacement. The claim must be held.
  func removeDraft(under claim: Claim) {
    // Nothing else shows whether there is one, and checking would cost as much as removing it.
    try? disk.remove(path + Draft.suffix)
  }
}
