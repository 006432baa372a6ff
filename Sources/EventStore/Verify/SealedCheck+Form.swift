extension SealedCheck {
  /// True where a segment is a sealed or pruned one: it ends with a footer, or, where its end is damaged, looks like one from the
  /// beginning. So the damage is told, and not all that stands where only such a segment has it. Cost: where a closed
  /// segment has no footer, a hop over the blocks of its first frame.
  static func applies(to file: any DiskFile, from start: UInt64, first: UInt64, isLast: Bool) throws(StoreError) -> Bool
  {
    if try FooterPlace.body(in: file) != nil { return true }
    guard !isLast else { return false }
    let walker = try SegmentWalker(file, from: start, decoding: false)
    var hasFrame = false
    while let item = try? walker.next() {
      switch item {
      case .frameStart: if hasFrame { return true }
      case .commit: break
      case .frameEnd: hasFrame = true
      case .skippable(let frame, _):
        switch frame.kind {
        case .leaves, .footer: return true
        case .directory, .synced, .head: return false
        case .note:
          if hasFrame { return false }
          // Elsewhere a checkpoint stands behind what it is of.
          let size = String(validating: frame.body, as: UTF8.self).flatMap { try? SignedNote(text: $0).size }
          if size ?? first > first { return true }
        }
      case .end: return false
      }
    }
    return false
  }
}
