/// What is known of a frame while it is written: all that its directory will say.
struct OpenFrame {
  /// Where it begins in the file.
  let offset: UInt64
  /// The position of its first record.
  let first: UInt64
  /// How many records it has.
  private(set) var count: UInt32 = 0
  /// How many bytes it decodes to.
  private(set) var rawBytes: UInt64 = 0
  private var streams: [FrameDirectory.Stream] = []
  private var index: [String: Int] = [:]

  /// A frame without records.
  init(offset: UInt64, first: UInt64) {
    self.offset = offset
    self.first = first
  }

  /// Adds a commit's size; its records are noted one by one.
  mutating func add(rawBytes count: Int) { rawBytes += UInt64(count) }

  /// Adds the next record, of `stream` with that revision.
  mutating func note(stream: String, revision: Int) {
    let position = first + UInt64(count)
    count += 1
    if let known = index[stream] {
      streams[known].positions.append(position)
    } else {
      index[stream] = streams.count
      streams.append(.init(name: Array(stream.utf8), firstRevision: revision, positions: [position]))
    }
  }

  /// The revision that the next record of `stream` has, or nil where the frame has none of it.
  func nextRevision(of stream: String) -> Int? {
    index[stream].map { streams[$0].firstRevision + streams[$0].positions.count }
  }

  /// The directory of the frame, now `length` bytes long with its end mark.
  func directory(length: UInt64, previous: UInt64, synced: UInt64, frontier: MerkleFrontier) -> FrameDirectory {
    FrameDirectory(
      previous: previous, offset: offset, length: length, first: first, count: count, rawBytes: rawBytes,
      synced: synced, frontier: frontier, streams: streams)
  }
}
