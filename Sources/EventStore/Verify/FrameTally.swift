/// The content of a frame as counted by a check, to compare with its directory. Taken from the bytes alone: the
/// writer's bookkeeping is not used here.
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
  /// Its number among the frames of the check, from 1 on.
  let number: Int

  init(offset: UInt64, first: UInt64, number: Int) {
    self.offset = offset
    self.first = first
    self.number = number
  }

  /// Counts a record of `stream`, and notes there where the frame has that stream.
  mutating func see(_ envelope: Envelope, of stream: inout StreamTable.Entry) {
    count += 1
    if stream.frame == number {
      streams[stream.place].positions.append(envelope.position)
    } else {
      (stream.frame, stream.place) = (number, streams.count)
      streams.append(.init(name: stream.name, firstRevision: envelope.revision, positions: [envelope.position]))
    }
  }

  /// What is wrong in `directory`, or nil.
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
