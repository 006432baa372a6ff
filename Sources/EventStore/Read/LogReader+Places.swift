// Finds many places of one log at once; each one alone would be searched for from the end of the last segment.

extension LogReader {
  /// Calls `body` with a cursor before each of some records, in the order of their positions. Cost: of the last segment
  /// the directories are read once, beside what `cursor(from:)` costs in the others.
  ///
  /// - Throws: what `cursor(from:)` throws, for the first position that it throws for.
  package func forEachCursor(
    from positions: some Collection<UInt64>, _ body: (UInt64, inout RecordCursor) throws(StoreError) -> Void
  ) throws(StoreError) {
    let sorted = positions.sorted()
    let last = try layout.segmentList(on: disk).last
    let begin = last.map { last in sorted.partitioningIndex { $0 > last } } ?? sorted.count
    for position in sorted[..<begin] {
      var cursor = try cursor(from: position)
      try body(position, &cursor)
    }
    guard let last, begin < sorted.count else { return }
    let file = try disk.open(layout.segment(last), .read)
    let frames = try Self.frames(of: file)
    for position in sorted[begin...] {
      let index = frames.partitioningIndex { $0.first > position } - 1
      // The segment was sealed meanwhile, or the record is in no closed frame: it is searched for separately.
      guard index >= 0, try !file.isReplaced() else {
        var cursor = try cursor(from: position)
        try body(position, &cursor)
        continue
      }
      let reading = try SegmentReading(
        layout: layout, disk: disk, segment: last, offset: frames[index].offset, position: frames[index].first, in: file
      )
      reading.skip(to: position)
      var cursor = RecordCursor(reading)
      try body(position, &cursor)
    }
  }

  /// The closed frames of a segment, by the positions of their first records, and what stands behind the last of them.
  private static func frames(of file: any DiskFile) throws(StoreError) -> [(first: UInt64, offset: UInt64)] {
    let headEnd = try FileHead(of: file).end
    let last = try DirectoryChain.last(of: file, headEnd: headEnd)
    guard var directory = last.directory else { return [] }
    var frames = [(directory.end, last.end), (directory.first, directory.offset)]
    while let before = try DirectoryChain.directory(before: directory, of: file) {
      directory = before
      frames.append((directory.first, directory.offset))
    }
    return frames.reversed().map { (first: $0.0, offset: $0.1) }
  }
}
