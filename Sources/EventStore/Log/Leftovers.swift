/// Files that are no longer read: `<name>.tmp`, of a file that was being replaced when its process was killed, and
/// index files of format 1.
struct Leftovers {
  let layout: StoreLayout
  let disk: any Disk

  /// Removes those that a writer of this store leaves; files of other names stay. The caller has the store's lock, and
  /// has found nothing that must be kept as evidence. Files that cannot be removed stay until the next opening; they do
  /// no harm.
  func remove() {
    for folder in StoreFolder.allCases {
      let directory = folder.path(in: layout)
      for name in (try? disk.names(in: directory)) ?? []
      where folder.isDraft(name) || (folder == .index && StoreFolder.isOldIndex(name)) {
        try? disk.remove(directory + "/" + name)
      }
    }
  }
}
