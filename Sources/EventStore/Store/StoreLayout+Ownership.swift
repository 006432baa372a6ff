// The owner of a store. A user who can write into one of its folders can put a link in the place of a file, and make
// the writer change, or remove, any file of its user; checking the files cannot prevent that.

extension StoreLayout {
  /// The folders of a store.
  var folders: [String] { [segments, checkpoints, quarantine, index] }

  /// Throws `permission` if another user owns the store or could put files into it, and `malformed` if a folder is a
  /// link or no directory. For writers; call it before opening the first file. The store's own name may be a link.
  func refuseForeign(on disk: any Disk) throws(StoreError) {
    for path in [root] + folders {
      guard let entry = try entry(of: path, on: disk) else { continue }
      let name = path == root ? "the store's directory" : "a folder of the store"
      guard entry.isOwn else {
        throw StoreError(
          .permission, "\(name) belongs to another user, the one with the number \(entry.owner)", file: path,
          advice: "run this as that user, or make the store yours with chown -R")
      }
      guard !entry.isWritableByOthers else {
        throw StoreError(
          .permission, "\(name) can be written to by others than its owner (mode \(String(entry.mode, radix: 8)))",
          file: path, advice: "run chmod go-w on it, or give a new directory inside of it")
      }
    }
  }

  /// Throws `malformed` if a folder is a link or no directory. For readers: the store may belong to any user then.
  func refuseLinks(on disk: any Disk) throws(StoreError) {
    for path in folders { _ = try entry(of: path, on: disk) }
    do throws(StoreError) {
      _ = try entry(of: StoreFolder.snapshots.path(in: self), on: disk)
    } catch {
      // If this user may not enter `index/`, nothing in it can lead this program anywhere, and no reader needs it.
      guard error.code == .permission || error.code == .io else { throw error }
    }
  }

  /// The entry at a path; nil if there is none, or if the disk does not report it.
  private func entry(of path: String, on disk: any Disk) throws(StoreError) -> DiskEntry? {
    guard let entry = try disk.entry(path, followingLinks: path == root) else { return nil }
    switch entry.kind {
    case .directory: return entry
    case .link:
      throw StoreError(
        .malformed, "a folder of the store is a symbolic link", file: path,
        advice: "put the folder itself there; the store as a whole may be behind a link")
    case .file, .other:
      if path == root { return nil }  // opening it reports what it is
      throw StoreError(.malformed, "this should be a folder of the store", file: path, advice: "move it away")
    }
  }
}
