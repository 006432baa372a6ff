/// Writing a file's content once more. A failed sync marks its pages as clean, whether or not they are on the disk; the
/// next sync covers only pages that are written again.
enum FileRewriting {
  /// Writes the bytes from `start` up to `end` again.
  static func rewrite(_ file: any DiskFile, from start: UInt64, to end: UInt64) throws(StoreError) {
    var start = start
    while start < end {
      let piece = try file.read(at: start, count: Int(min(end - start, 1 << 20)))
      if piece.isEmpty { return }
      try file.write(piece.span, at: start)
      start += UInt64(piece.count)
    }
  }

  /// Writes our frames that end a file again, back to its last directory: they were written after the sync that they
  /// report.
  static func rewriteEnd(of file: any DiskFile) throws(StoreError) {
    let size = try file.size()
    var start = size
    while let (frame, place) = try DirectoryChain.frame(endingAt: start, of: file), frame.kind != .head {
      start = place
      if frame.kind == .directory { break }
    }
    try rewrite(file, from: start, to: size)
  }
}
