// A small file that is read, compared and replaced by one process at a time: it keeps facts about a log outside of its
// store.

/// A file that is replaced whole, by the holder of the lock on `<path>.lock` beside it.
///
/// The lock is not on the file itself: putting another in its place would leave the lock on the old one.
struct ClaimedFile: Sendable {
  let path: String
  let disk: any Disk

  /// The right to replace the file; other processes, and other objects of this one, are kept away until it goes.
  final class Claim: Sendable {
    private let lock: any DiskFile
    /// What the file held when it was claimed; nil if it was not there.
    let content: [UInt8]?

    fileprivate init(lock: any DiskFile, content: [UInt8]?) {
      self.lock = lock
      self.content = content
    }

    // By name, since a process that is being started has the open file too.
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

  /// Removes what is left of a replacement that was cut off. The claim must be held.
  func removeDraft(under claim: Claim) {
    // Nothing else says that there is one, and asking would cost no less.
    try? disk.remove(path + Draft.suffix)
  }
}
