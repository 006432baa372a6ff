import Glibc

/// The lines of a decoded commit.
enum CommitLines {
  /// Calls `body` with each line, without its `\n`, and the line's offset in the commit.
  ///
  /// - Throws: `malformed` if the commit does not end with a `\n`.
  static func forEach(
    in commit: Span<UInt8>, _ body: (Span<UInt8>, Int) throws(StoreError) -> Void
  ) throws(StoreError) {
    var start = 0
    while start < commit.count {
      let end = lineEnd(in: commit, from: start)
      guard end < commit.count else {
        throw StoreError(.malformed, "a commit ends in the middle of a line", offset: UInt64(start))
      }
      try body(commit.extracting(start..<end), start)
      start = end + 1
    }
  }

  /// Where the line that begins at `start` ends: the offset of its `\n`, or the end of the bytes.
  static func lineEnd(in bytes: Span<UInt8>, from start: Int) -> Int {
    precondition(start >= 0 && start <= bytes.count, "a line begins inside of its commit")
    return unsafe bytes.withUnsafeBytes { buffer in
      guard let base = buffer.baseAddress, start < buffer.count else { return buffer.count }
      // SAFETY: memchr reads from `start` to the end of the buffer, which outlives the call.
      guard let found = unsafe memchr(base + start, 0x0A, buffer.count - start) else { return buffer.count }
      return unsafe UnsafeRawPointer(found) - base
    }
  }

  /// Where a piece of whole lines that begins at `start` ends; it has the lines that begin in its first `usual` bytes.
  /// Returns the end of the bytes if the last line has no end.
  static func pieceEnd(in bytes: Span<UInt8>, from start: Int, usual: Int) -> Int {
    guard bytes.count - start > usual, usual > 0 else { return bytes.count }
    return Swift.min(lineEnd(in: bytes, from: start + usual - 1) + 1, bytes.count)
  }

  /// The bytes of a span as an array.
  static func array(_ bytes: Span<UInt8>) -> [UInt8] {
    // SAFETY: the span's bytes outlive the call, which copies them.
    unsafe bytes.withUnsafeBufferPointer { unsafe Array($0) }
  }
}
