// The index of the segment that is written to, in memory: follows its directories as they come.

/// The known facts about the last segment. Not for two threads at a time.
struct ActiveIndex {
  /// The position of its first record.
  let first: UInt64
  /// Its file.
  let file: any DiskFile
  /// The frames that have their directory, in order.
  private(set) var frames: [IndexedFrame] = []
  /// How many bytes they decode to.
  private(set) var rawBytes: UInt64 = 0
  /// The tree after them.
  private(set) var frontier: MerkleFrontier
  /// The offset in the file from which nothing has a directory yet.
  private(set) var offset: UInt64
  private var gathering = StreamGathering()

  /// The index of a segment as it is now.
  init(_ file: any DiskFile) throws(StoreError) {
    try self.init(try SegmentHeader(frame: try FileHead(of: file).frame).first, of: file)
    try update()
  }

  /// The index of a segment; empty until `update`.
  init(_ first: UInt64, of file: any DiskFile) throws(StoreError) {
    let head = try FileHead(of: file)
    self.first = first
    self.file = file
    frontier = try SegmentHeader(frame: head.frame).frontier
    offset = head.end
  }

  /// The position after the last record that it knows.
  var end: UInt64 { frontier.size }

  /// The position after the last record of a segment that was sealed or pruned since it was listed as the last one, or
  /// whose followers were lost; nil for one that is still being written, or was closed just now. Only a sealed or
  /// pruned one has no directories.
  var footerEnd: UInt64? {
    get throws(StoreError) {
      guard frames.isEmpty, let footer = try FooterPlace.index(in: file),
        // A torn segment may end with bytes that look like a footer.
        try SegmentEnds.agree(of: file, headEnd: try FileHead(of: file).end)
      else { return nil }
      return footer.end
    }
  }

  /// How many streams begin here.
  var begunStreams: Int { gathering.begun }

  /// Takes in the directories that were written since. Cost: a hop over the new bytes. Stops at a directory that is
  /// damaged or half written; the reader that decodes the rest will find it.
  mutating func update() throws(StoreError) {
    guard try file.size() > offset else { return }
    let walker = try SegmentWalker(file, from: offset, decoding: false)
    var owesDirectory = false
    while true {
      do throws(StoreError) {
        switch try walker.next() {
        case .skippable(let frame, _):
          guard frame.kind == .directory ? take(try FrameDirectory(body: frame.body)) : !owesDirectory else { return }
          owesDirectory = false
          offset = walker.offset
        case .frameStart: owesDirectory = true
        case .commit, .frameEnd: continue
        case .end: return
        }
      } catch {
        if error.code == .malformed { return }
        throw error
      }
    }
  }

  private mutating func take(_ directory: FrameDirectory) -> Bool {
    guard directory.first == end, directory.count > 0, directory.offset >= offset,
      let length = UInt32(exactly: directory.length)
    else { return false }
    frames.append(
      IndexedFrame(offset: directory.offset, first: directory.first, length: length, count: directory.count))
    rawBytes &+= directory.rawBytes
    frontier = directory.frontier
    for stream in directory.streams {
      gathering.add(stream.name, firstRevision: stream.firstRevision, positions: stream.positions)
    }
    return true
  }

  /// What it knows of a stream.
  func stream(_ name: [UInt8]) -> (firstRevision: Int, positions: [UInt64])? { gathering[name] }

  /// Everything it knows, in the form of the segment's footer.
  var contents: SegmentContents {
    var contents = SegmentContents(first: first, frontier: frontier)
    (contents.frames, contents.rawBytes, contents.streams) = (frames, rawBytes, gathering.sorted)
    return contents
  }

  /// The keys of all streams.
  var keys: Set<StreamKey> { Set(gathering.sorted.map(\.key)) }

  /// The frame that holds `position`, or nil.
  func frame(of position: UInt64) -> IndexedFrame? {
    let after = frames.partitioningIndex { $0.first > position }
    guard after > 0, position < frames[after - 1].end else { return nil }
    return frames[after - 1]
  }
}

extension Array {
  /// The first index whose element fulfills `predicate`, in an array in which all later elements do too.
  package func partitioningIndex(_ predicate: (Element) -> Bool) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = low + (high - low) / 2
      if predicate(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
