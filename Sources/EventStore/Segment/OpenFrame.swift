/// The facts about a frame while it is written: all that its directory will say.
struct OpenFrame {
  /// Where it begins in the file.
  let offset: UInt64
  /// The position of its first record.
  let first: UInt64
  /// How many bytes it decodes to.
  private(set) var rawBytes: UInt64 = 0
  /// How many bytes its largest block has as it is stored.
  private(set) var largestBlock = 0
  /// The stream of each record, as an index in `streams`.
  private var records: [UInt32] = []
  private var streams: [FrameStream] = []
  private var index: [ByteName: Int] = [:]
  /// Where streams of the queue are in `streams`, by the last bits of their serial numbers.
  private var places: [KnownPlace] = []

  /// The place of a stream of the queue.
  private struct KnownPlace {
    var serial: UInt64
    var place: Int
  }

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

  /// The bytes that end it: its end mark, and an empty block before it if one is needed.
  var ending: [UInt8] { FrameFormat.ending(afterBlockOf: largestBlock) }

  /// Adds a block; its records are noted one by one.
  mutating func add(rawBytes count: Int, stored: Int) {
    rawBytes += UInt64(count)
    largestBlock = max(largestBlock, stored)
  }

  /// Adds the next record, of `stream` with that revision.
  mutating func note(stream: String, revision: Int) {
    if let last = records.last.map(Int.init), ByteName.isSame(streams[last].name, stream) {
      note(at: last)
    } else {
      note(at: place(of: stream, revision: revision))
    }
  }

  /// Adds the next record, of a stream with that name and a serial number that no other has. Cost: mostly without
  /// hashing the name.
  mutating func note(stream: String, serial: UInt64, revision: Int) {
    if places.isEmpty { places = Array(repeating: .init(serial: .max, place: 0), count: Self.placesLength) }
    let known = Int(truncatingIfNeeded: serial) & (Self.placesLength - 1)
    if places[known].serial != serial {
      places[known] = .init(serial: serial, place: place(of: stream, revision: revision))
    }
    note(at: places[known].place)
  }

  /// How many places are remembered at once: a power of two.
  private static let placesLength = 256

  private mutating func note(at place: Int) {
    streams[place].count += 1
    records.append(UInt32(truncatingIfNeeded: place))
  }

  private mutating func place(of stream: String, revision: Int) -> Int {
    if let known = index[ByteName(stream)] { return known }
    index[ByteName(stream)] = streams.count
    streams.append(.init(name: stream, firstRevision: revision, count: 0))
    return streams.count - 1
  }

  /// The revision of the next record of `stream`, or nil if the frame has no record of it.
  func nextRevision(of stream: String) -> Int? {
    index[ByteName(stream)].map { streams[$0].firstRevision + streams[$0].count }
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
