// The directory that follows each closed frame, so that opening a log and reading one stream need not decode earlier
// frames.
//
//     previous u64 | offset u64 | length u64 | first u64 | count u32 | raw u64 | synced u64
//     subtree hashes, 32 bytes each, largest first, as many as bits are set in first + count
//     number of streams, varint; for each, in order of first sight:
//       length of name, name, first revision, number of records, then each position: the first less `first`, the others
//       less the one before; all numbers varints

/// The content of a directory, about the frame before it.
struct FrameDirectory: Sendable, Hashable {
  /// One stream of the frame.
  struct Stream: Sendable, Hashable {
    /// The name, as bytes of UTF-8.
    var name: [UInt8]
    /// The revision of its first record in the frame.
    var firstRevision: Int
    /// Where its records stand, ascending.
    var positions: [UInt64]
  }

  /// The offset of the directory before this one in the file; 0 if there is none.
  var previous: UInt64
  /// Where the frame begins in the file.
  var offset: UInt64
  /// How many bytes the frame has, end mark included.
  var length: UInt64
  /// The position of its first record.
  var first: UInt64
  /// How many records it has.
  var count: UInt32
  /// How many bytes it decodes to.
  var rawBytes: UInt64
  /// All records before this position were known to be synced when this was written.
  var synced: UInt64
  /// The tree after the frame; its size is `first` + `count`.
  var frontier: MerkleFrontier
  /// The frame's streams, in order of first sight.
  var streams: [Stream]

  /// The most that stands before its streams: eight numbers, one of which has four bytes, and 64 hashes.
  static let longestHead = 56 + 64 * 32

  /// The position after the last record of the frame.
  var end: UInt64 { first + UInt64(count) }

  /// The body of the frame that says this.
  var encoded: [UInt8] {
    var out: [UInt8] = []
    for value in [previous, offset, length, first] { out.appendUInt64(value) }
    out.appendUInt32(count)
    out.appendUInt64(rawBytes)
    out.appendUInt64(synced)
    for hash in frontier.hashes { hash.append(to: &out) }
    out.appendVarint(UInt64(streams.count))
    for stream in streams {
      out.appendVarint(UInt64(stream.name.count))
      out.append(contentsOf: stream.name)
      out.appendVarint(UInt64(stream.firstRevision))
      out.appendVarint(UInt64(stream.positions.count))
      var before = first
      for position in stream.positions {
        out.appendVarint(position - before)
        before = position
      }
    }
    return out
  }

  /// A directory from its parts.
  init(
    previous: UInt64, offset: UInt64, length: UInt64, first: UInt64, count: UInt32, rawBytes: UInt64, synced: UInt64,
    frontier: MerkleFrontier, streams: [Stream]
  ) {
    self.previous = previous
    self.offset = offset
    self.length = length
    self.first = first
    self.count = count
    self.rawBytes = rawBytes
    self.synced = synced
    self.frontier = frontier
    self.streams = streams
  }

  /// Reads a body. Without `wantingStreams` the streams are left out.
  ///
  /// - Throws: `malformed` with the offset in it.
  init(body: [UInt8], wantingStreams: Bool = true) throws(StoreError) {
    var cursor = ByteCursor(body)
    previous = try cursor.uint64()
    offset = try cursor.uint64()
    length = try cursor.uint64()
    first = try cursor.uint64()
    count = try cursor.uint32()
    rawBytes = try cursor.uint64()
    synced = try cursor.uint64()
    let (end, overflowed) = first.addingReportingOverflow(UInt64(count))
    guard !overflowed, synced <= end, rawBytes <= UInt64(FrameFormat.largestFrame),
      length <= UInt64(FrameFormat.largestStoredFrame),
      [previous, offset, end].allSatisfy({ $0 <= FrameFormat.largestNumber })
    else {
      throw StoreError(.malformed, "a directory's numbers cannot be together", offset: 24)
    }
    var hashes: [TreeHash] = []
    for _ in 0..<end.nonzeroBitCount {
      if let hash = TreeHash(bytes: try cursor.take(32)) { hashes.append(hash) }
    }
    guard let frontier = MerkleFrontier(size: end, hashes: hashes) else {
      throw StoreError(.malformed, "a directory's hashes do not fit its size", offset: UInt64(cursor.offset))
    }
    self.frontier = frontier
    streams = []
    guard wantingStreams else { return }
    // A few packed bytes can name millions of streams, each of which takes memory; no frame has that many records.
    guard UInt64(count) <= rawBytes / UInt64(Envelope.shortestLine + 1) else {
      throw StoreError(.malformed, "a directory has more records than its frame has room for", offset: 32)
    }
    streams = try Self.streams(from: &cursor, first: first, count: count)
  }

  private static func streams(
    from cursor: inout ByteCursor, first: UInt64, count: UInt32
  ) throws(StoreError) -> [Stream] {
    var streams: [Stream] = []
    var names: Set<[UInt8]> = []
    var total = 0
    for _ in 0..<(try cursor.count(upTo: Int(count))) {
      let name = Array(try cursor.take(try cursor.count(upTo: Envelope.longestName)))
      guard names.insert(name).inserted else {
        throw StoreError(.malformed, "a directory names a stream twice", offset: UInt64(cursor.offset))
      }
      let firstRevision = try cursor.count(upTo: Int.max / 2)
      let records = try cursor.count(upTo: Int(count))
      total += records
      var positions: [UInt64] = []
      positions.reserveCapacity(Swift.min(records, cursor.remaining))
      var before = first
      for index in 0..<records {
        let step = try cursor.varint()
        let (position, overflowed) = before.addingReportingOverflow(step)
        guard !overflowed, position < first + UInt64(count), index == 0 || step > 0 else {
          throw StoreError(
            .malformed, "a directory names a position outside of its frame", offset: UInt64(cursor.offset))
        }
        positions.append(position)
        before = position
      }
      streams.append(Stream(name: name, firstRevision: firstRevision, positions: positions))
    }
    guard total == Int(count), cursor.remaining == 0 else {
      throw StoreError(
        .malformed, "a directory does not cover its frame's records", offset: UInt64(cursor.offset))
    }
    return streams
  }
}
