// `checkpoints/`: what stays there, and what only the segments keep (docs/FORMAT.md §6).

/// The folder of a store's published checkpoints.
struct CheckpointFolder {
  let layout: StoreLayout
  let disk: any Disk

  /// How many of the newest stay.
  static let newest = 64
  /// How many go at most with each new one.
  private static let atOnce = 8

  /// Removes old checkpoints that the segments have as well: all but the newest 64, the newest at or before the
  /// beginning of each segment, and those that hand the log over. A file stays if it is anything but a checkpoint of
  /// this log by `key`: that is evidence. What cannot be removed now goes another time. Cost: one list of names; for
  /// each file that goes, two small reads, and the decoding of one frame.
  ///
  /// - Parameters:
  ///   - key: the log's own.
  ///   - root: gives the log's root at a size that it has.
  func thin(signedBy key: VerifierKey, root: (UInt64) throws(StoreError) -> TreeHash) {
    guard let sizes = try? layout.checkpointSizes(on: disk).sorted(), sizes.count > Self.newest,
      let firsts = try? layout.segmentList(on: disk)
    else { return }
    let old = sizes.dropLast(Self.newest)
    // The newest at or before each segment's beginning: if later segments are lost, it is what vouches for those left.
    let kept = Set(firsts.compactMap { first in old.last { $0 <= first } })
    var left = Self.atOnce
    for size in old where left > 0 && !kept.contains(size) {
      guard let note = try? layout.note(at: layout.checkpoint(size), on: disk), note.size == size, note.nextKey == nil,
        note.origin == key.name, note.standing(with: key) == .valid, (try? root(size)) == note.root
      else { continue }
      left -= 1
      try? disk.remove(layout.checkpoint(size))
    }
  }
}
