// The last segment of a copy: each byte that is added is decoded, hashed and compared with what the frames state.

/// A segment that grows by bytes from elsewhere.
struct MirrorSegment {
  /// The position of its first record.
  let first: UInt64
  /// Its file.
  let file: any DiskFile
  /// Its header.
  let header: SegmentHeader
  /// What was verified.
  private(set) var tail: Tail
  /// How many bytes the file has. Those after `tail.offset` are the beginning of an incomplete element.
  private(set) var size: UInt64
  /// True if nothing may follow: it has its footer.
  private(set) var isClosed: Bool
  /// True if it was sealed or pruned.
  let isRewritten: Bool
  private let walker: SegmentWalker

  /// Opens a segment, and cuts off an incomplete element.
  ///
  /// - Throws: `torn` or `malformed` if its header is not whole.
  init(of first: UInt64, in layout: StoreLayout, on disk: any Disk) throws(StoreError) {
    self.first = first
    file = try disk.open(layout.segment(first), .update)
    let head = try FileHead(of: file)
    header = try SegmentHeader(frame: head.frame)
    tail = try Tail(of: file, head: head, header: header)
    isClosed = tail.isSealed
    isRewritten = tail.isSealed ? try FooterPlace.form(in: file) != .closed : false
    if try file.size() > tail.offset { try file.truncate(to: tail.offset) }
    size = tail.offset
    walker = try SegmentWalker(file, from: tail.open?.offset ?? tail.offset)
    // Inside an open frame, the decoder needs the earlier bytes of the frame.
    while walker.offset < tail.offset, !isClosed { _ = try walker.next() }
  }

  /// Where its verified bytes end.
  var end: MirrorPlace {
    MirrorPlace(segment: first, form: isRewritten ? .rewritten : .written, offset: tail.offset)
  }

  /// Adds bytes at the end, and verifies each element that is now complete. `note` checks each checkpoint, given the
  /// log's tree before it, and throws what is wrong with it.
  ///
  /// - Throws: `malformed` if the bytes do not verify: the object is then unusable, and the file must be cut again.
  mutating func append(
    _ bytes: ArraySlice<UInt8>, note: (SignedNote, MirrorPlace) throws(StoreError) -> Void
  ) throws(StoreError) {
    guard !isClosed else {
      throw StoreError(.malformed, "bytes stand behind the footer", file: file.path, offset: size)
    }
    try file.write(Array(bytes).span, at: size)
    size += UInt64(bytes.count)
    while true {
      let item = try walker.next()
      if isClosed {
        guard case .end(.whole) = item else {
          throw StoreError(.malformed, "bytes stand behind the footer", file: file.path, offset: tail.offset)
        }
        return
      }
      switch item {
      case .end: return
      case .skippable(let frame, _) where frame.kind == .footer: try close()
      case .skippable(let frame, let start) where frame.kind == .note:
        _ = try tail.take(item, from: walker)
        let found = try MirrorSegment.note(in: frame, at: start, of: file)
        guard found.size == tail.frontier.size,
          found.root == tail.frontier.root
        else {
          throw StoreError(
            .malformed, "a checkpoint of \(found.size) records is not of the log before it", file: file.path,
            offset: start)
        }
        try note(found, MirrorPlace(segment: first, offset: walker.offset))
      case .frameStart, .commit, .frameEnd, .skippable: _ = try tail.take(item, from: walker)
      }
      tail.offset = walker.offset
    }
  }

  private mutating func close() throws(StoreError) {
    // It has exactly one valid encoding.
    guard tail.open == nil, tail.owed == nil, size == walker.offset, let place = try FooterPlace.body(in: file),
      case let contents = try SegmentContents(directoriesOf: file, limit: nil), contents.frontier == tail.frontier,
      try SegmentIndex.encode(contents) == file.read(at: place.offset, count: place.length)
    else { throw StoreError(.malformed, "a footer does not match its segment", file: file.path, offset: size) }
    isClosed = true
  }

  /// The checkpoint in a frame.
  static func note(
    in frame: SkippableFrame, at offset: UInt64, of file: any DiskFile
  ) throws(StoreError) -> SignedNote {
    guard let text = String(validating: frame.body, as: UTF8.self), let note = try? SignedNote(text: text) else {
      throw StoreError(.malformed, "a checkpoint in the segment cannot be read", file: file.path, offset: offset)
    }
    return note
  }
}
