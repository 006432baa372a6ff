extension FooterCheck {
  /// The form of a segment that ends with a footer, or, if its end is damaged, looks sealed or pruned from the
  /// beginning: so the damage is reported, and not everything that only such a segment has. Nil for one that has
  /// directories and no footer that can be read. Cost: if a segment has no footer, a hop over the blocks of its first
  /// frame.
  static func form(
    of file: any DiskFile, from start: UInt64, first: UInt64, isLast: Bool
  ) throws(StoreError) -> SegmentForm? {
    do throws(StoreError) {
      if let footer = try FooterPlace.index(in: file) { return footer.form }
    } catch {
      guard error.code == .malformed else { throw error }
    }
    if isLast, try FooterPlace.body(in: file) == nil { return nil }
    let walker = try SegmentWalker(file, from: start, decoding: false)
    var hasFrame = false
    while let item = try? walker.next() {
      switch item {
      case .frameStart: if hasFrame { return .sealed }
      case .commit: break
      case .frameEnd: hasFrame = true
      case .skippable(let frame, _):
        switch frame.kind {
        case .leaves: return .pruned
        case .footer: return .sealed
        case .directory, .synced, .head: return nil
        case .note:
          if hasFrame { return nil }
          // Elsewhere a checkpoint stands behind what it is of.
          let size = String(validating: frame.body, as: UTF8.self).flatMap { try? SignedNote(text: $0).size }
          if size ?? first > first { return .sealed }
        }
      case .end: return nil
      }
    }
    return nil
  }
}
