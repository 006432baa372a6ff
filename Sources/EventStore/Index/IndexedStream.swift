/// What the index of a segment says of one stream.
struct IndexedStream: Sendable, Hashable {
  /// The key of its name.
  var key: StreamKey
  /// The name, as bytes of UTF-8; empty if the records were pruned.
  var name: [UInt8]
  /// The revision of its first record in the segment.
  var firstRevision: Int
  /// How many records the segment has, or had, of it.
  var count: Int
  /// Where they stand, ascending; empty if they were pruned.
  var positions: [UInt64]

  /// The revision that the stream's next record has after this segment.
  var nextRevision: Int { firstRevision &+ count }

  /// A stream whose records are there.
  init(name: [UInt8], firstRevision: Int, positions: [UInt64]) {
    key = StreamKey(name)
    self.name = name
    self.firstRevision = firstRevision
    count = positions.count
    self.positions = positions
  }

  /// The same stream after its records were pruned: its name is gone too.
  var pruned: IndexedStream {
    var copy = self
    copy.name = []
    copy.positions = []
    return copy
  }

  /// Appends the entry as it stands in a page of the index. `base` is the segment's first position.
  func append(to out: inout [UInt8], base: UInt64) {
    key.append(to: &out)
    out.appendVarint(UInt64(name.count))
    out.append(contentsOf: name)
    out.appendVarint(UInt64(firstRevision))
    out.appendVarint(UInt64(count))
    var before = base
    for position in positions {
      out.appendVarint(position - before)
      before = position
    }
  }

  /// Reads an entry of the segment with the positions `range`.
  ///
  /// - Throws: `malformed`.
  init(from cursor: inout ByteCursor, range: Range<UInt64>) throws(StoreError) {
    key = try StreamKey(from: &cursor)
    name = Array(try cursor.take(try cursor.count(upTo: Envelope.longestName)))
    firstRevision = try cursor.count(upTo: Int.max / 4)
    count = try cursor.count(upTo: Int(clamping: range.upperBound - range.lowerBound))
    positions = []
    guard !name.isEmpty else { return }
    positions.reserveCapacity(Swift.min(count, cursor.remaining))
    var before = range.lowerBound
    for index in 0..<count {
      let step = try cursor.varint()
      let (position, overflowed) = before.addingReportingOverflow(step)
      guard !overflowed, position < range.upperBound, index == 0 || step > 0 else {
        throw StoreError(
          .malformed, "an index names a position outside of its segment", offset: UInt64(cursor.offset))
      }
      positions.append(position)
      before = position
    }
  }
}

/// Where a frame of a segment stands.
struct IndexedFrame: Sendable, Hashable {
  /// Where it begins in the file.
  var offset: UInt64
  /// The position of its first record.
  var first: UInt64
  /// Its bytes, end mark included.
  var length: UInt32
  /// How many records it has.
  var count: UInt32

  /// The position after its last record; it does not overflow for frames that were read.
  var end: UInt64 { first &+ UInt64(count) }
}
