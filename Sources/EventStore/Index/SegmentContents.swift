// What an index is made from: everything that is known of a closed segment, in memory.

/// The frames and streams of a segment, in the order of the log, before they are laid out.
struct SegmentContents: Sendable, Hashable {
  /// The position of the first record.
  let first: UInt64
  /// The tree after the last record.
  var frontier: MerkleFrontier
  /// How many bytes the lines have, with their `\n`.
  var rawBytes: UInt64 = 0
  /// The frames, in order.
  var frames: [IndexedFrame] = []
  /// The hashes of the tree that the segment keeps, in the order of `SegmentNodes`.
  var nodes: [TreeHash] = []
  /// The form in which the segment holds its records.
  var form = SegmentForm.closed
  /// True if the records were pruned.
  var isPruned: Bool { form == .pruned }
  /// The streams, sorted by key.
  var streams: [IndexedStream] = []

  /// How many records it has.
  var count: UInt64 { frontier.size &- first }

  /// A segment without records.
  init(first: UInt64, frontier: MerkleFrontier) {
    self.first = first
    self.frontier = frontier
  }

  /// From the directories of a segment's frames, in order; frames that begin at `limit` or later are left out.
  init(
    directories: [FrameDirectory], header: MerkleFrontier, limit: UInt64 = .max
  ) throws(StoreError) {
    self.init(first: header.size, frontier: header)
    var gathering = StreamGathering()
    for directory in directories where directory.end <= limit {
      try add(directory, to: &gathering)
    }
    streams = gathering.sorted
  }

  private mutating func add(
    _ directory: FrameDirectory, to gathering: inout StreamGathering
  ) throws(StoreError) {
    guard directory.first == frontier.size, let length = UInt32(exactly: directory.length) else {
      throw StoreError(.malformed, "a directory does not follow the one before", position: directory.first)
    }
    frames.append(
      IndexedFrame(offset: directory.offset, first: directory.first, length: length, count: directory.count))
    rawBytes &+= directory.rawBytes
    frontier = directory.frontier
    for stream in directory.streams {
      gathering.add(stream.name, firstRevision: stream.firstRevision, positions: stream.positions)
    }
  }
}

/// Gathers the streams of a segment from its parts.
struct StreamGathering: Sendable {
  private var places: [[UInt8]: Int] = [:]
  private var streams: [(name: [UInt8], firstRevision: Int, positions: [UInt64])] = []

  /// How many streams there are.
  var count: Int { streams.count }

  /// Adds records of a stream, which follow those that it has.
  mutating func add(_ name: [UInt8], firstRevision: Int, positions: [UInt64]) {
    if let place = places[name] {
      streams[place].positions.append(contentsOf: positions)
    } else {
      places[name] = streams.count
      streams.append((name, firstRevision, positions))
    }
  }

  /// Adds one record.
  mutating func add(_ name: [UInt8], revision: Int, position: UInt64) {
    if let place = places[name] {
      streams[place].positions.append(position)
    } else {
      places[name] = streams.count
      streams.append((name, revision, [position]))
    }
  }

  /// The known facts about one stream.
  subscript(name: [UInt8]) -> (firstRevision: Int, positions: [UInt64])? {
    places[name].map { (streams[$0].firstRevision, streams[$0].positions) }
  }

  /// The streams, sorted by key.
  var sorted: [IndexedStream] {
    streams.map { IndexedStream(name: $0.name, firstRevision: $0.firstRevision, positions: $0.positions) }
      .sorted { $0.key < $1.key }
  }

  /// How many streams begin here.
  var begun: Int { streams.count { $0.firstRevision == 0 } }
}
