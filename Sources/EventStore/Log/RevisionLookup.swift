/// Finds the streams that are on disk, by the indexes of the segments. The caller has the right to write.
struct RevisionLookup {
  let layout: StoreLayout
  let disk: any Disk
  let writer: SegmentWriter
  let catalog: SegmentCatalog

  /// The next revision of each of `streams`; 0 if the log has no record of it. All queued records must have been
  /// written. Cost: a hop over what was written since the last look-up, then a look at the filter of each segment for
  /// each stream.
  func next(of streams: [String]) throws(StoreError) -> [Int] {
    var found = streams.map { writer.nextRevision(of: $0) }
    if found.contains(nil) {
      try catalog.withActive(writer.first) { index throws(StoreError) in
        for place in streams.indices where found[place] == nil {
          found[place] = index.stream(Array(streams[place].utf8)).map { $0.firstRevision + $0.positions.count }
        }
      }
    }
    var rest = streams.indices.filter { found[$0] == nil }.map { (place: $0, key: StreamKey(of: streams[$0])) }
    let firsts: [UInt64] = rest.isEmpty ? [] : try layout.segmentList(on: disk).reversed()
    var next = writer.first
    for first in firsts where first < writer.first {
      for (place, key) in rest where try catalog.mayHave(key, in: first, before: next) {
        found[place] = try self.next(Array(streams[place].utf8), key, in: first, before: next)
      }
      rest.removeAll { found[$0.place] != nil }
      next = first
    }
    return found.map { $0 ?? 0 }
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

  /// The streams that the log has now, as far as their filters show. Cost: one small read a segment.
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
