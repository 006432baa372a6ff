/// What is known of a frame while it is written: all that its directory will say.
struct OpenFrame {
  /// Where it begins in the file.
  let offset: UInt64
  /// The position of its first record.
  let first: UInt64
  /// How many bytes it decodes to.
  private(set) var rawBytes: UInt64 = 0
  /// The stream of each record, as an index in `streams`.
  private var records: [UInt32] = []
  private var streams: [FrameStream] = []
  private var index: [String: Int] = [:]

  /// A stream that has records in the frame.
  private struct FrameStream {
    var name: String
    var firstRevision: Int
    var count: Int
  }

  /// A frame without records.
  init(offset: UInt64, first: UInt64) {
    self.offset = offset
    self.first = first
  }

  /// How many records it has.
  var count: UInt32 { UInt32(records.count) }

  /// Adds a commit's size; its records are noted one by one.
  mutating func add(rawBytes count: Int) { rawBytes += UInt64(count) }

  /// Adds the next record, of `stream` with that revision.
  mutating func note(stream: String, revision: Int) {
    let place: Int
    if let last = records.last.map(Int.init), streams[last].name == stream {
      place = last
    } else if let known = index[stream] {
      place = known
    } else {
      place = streams.count
      index[stream] = place
      streams.append(.init(name: stream, firstRevision: revision, count: 0))
    }
    streams[place].count += 1
    records.append(UInt32(place))
  }

  /// The revision that the next record of `stream` has, or nil where the frame has none of it.
  func nextRevision(of stream: String) -> Int? {
    index[stream].map { streams[$0].firstRevision + streams[$0].count }
  }

  /// The directory of the frame, now `length` bytes long with its end mark.
  func directory(length: UInt64, previous: UInt64, synced: UInt64, frontier: MerkleFrontier) -> FrameDirectory {
    var said = streams.map { stream in
      var positions: [UInt64] = []
      positions.reserveCapacity(stream.count)
      return FrameDirectory.Stream(
        name: Array(stream.name.utf8), firstRevision: stream.firstRevision, positions: positions)
    }
    for (record, place) in records.enumerated() { said[Int(place)].positions.append(first + UInt64(record)) }
    return FrameDirectory(
      previous: previous, offset: offset, length: length, first: first, count: count, rawBytes: rawBytes,
      synced: synced, frontier: frontier, streams: said)
  }
}
