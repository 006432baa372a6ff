// The decoder of a segment: goes through the file front to back, checks the structure and each block's checksum, and
// returns its elements, item by item. Reader, recovery and verifier are loops over it.

/// Walks the frames of a file, after its header.
final class SegmentWalker {
  /// What stands at a place of the file.
  enum Item {
    /// A frame of records begins; its header is good.
    case frameStart(at: UInt64)
    /// A commit, decoded: see `withCommit`.
    case commit(at: UInt64)
    /// The frame's end mark; the frame's bytes end at `at`.
    case frameEnd(at: UInt64)
    /// A skippable frame of ours with a good CRC.
    case skippable(SkippableFrame, at: UInt64)
    /// The file ends here. A later call continues if more was written.
    case end(End)
  }

  /// How a file ends.
  enum End: Equatable {
    /// Between two frames.
    case whole
    /// In a frame, after a whole block or the frame's header.
    case openFrame
    /// In the middle of something that begins at `offset`.
    case cut
  }

  /// Where the next item begins.
  private(set) var offset: UInt64
  /// Where the frame that it is in begins; nil between frames.
  private(set) var frame: UInt64?
  private var window: FileWindow
  private let decompressor: BlockDecompressor?
  /// The most that a frame may decode to, and how much the one that it is in has decoded to.
  private let largestFrame: Int
  private var decoded = 0

  /// A walk that begins between two frames. Without `decoding`, blocks are hopped over, their checksums unchecked.
  init(
    _ file: any DiskFile, from offset: UInt64, decoding: Bool = true, pieceLength: Int = FileWindow.usualPiece,
    largestFrame: Int = FrameFormat.largestFrame
  ) throws(StoreError) {
    self.offset = offset
    self.largestFrame = largestFrame
    window = FileWindow(file, pieceLength: pieceLength)
    decompressor = decoding ? try BlockDecompressor() : nil
  }

  /// The path of the file.
  var path: String { window.file.path }

  /// The next item.
  ///
  /// - Throws: `malformed` if the bytes follow no format, with file and offset; the next call throws the same again.
  func next() throws(StoreError) -> Item {
    do {
      return frame == nil ? try betweenFrames() : try inFrame()
    } catch {
      window.forget()
      throw error.code == .malformed ? error.shifted(by: offset).inFile(path) : error
    }
  }

  /// Lends the bytes of the commit that `next` just gave.
  func withCommit<Result, Failure: Error>(_ body: (Span<UInt8>) throws(Failure) -> Result) throws(Failure) -> Result {
    guard let decompressor else { preconditionFailure("this walk does not decode") }
    return try decompressor.withOutput(body)
  }

  /// Goes back to the start of the frame it is in, if it is in one, and reads from the file again from there on.
  func rewindFrame() {
    window.forget()
    guard let frame else { return }
    offset = frame
    self.frame = nil
  }

  private func betweenFrames() throws(StoreError) -> Item {
    guard let start = try window.number(at: offset) else {
      let rest = try window.file.size()
      return .end(rest <= offset ? .whole : .cut)
    }
    switch start {
    case FrameFormat.skippableMagic: return try skippable()
    case FrameFormat.magic: return try frameStart()
    default: throw StoreError(.malformed, "no frame begins here", offset: 0)
    }
  }

  private func skippable() throws(StoreError) -> Item {
    guard let said = try window.number(at: offset + 4) else { return .end(.cut) }
    let size = Int(said)
    guard let code = try window.number(at: offset + 8) else { return .end(.cut) }
    guard let kind = FrameKind(code: code) else { throw StoreError(.malformed, "a frame of unknown kind", offset: 8) }
    guard kind.payloads.contains(size) else {
      throw StoreError(.malformed, "a frame of ours says it has \(size) bytes", offset: 4)
    }
    let length = SkippableFrame.headLength + size
    guard let whole = try window.bytes(at: offset, count: length) else { return .end(.cut) }
    let found = try SkippableFrame(payload: whole.dropFirst(SkippableFrame.headLength))
    defer { offset += UInt64(length) }
    return .skippable(found, at: offset)
  }

  private func frameStart() throws(StoreError) -> Item {
    guard let header = try window.bytes(at: offset, count: FrameFormat.headerLength) else { return .end(.cut) }
    let flags = header[header.startIndex + 4]
    guard flags == FrameFormat.linkedFlags || flags == FrameFormat.independentFlags,
      header[header.startIndex + 5] == FrameFormat.blockDescriptor
    else { throw StoreError(.malformed, "an LZ4 frame of another kind than the log writes", offset: 4) }
    try decompressor?.begin(header: header)
    frame = offset
    decoded = 0
    defer { offset += UInt64(FrameFormat.headerLength) }
    return .frameStart(at: offset)
  }

  private func inFrame() throws(StoreError) -> Item {
    guard let size = try window.number(at: offset) else {
      let rest = try window.file.size()
      return .end(rest <= offset ? .openFrame : .cut)
    }
    if size == 0 { return endFrame(length: FrameFormat.endMark.count) }
    if size == FrameFormat.emptyBlockSize { return try afterEmptyBlock() }
    let length = Int(size & ~FrameFormat.rawBlock)
    guard length > 0, length <= FrameFormat.largestCommit else {
      throw StoreError(.malformed, "a block says it has \(length) bytes", offset: 0)
    }
    // Four bytes of size before the data, four of checksum after.
    guard let block = try window.bytes(at: offset, count: length + 8) else { return .end(.cut) }
    if let decompressor {
      try decompressor.decode(block: block)
      decoded += decompressor.count
      guard decoded <= largestFrame else {
        throw StoreError(.malformed, "a frame decodes to over \(largestFrame) bytes", offset: 0)
      }
    }
    defer { offset += UInt64(length + 8) }
    return .commit(at: offset)
  }

  /// An empty block exists for the sake of `lz4`, and ends the frame; see `FrameFormat.ending`.
  private func afterEmptyBlock() throws(StoreError) -> Item {
    let ending = FrameFormat.emptyBlock + FrameFormat.endMark
    guard let found = try window.bytes(at: offset, count: ending.count) else { return .end(.cut) }
    guard found.elementsEqual(ending) else {
      throw StoreError(.malformed, "an empty block that does not end its frame", offset: 0)
    }
    return endFrame(length: ending.count)
  }

  private func endFrame(length: Int) -> Item {
    frame = nil
    offset += UInt64(length)
    return .frameEnd(at: offset)
  }
}
