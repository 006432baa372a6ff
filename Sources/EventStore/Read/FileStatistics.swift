// What is known of a damaged log without its records.

extension LogReader {
  /// Counts and sizes of the files of a log whose records cannot all be read. Records and streams are those of the
  /// segments that were pruned; a segment whose index is damaged counts as neither sealed nor pruned.
  ///
  /// - Throws: `StoreError` if the segments cannot be listed. Cost: one small read a segment.
  package func fileStatistics() throws(StoreError) -> StoreStatistics {
    var counts = StoreStatistics(
      records: 0, streams: 0, segments: 0, bytesOnDisk: 0, bytesRaw: 0,
      lastCheckpoint: try? layout.latestCheckpoint(on: disk))
    let firsts = try layout.segmentList(on: disk)
    for (number, first) in firsts.enumerated() {
      counts.segments += 1
      counts.bytesOnDisk += (try? disk.open(layout.segment(first), .read).size()) ?? 0
      guard number + 1 < firsts.count, let index = try? catalog.segment(first, before: firsts[number + 1]).index else {
        continue
      }
      if index.isPruned {
        counts.prunedSegments += 1
        counts.streams += index.begunStreams
        (counts.records, counts.prunedRecords) = (index.end, index.end)
      } else if index.form == .sealed {
        counts.sealedSegments += 1
      }
    }
    return counts
  }
}
