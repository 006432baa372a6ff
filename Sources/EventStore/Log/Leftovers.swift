/// What is left of a file that was being replaced when its process was killed: `<name>.tmp`, which nobody reads.
struct Leftovers {
  let layout: StoreLayout
  let disk: any Disk

  /// Removes those that a writer of this store leaves; files of other names stay. The caller has the store's lock, and has
  /// found nothing that is to be kept as evidence. What cannot be removed stays until the next opening: it does no harm.
  func remove() {
    remove(from: layout.root) { $0 == "store.json" }
    remove(from: layout.segments) { SegmentName.first(of: $0) != nil }
    remove(from: layout.checkpoints) { $0 == "latest" || Self.isNumber($0[...]) }
    remove(from: layout.index) {
      $0.hasSuffix(".idx") && SegmentName.first(of: $0.dropLast(4) + SegmentName.suffix) != nil
    }
    remove(from: SnapshotFile.folder(in: layout)) { name in
      guard let mark = name.lastIndex(of: "-") else { return false }
      return SnapshotFile.isName(String(name[..<mark])) && Self.isNumber(name[name.index(after: mark)...])
    }
  }

  /// Removes the drafts of files of `directory` that are ours.
  private func remove(from directory: String, where isOurs: (String) -> Bool) {
    for name in (try? disk.names(in: directory)) ?? [] where name.hasSuffix(Draft.suffix) {
      if isOurs(String(name.dropLast(Draft.suffix.count))) { try? disk.remove(directory + "/" + name) }
    }
  }

  /// True for a number as the store writes it.
  private static func isNumber(_ text: Substring) -> Bool { UInt64(text).map { String($0) == text } ?? false }
}
