/// The beginning of a segment or a slice: the prologue and the header frame.
struct FileHead {
  /// The header frame.
  var frame: SkippableFrame
  /// Where the frames of records begin.
  var end: UInt64
  /// A segment's header has some 2,500 bytes at most; a longer one, of a recording with digests, is read all the same.
  private static let usualLength = 4 << 10

  /// Reads the beginning of `file`.
  ///
  /// - Throws: `torn` if the file ends inside it, `malformed` if it is something else; both with file and offset.
  init(of file: any DiskFile) throws(StoreError) {
    let prologue = try file.read(at: 0, count: FrameFormat.prologue.count)
    if let wrong = zip(prologue, FrameFormat.prologue).enumerated().first(where: { $1.0 != $1.1 }) {
      throw StoreError(
        .malformed, "this is not a file of a FlowRecorder log", file: file.path, offset: UInt64(wrong.offset))
    }
    guard prologue.count == FrameFormat.prologue.count else {
      throw StoreError(
        .torn, "the file ends in its first bytes", file: file.path, offset: UInt64(prologue.count),
        advice: "run auditctl verify")
    }
    let walker = try SegmentWalker(file, from: UInt64(prologue.count), decoding: false, pieceLength: Self.usualLength)
    switch try walker.next() {
    case .skippable(let frame, _) where frame.kind == .head:
      self.frame = frame
      end = walker.offset
    case .end:
      throw StoreError(
        .torn, "the file ends in its header", file: file.path, offset: walker.offset, advice: "run auditctl verify")
    default:
      throw StoreError(
        .malformed, "the file's header is not there", file: file.path, offset: UInt64(prologue.count))
    }
  }
}
