// Reads single records out of frames whose place is known: one read and one decode a frame, and a parse only of the
// lines that are wanted.

/// Decodes frames, one after another, with one decompressor.
struct FrameReader {
  private let decompressor: BlockDecompressor

  init() throws(StoreError) { decompressor = try BlockDecompressor() }

  /// The records at `positions`, ascending, all in `frame` of `file`.
  ///
  /// - Throws: `malformed`, with file and offset, if the frame is not what the index says, or does not decode.
  func records(
    at positions: ArraySlice<UInt64>, in frame: IndexedFrame, of file: any DiskFile
  ) throws(StoreError) -> [StoredRecord] {
    var found: [StoredRecord] = []
    found.reserveCapacity(positions.count)
    var wanted = positions
    try forEachLine(in: frame, of: file) { line, position throws(StoreError) in
      guard let next = wanted.first else { return false }
      guard position == next else { return true }
      let envelope = try Envelope(parsing: line)
      guard envelope.position == position else {
        throw StoreError(.malformed, "record \(envelope.position) stands where \(position) should", position: position)
      }
      found.append(StoredRecord(line: CommitLines.array(line), envelope: envelope))
      wanted.removeFirst()
      return !wanted.isEmpty
    }
    guard wanted.isEmpty else {
      throw StoreError(
        .malformed, "a frame has fewer records than its index says", file: file.path, offset: frame.offset)
    }
    return found
  }

  /// Calls `body` with each line of a frame and the position that it should have, until `body` returns false.
  func forEachLine(
    in frame: IndexedFrame, of file: any DiskFile, _ body: (Span<UInt8>, UInt64) throws(StoreError) -> Bool
  ) throws(StoreError) {
    var bytes: [UInt8] = []
    var offset = FrameFormat.headerLength
    var decoded = 0
    do throws(StoreError) {
      guard frame.length <= FrameFormat.largestStoredFrame else {
        throw StoreError(.malformed, "a frame says it has \(frame.length) bytes", offset: 0)
      }
      bytes = try file.read(at: frame.offset, count: Int(frame.length))
      guard bytes.count == Int(frame.length), bytes.count > offset + 4 else {
        throw StoreError(.malformed, "a frame is cut off", offset: 0)
      }
      let flags = bytes[4]
      guard bytes.starts(with: [0x04, 0x22, 0x4D, 0x18]),
        flags == FrameFormat.linkedFlags || flags == FrameFormat.independentFlags,
        bytes[5] == FrameFormat.blockDescriptor
      else { throw StoreError(.malformed, "no frame of records begins here", offset: 0) }
      try decompressor.begin(header: bytes[..<offset])
      var position = frame.first
      while position < frame.end {
        var cursor = ByteCursor(bytes, offset: offset)
        let length = Int(try cursor.uint32() & ~FrameFormat.rawBlock)
        guard length > 0, length <= FrameFormat.largestCommit, length + 8 <= bytes.count - offset else {
          throw StoreError(.malformed, "a block says it has \(length) bytes", offset: 0)
        }
        try decompressor.decode(block: bytes[offset..<offset + length + 8])
        decoded += decompressor.count
        guard decoded <= FrameFormat.largestFrame else {
          throw StoreError(.malformed, "a frame decodes to over \(FrameFormat.largestFrame) bytes", offset: 0)
        }
        let goesOn = try decompressor.withOutput { commit throws(StoreError) in
          var start = 0
          while start < commit.count, position < frame.end {
            let end = CommitLines.lineEnd(in: commit, from: start)
            guard end < commit.count, end - start >= Envelope.shortestLine else {
              throw StoreError(.malformed, "a commit holds what is no line")
            }
            guard try body(commit.extracting(start..<end), position) else { return false }
            position += 1
            start = end + 1
          }
          return true
        }
        guard goesOn else { return }
        offset += length + 8
      }
    } catch {
      guard error.code == .malformed else { throw error }
      throw StoreError(
        .malformed, error.message, file: file.path, position: error.position, offset: frame.offset + UInt64(offset))
    }
  }
}
