/// What the bytes after damage say about how much was known to be synced.
enum SyncedEvidence {
  /// True if a file ends with a good frame that was written after a sync, as a writer leaves a file that it has closed.
  /// Cost: two small reads.
  static func ends(_ file: any DiskFile) throws(StoreError) -> Bool {
    guard let (frame, _) = try DirectoryChain.frame(endingAt: try file.size(), of: file) else { return false }
    return frame.kind == .synced || frame.kind == .note || frame.kind == .footer
  }

  /// The largest position up to which any good frame of ours from `start` on says that the log was synced; 0 if there
  /// is none. Looks at every byte, since no length can be trusted after damage. Run only on damaged files. Cost: as of
  /// `FrameScan.frames`.
  static func position(in file: any DiskFile, from start: UInt64) throws(StoreError) -> UInt64 {
    try said(in: file, from: start).synced
  }

  /// The largest position up to which such frames say that the log was synced, and the largest up to which they speak
  /// of records at all, synced or not. Cost: as of `position`.
  static func said(
    in file: any DiskFile, from start: UInt64
  ) throws(StoreError) -> (synced: UInt64, end: UInt64) {
    var (synced, end): (UInt64, UInt64) = (0, 0)
    for frame in try FrameScan.frames(of: [.directory, .note, .synced, .footer], in: file, from: start) {
      let said = try said(by: frame, of: file)
      synced = max(synced, said.synced)
      end = max(end, said.end)
    }
    return (synced, end)
  }

  private static func said(
    by frame: FrameScan.Found, of file: any DiskFile
  ) throws(StoreError) -> (synced: UInt64, end: UInt64) {
    if frame.kind == .directory {
      let body = try file.read(at: frame.body, count: min(frame.count, FrameDirectory.longestHead))
      guard let said = try? FrameDirectory(body: body, wantingStreams: false) else { return (0, 0) }
      return (said.synced, said.end)
    }
    let position = try position(saidBy: frame, of: file)
    return (position, position)
  }

  private static func position(saidBy frame: FrameScan.Found, of file: any DiskFile) throws(StoreError) -> UInt64 {
    switch frame.kind {
    case .note:
      let body = try file.read(at: frame.body, count: frame.count)
      guard let text = String(validating: body, as: UTF8.self), let note = try? SignedNote(text: text) else { return 0 }
      return note.size
    case .synced:
      var cursor = ByteCursor(try file.read(at: frame.body, count: frame.count))
      guard let position = try? cursor.uint64(), position <= FrameFormat.largestNumber else { return 0 }
      return position
    case .footer:
      // A footer is written when all of the segment has been synced.
      return (try? SegmentIndex(file, at: frame.body, length: frame.count))?.end ?? 0
    case .directory, .head, .leaves: return 0
    }
  }
}
