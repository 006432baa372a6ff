/// Finds what the disk knows of streams, by the indexes of the segments. The caller has the right to write.
struct RevisionLookup {
  let layout: StoreLayout
  let disk: any Disk
  let writer: SegmentWriter
  let catalog: SegmentCatalog

  /// The next revision of `stream`; 0 where the log has no record of it. What was queued must have been written. Cost: a
  /// hop over what was written since the last look-up, then a look at the filter of each segment.
  func next(of stream: String) throws(StoreError) -> Int {
    if let next = writer.nextRevision(of: stream) { return next }
    let name = Array(stream.utf8)
    let inLast = try catalog.withActive(writer.first) { index throws(StoreError) in
      index.stream(name).map { $0.firstRevision + $0.positions.count }
    }
    if let inLast { return inLast }
    let key = StreamKey(name)
    var next = writer.first
    for first in try layout.segmentList(on: disk).reversed() where first < writer.first {
      if try catalog.mayHave(key, in: first, before: next),
        let found = try self.next(name, key, in: first, before: next)
      {
        return found
      }
      next = first
    }
    return 0
  }

  private func next(
    _ name: [UInt8], _ key: StreamKey, in first: UInt64, before next: UInt64
  ) throws(StoreError) -> Int? {
    do throws(StoreError) {
      return try catalog.segment(first, before: next).index.stream(name, key: key)?.nextRevision
    } catch {
      guard error.code == .malformed else { throw error }
    }
    return try catalog.rebuilt(first, before: next).index.stream(name, key: key)?.nextRevision
  }

  /// The streams that the log has now, as far as their filters tell. Cost: one small read a segment.
  func older() throws(StoreError) -> OlderStreams {
    var older = OlderStreams()
    older.keys = try catalog.withActive(writer.first) { index throws(StoreError) in index.keys }
    let firsts = try layout.segmentList(on: disk).filter { $0 <= writer.first }
    for (first, next) in zip(firsts, firsts.dropFirst()) {
      older.filters.append(try catalog.segment(first, before: next).index.filter)
    }
    return older
  }
}
