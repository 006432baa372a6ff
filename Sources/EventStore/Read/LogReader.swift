/// A store, opened for reading; any process, also while a writer has it. Takes no lock and writes nothing.
public struct LogReader: Sendable {
  /// The store's directory, as it was given.
  public let directory: String
  /// The store's identity when it was opened.
  public let identity: StoreIdentity
  let layout: StoreLayout
  let disk: any Disk
  let catalog: SegmentCatalog

  /// Opens the store at `directory`.
  ///
  /// - Throws: `notFound` if there is no such directory, `notAStore` if it holds no store, `malformed`, `unsupported`,
  ///   `permission`.
  public init(directory: String) throws(StoreError) {
    try self.init(directory: directory, disk: SystemDisk())
  }

  package init(directory: String, disk: any Disk) throws(StoreError) {
    self.directory = directory
    self.disk = disk
    layout = StoreLayout(directory)
    catalog = SegmentCatalog(layout: layout, disk: disk)
    identity = try StoreIdentity(of: layout, on: disk)
  }

  /// A cursor that gives the records from `position` on; a position behind the end is waited for. Without one, it
  /// begins with the first record that was not pruned. Cost: finds the frame by the index of its segment.
  ///
  /// - Throws: `pruned` if the record was pruned, `missingSegment` if the log begins later, `malformed`, `torn`,
  ///   `unsupported` or `altered` if the beginning, a directory or the footer of a segment on the way is damaged or of a
  ///   later version, and what the disk throws.
  public func cursor(from position: UInt64? = nil) throws(StoreError) -> RecordCursor {
    RecordCursor(try reading(from: position))
  }

  /// A place before a record; without a position, before the first that is kept.
  func reading(from position: UInt64?) throws(StoreError) -> SegmentReading {
    let kept = try firstKept()
    let position = position ?? kept
    guard position >= kept else { throw pruned(position, before: kept) }
    return try reading(at: position)
  }

  /// The error for a position that was pruned.
  public func pruned(_ position: UInt64, before kept: UInt64) -> StoreError {
    StoreError(
      .pruned, "the records before \(kept) were pruned", file: directory, position: position,
      advice: "begin with position \(kept)")
  }

  private func reading(at position: UInt64) throws(StoreError) -> SegmentReading {
    let firsts = try layout.segmentList(on: disk)
    let number = firsts.partitioningIndex { $0 > position } - 1
    while number >= 0, number + 1 < firsts.count, position > firsts[number] {
      let segment = try catalog.segment(firsts[number], before: firsts[number + 1])
      guard let frame = segment.index.frame(of: position) else { break }
      let reading = try SegmentReading(
        layout: layout, disk: disk, segment: firsts[number], offset: frame.offset, position: frame.first)
      reading.skip(to: position)
      // If the segment was sealed just now, the offset is not one of the new file.
      if try !segment.file.isReplaced() { return reading }
    }
    return try SegmentReading(layout: layout, disk: disk, position: position)
  }

  /// The position of the first record that was not pruned; 0 if none was. Cost: a look at a few segments.
  ///
  /// - Throws: `malformed` if a segment's header or footer is damaged, and what the disk throws.
  public func firstKept() throws(StoreError) -> UInt64 {
    try PrunedSegments(layout: layout, disk: disk).firstKept()
  }

  /// All records of one stream, in order; empty if there are none. Cost: a look at the filter of each segment, and a
  /// decode of the frames that have records of the stream; it does not grow with the log.
  ///
  /// - Throws: `pruned` if the beginning of the stream was pruned: see `keptRecords(of:)`; `altered` if bytes are
  ///   damaged.
  public func records(of stream: String) throws(StoreError) -> [StoredRecord] {
    let found = try StreamReading(stream, layout: layout, disk: disk, catalog: catalog).found()
    guard found.pruned == 0 else {
      throw StoreError(
        .pruned,
        "the first \(found.pruned) records of the stream \(stream) were pruned, \(found.records.count) are kept",
        file: directory, position: found.records.first?.position,
        advice: "read what is kept with auditctl cat --stream")
    }
    return found.records
  }

  /// The kept records of one stream, whose beginning may have been pruned, in order. Cost: that of `records(of:)`.
  ///
  /// - Throws: what `records(of:)` throws, except `pruned`.
  public func keptRecords(of stream: String) throws(StoreError) -> [StoredRecord] {
    try StreamReading(stream, layout: layout, disk: disk, catalog: catalog).found().records
  }

  /// How many records the log has, and how many its newest checkpoint covers, or a backup was made of, if that is more:
  /// then records are missing from its end. Nil if none are missing. Cost: a small read or two; for a backup, or if the
  /// checkpoint is one of the last segment, that of `statistics()`.
  ///
  /// - Throws: `malformed` if the latest checkpoint cannot be read, and what `statistics` throws.
  public func shortfall() throws(StoreError) -> (records: UInt64, signed: UInt64)? {
    let size = max(try layout.latestCheckpoint(on: disk)?.size ?? 0, identity.backup?.size ?? 0)
    guard try layout.segmentList(on: disk).last.map({ $0 < size }) ?? (size > 0) else { return nil }
    let records = try statistics().records
    return records < size ? (records, size) : nil
  }

  /// Counts and sizes. Cost: one small read a segment, and a decode of what has no directory yet.
  ///
  /// - Throws: `malformed` if the latest checkpoint cannot be read, `altered` if bytes are damaged, and what the disk
  ///   throws.
  public func statistics() throws(StoreError) -> StoreStatistics {
    var counts = StoreStatistics(
      records: 0, streams: 0, segments: 0, bytesOnDisk: 0, bytesRaw: 0,
      lastCheckpoint: try layout.latestCheckpoint(on: disk))
    let firsts = try layout.segmentList(on: disk)
    for (first, next) in zip(firsts, firsts.dropFirst()) {
      let segment = try catalog.segment(first, before: next)
      counts.add(segment.index, bytesOnDisk: try segment.file.size())
    }
    guard let last = firsts.last else { return counts }
    var active = counts
    let (file, offset, footerEnd) = try catalog.withActive(last) { index throws(StoreError) in
      active.segments += 1
      active.records = index.end
      active.bytesOnDisk += try index.file.size()
      active.bytesRaw &+= index.rawBytes
      active.streams += index.begunStreams
      return (index.file, index.offset, try index.footerEnd)
    }
    if let footerEnd {
      // It was sealed or pruned since the segments were listed.
      let segment = try catalog.segment(last, before: footerEnd)
      counts.add(segment.index, bytesOnDisk: try segment.file.size())
      return counts
    }
    counts = active
    let reading = try SegmentReading(
      layout: layout, disk: disk, segment: last, offset: offset, position: counts.records, in: file)
    while let record = try reading.next(), reading.isIn(segment: last) {
      counts.records = record.position + 1
      counts.bytesRaw &+= UInt64(record.bytes.count) + 1
      if record.revision == 0 { counts.streams += 1 }
    }
    return counts
  }
}
