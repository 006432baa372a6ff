// Finding the directories of a segment without reading its records: from the end if the file ends with a frame of
// ours, else by hopping from block to block.

/// The directories of one segment.
enum DirectoryChain {
  /// The last directory of a segment, and where the bytes after it begin.
  struct Last {
    /// The directory; nil if the segment has no closed frame.
    var directory: FrameDirectory?
    /// Its offset in the file; 0 if there is none.
    var offset: UInt64
    /// Where the bytes after it begin.
    var end: UInt64
    /// The position up to which it, or the bytes after it, say that everything was synced.
    var synced: UInt64
    /// True if only checkpoints and a footer stand between `end` and the end of the file: nothing is left to decode.
    var isTail: Bool
  }

  /// The skippable frame that ends at `end`, or nil if none does. Reads it alone.
  static func frame(endingAt end: UInt64, of file: any DiskFile) throws(StoreError) -> (SkippableFrame, UInt64)? {
    guard end >= UInt64(SkippableFrame.headLength + SkippableFrame.overhead) else { return nil }
    var cursor = ByteCursor(try file.read(at: end - 8, count: 4))
    guard let size = try? cursor.uint32(), size >= SkippableFrame.overhead, size <= FrameFormat.largestPayload,
      UInt64(size) + UInt64(SkippableFrame.headLength) <= end
    else { return nil }
    let start = end - UInt64(size) - UInt64(SkippableFrame.headLength)
    let bytes = try file.read(at: start, count: SkippableFrame.headLength + Int(size))
    var head = ByteCursor(bytes)
    guard (try? head.uint32()) == FrameFormat.skippableMagic, (try? head.uint32()) == size,
      let frame = try? SkippableFrame(payload: bytes[SkippableFrame.headLength...])
    else { return nil }
    return (frame, start)
  }

  /// The directory at `offset`. Without `wantingStreams` its streams are left out.
  ///
  /// - Throws: `malformed` with file and offset.
  static func directory(
    at offset: UInt64, of file: any DiskFile, wantingStreams: Bool = true
  ) throws(StoreError) -> FrameDirectory {
    try read(at: offset, of: file, wantingStreams: wantingStreams).directory
  }

  private static func read(
    at offset: UInt64, of file: any DiskFile, wantingStreams: Bool
  ) throws(StoreError) -> (directory: FrameDirectory, end: UInt64) {
    let walker = try SegmentWalker(file, from: offset, decoding: false, pieceLength: 4 << 10)
    guard case .skippable(let frame, _) = try walker.next(), frame.kind == .directory else {
      throw StoreError(.malformed, "no directory stands here", file: file.path, offset: offset)
    }
    do {
      return (try FrameDirectory(body: frame.body, wantingStreams: wantingStreams), walker.offset)
    } catch {
      throw error.shifted(by: offset + 12).inFile(file.path)
    }
  }

  /// The directory before one; nil if there is none.
  ///
  /// - Throws: `malformed` if the directory there follows no frame, or reaches into the next frame: so each step leads
  ///   to a smaller offset, and no byte is read twice.
  static func directory(
    before directory: FrameDirectory, of file: any DiskFile, wantingStreams: Bool = false
  ) throws(StoreError) -> FrameDirectory? {
    let place = directory.previous
    guard place > 0, place < directory.offset else { return nil }
    let (found, end) = try read(at: place, of: file, wantingStreams: wantingStreams)
    guard found.offset + found.length == place, end <= directory.offset else {
      throw StoreError(.malformed, "a directory does not follow its frame", file: file.path, offset: place)
    }
    return found
  }

  /// The last good directory. Cost: a few reads if the file ends with one, else a hop over all blocks.
  /// With a `limit`, the last one of a frame that ends there or before.
  static func last(of file: any DiskFile, headEnd: UInt64, limit: UInt64? = nil) throws(StoreError) -> Last {
    if let limit { return try hop(file, headEnd: headEnd, limit: limit) }
    let size = try file.size()
    var end = size
    var synced: UInt64 = 0
    while let (frame, start) = try frame(endingAt: end, of: file) {
      switch frame.kind {
      case .note: end = start
      case .footer where end == size: end = start
      case .synced:
        var cursor = ByteCursor(frame.body)
        synced = max(synced, try cursor.uint64())
        end = start
      case .head where end == headEnd:
        return Last(directory: nil, offset: 0, end: end, synced: synced, isTail: true)
      case .head, .footer, .leaves: return try hop(file, headEnd: headEnd)
      case .directory:
        guard let directory = try? FrameDirectory(body: frame.body), directory.offset + directory.length == start else {
          return try hop(file, headEnd: headEnd)
        }
        return Last(
          directory: directory, offset: start, end: end, synced: max(synced, directory.synced), isTail: true)
      }
    }
    return try hop(file, headEnd: headEnd)
  }

  private static func hop(
    _ file: any DiskFile, headEnd: UInt64, limit: UInt64 = .max
  ) throws(StoreError) -> Last {
    let walker = try SegmentWalker(file, from: headEnd, decoding: false)
    var last = Last(directory: nil, offset: 0, end: headEnd, synced: 0, isTail: false)
    while true {
      let item: SegmentWalker.Item
      do {
        item = try walker.next()
      } catch {
        if error.code == .malformed { return last }  // the decoding that follows will find it again
        throw error
      }
      switch item {
      case .skippable(let frame, let offset) where frame.kind == .directory:
        guard let directory = try? FrameDirectory(body: frame.body), directory.end <= limit else { return last }
        last = Last(
          directory: directory, offset: offset, end: walker.offset, synced: directory.synced, isTail: false)
      case .end: return last
      default: continue
      }
    }
  }
}
