/// What a frame was seen to hold, to compare with what its directory says. Made from the bytes alone: the writer's own
/// book-keeping is not used here.
struct FrameTally {
  /// Where the frame begins in the file.
  let offset: UInt64
  /// The position of its first record.
  let first: UInt64
  /// How many records it has.
  var count: UInt32 = 0
  /// How many bytes it decodes to.
  var rawBytes: UInt64 = 0
  /// The streams, in order of first sight.
  private(set) var streams: [FrameDirectory.Stream] = []
  /// Where each stands in `streams`.
  private var places: [[UInt8]: Int] = [:]

  init(offset: UInt64, first: UInt64) {
    self.offset = offset
    self.first = first
  }

  /// Counts a record.
  mutating func see(_ envelope: Envelope, stream: [UInt8]) {
    count += 1
    if let place = places[stream] {
      streams[place].positions.append(envelope.position)
    } else {
      places[stream] = streams.count
      streams.append(.init(name: stream, firstRevision: envelope.revision, positions: [envelope.position]))
    }
  }

  /// What `directory` says wrong, or nil.
  func difference(
    from directory: FrameDirectory, standingAt place: UInt64, after previous: UInt64, frontier: MerkleFrontier
  ) -> String? {
    if directory.offset != offset || directory.length != place - offset { return "its place or length" }
    if directory.previous != previous { return "the directory before it" }
    if directory.first != first || directory.count != count { return "its positions" }
    if directory.rawBytes != rawBytes { return "its size" }
    if directory.frontier != frontier { return "its subtree hashes" }
    return streams == directory.streams ? nil : "its streams"
  }
}
