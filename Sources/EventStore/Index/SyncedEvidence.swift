/// What the bytes behind a damage say about how much was known to be synced.
enum SyncedEvidence {
  /// True where a file ends with a good frame that was written after a sync: a writer that has closed it leaves it so. Cost:
  /// two small reads.
  static func ends(_ file: any DiskFile) throws(StoreError) -> Bool {
    guard let (frame, _) = try DirectoryChain.frame(endingAt: try file.size(), of: file) else { return false }
    return frame.kind == .synced || frame.kind == .note
  }

  /// The largest position up to which any good frame of ours from `start` on says that the log was synced; 0 where there
  /// is none. Looks at every byte, since after a damage no length can be trusted. Run on damaged files alone.
  static func position(in file: any DiskFile, from start: UInt64) throws(StoreError) -> UInt64 {
    var found: UInt64 = 0
    var offset = start
    let pieceLength = 1 << 20
    let magic: [UInt8] = [0x50, 0x2A, 0x4D, 0x18]
    while true {
      let piece = try file.read(at: offset, count: pieceLength)
      var index = 0
      while index + magic.count <= piece.count {
        if piece[index] == magic[0], piece[index + 1] == magic[1], piece[index + 2] == magic[2],
          piece[index + 3] == magic[3]
        {
          found = max(found, try said(at: offset + UInt64(index), of: file))
        }
        index += 1
      }
      guard piece.count == pieceLength else { return found }
      offset += UInt64(pieceLength - magic.count + 1)
    }
  }

  private static func said(at offset: UInt64, of file: any DiskFile) throws(StoreError) -> UInt64 {
    let walker = try SegmentWalker(file, from: offset, decoding: false)
    guard let item = try? walker.next(), case .skippable(let frame, _) = item else { return 0 }
    switch frame.kind {
    case .directory: return (try? FrameDirectory(body: frame.body, wantingStreams: false))?.synced ?? 0
    case .note:
      guard let text = String(validating: frame.body, as: UTF8.self), let note = try? SignedNote(text: text) else {
        return 0
      }
      return note.size
    case .synced:
      var cursor = ByteCursor(frame.body)
      return (try? cursor.uint64()) ?? 0
    case .footer:
      // A segment is sealed when all of it has been synced.
      let index = try? SegmentIndex(MemoryFile(frame.body, path: file.path), at: 0, length: frame.body.count)
      return index?.end ?? 0
    case .head, .leaves: return 0
    }
  }
}
