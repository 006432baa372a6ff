extension FooterCheck {
  /// The form of a segment that ends with a footer, or, if its end is damaged, looks sealed or pruned from the
  /// beginning: so that the damage is reported, not everything that only such a segment has. Nil for one that has
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
          // In other segments, a checkpoint follows the records that it covers.
          let size = String(validating: frame.body, as: UTF8.self).flatMap { try? SignedNote(text: $0).size }
          if size ?? first > first { return .sealed }
        }
      case .end: return nil
      }
    }
    return nil
  }

  /// True for a segment with an unreadable footer that only sealing or pruning can have made: its header is followed by
  /// hashes or by a checkpoint of later records, or one frame of records is followed directly by another or by a
  /// footer.
  static func looksRewritten(_ file: any DiskFile) throws(StoreError) -> Bool {
    guard let head = try? FileHead(of: file), let header = try? SegmentHeader(frame: head.frame) else { return false }
    let walker = try SegmentWalker(file, from: head.end, decoding: false)
    var hasFrame = false
    while let item = try? walker.next() {
      switch item {
      case .frameStart: if hasFrame { return true }
      case .commit: break
      case .frameEnd: hasFrame = true
      case .skippable(let frame, _):
        switch frame.kind {
        case .leaves: return true
        case .note where !hasFrame:
          let size = String(validating: frame.body, as: UTF8.self).flatMap { try? SignedNote(text: $0).size }
          if size ?? 0 > header.first { return true }
        case .note, .directory, .synced, .head, .footer: return false
        }
      case .end: return walker.frame == nil ? try isRewriting(file, at: walker.offset, hasFrame) : false
      }
    }
    return walker.frame == nil ? try isRewriting(file, at: walker.offset, hasFrame) : false
  }

  /// Whether a damaged frame claims to hold hashes of records, or, after a frame of records, to be a footer.
  private static func isRewriting(
    _ file: any DiskFile, at offset: UInt64, _ hasFrame: Bool
  ) throws(StoreError) -> Bool {
    let bytes = try file.read(at: offset, count: 12)
    guard bytes.count == 12 else { return false }
    let code = bytes[8...].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    return FrameKind(code: code) == .leaves || hasFrame && FrameKind(code: code) == .footer
  }
}
