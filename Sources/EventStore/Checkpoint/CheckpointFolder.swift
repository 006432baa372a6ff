// `checkpoints/`: what stays there, and what only the segments keep (docs/FORMAT.md §6).

/// The folder of a store's published checkpoints.
struct CheckpointFolder {
  let layout: StoreLayout
  let disk: any Disk
  /// Where the frames of the segments are.
  let catalog: SegmentCatalog

  /// How many of the newest checkpoints are kept.
  static let newest = 64
  /// How many old checkpoints are removed at most with each new one.
  private static let atOnce = 8

  /// Removes old checkpoints that the segments have as well: all but the newest 64, the newest at or before the
  /// beginning of each segment, and those that hand the log over. A file stays if it is anything but a checkpoint of
  /// this log by `key`: that is evidence. It also stays if no segment has it, since a crash or a full disk came between
  /// the two, or recovery has cut the segment. A file that cannot be removed now is removed another time. Cost: one
  /// list of names; for each file that goes, a few small reads, and the decoding of one frame.
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
        note.standing(with: key) == .valid, (try? root(size)) == note.root,
        (try? isInSegment(note, firsts)) == true
      else { continue }
      left -= 1
      try? disk.remove(layout.checkpoint(size))
    }
  }

  /// True if a segment has this very checkpoint.
  func isInSegment(_ note: SignedNote) throws(StoreError) -> Bool {
    try isInSegment(note, layout.segmentList(on: disk))
  }

  /// True if a segment has this very checkpoint: behind the frame that ends at its size, before the first frame of a
  /// segment, or, if the segment was sealed or pruned, behind its header.
  private func isInSegment(_ note: SignedNote, _ firsts: [UInt64]) throws(StoreError) -> Bool {
    guard let place = firsts.lastIndex(where: { $0 <= note.size }) else { return false }
    // One of the size at which a segment ends stands there, or at the beginning of the next.
    for index in (firsts[place] == note.size ? max(place - 1, 0) : place)...place {
      let next = index + 1 < firsts.count ? firsts[index + 1] : nil
      if let end = try catalog.frameEnd(at: note.size, in: firsts[index], before: next) {
        if try isFollowed(end.offset, of: end.file, by: note) { return true }
        continue
      }
      let file = try disk.open(layout.segment(firsts[index]), .read)
      if try isFollowed(try FileHead(of: file).end, of: file, by: note) { return true }
    }
    return false
  }

  /// True if the checkpoint stands among the skippable frames that follow a place.
  private func isFollowed(
    _ offset: UInt64, of file: any DiskFile, by note: SignedNote
  ) throws(StoreError) -> Bool {
    let walker = try SegmentWalker(file, from: offset, decoding: false, pieceLength: 4 << 10)
    let text = Array(note.text.utf8)
    while case .skippable(let frame, _) = try walker.next() {
      if frame.kind == .note, frame.body.elementsEqual(text) { return true }
    }
    return false
  }
}
