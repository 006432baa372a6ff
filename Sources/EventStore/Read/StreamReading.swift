// Reads one stream: asks the index of each segment where its records stand, and decodes those frames.

/// One look-up of a stream in a store.
struct StreamReading {
  let layout: StoreLayout
  let disk: any Disk
  let catalog: SegmentCatalog
  private let name: [UInt8]
  private let key: StreamKey
  private let reader: FrameReader

  init(_ stream: String, layout: StoreLayout, disk: any Disk, catalog: SegmentCatalog) throws(StoreError) {
    name = Array(stream.utf8)
    key = StreamKey(name)
    self.layout = layout
    self.disk = disk
    self.catalog = catalog
    reader = try FrameReader()
  }

  /// The records of a stream that a store has.
  struct Found {
    /// The records, in order.
    var records: [StoredRecord] = []
    /// How many records before them were pruned.
    var pruned = 0
  }

  /// All records that the store has.
  func found() throws(StoreError) -> Found {
    let found = try found(rebuilding: false)
    // A gap means that an index hides records, or that the log has a gap. Then no index is trusted.
    return hasGap(found) ? try self.found(rebuilding: true) : found
  }

  private func hasGap(_ found: Found) -> Bool {
    zip(found.records, found.records.dropFirst()).contains { $0.revision + 1 != $1.revision }
      || (found.records.first.map { $0.revision != found.pruned } ?? false)
  }

  private func found(rebuilding: Bool) throws(StoreError) -> Found {
    var found = Found()
    let firsts = try layout.segmentList(on: disk)
    for (first, next) in zip(firsts, firsts.dropFirst()) {
      if !rebuilding, try !catalog.mayHave(key, in: first, before: next) { continue }
      try addClosed(first, before: next, rebuilding: rebuilding, to: &found)
    }
    if let last = firsts.last { try addLast(last, rebuilding: rebuilding, to: &found) }
    return found
  }

  private func addClosed(
    _ first: UInt64, before next: UInt64, rebuilding: Bool, to found: inout Found
  ) throws(StoreError) {
    do throws(StoreError) {
      if !rebuilding {
        try add(try catalog.segment(first, before: next), to: &found)
        return
      }
    } catch {
      guard error.code == .malformed else { throw error }
    }
    do throws(StoreError) {
      try add(try catalog.rebuilt(first, before: next), to: &found)
    } catch {
      throw Self.altered(error)
    }
  }

  private func add(_ segment: SegmentCatalog.Closed, to found: inout Found) throws(StoreError) {
    guard let stream = try segment.index.stream(name, key: key) else { return }
    if segment.index.isPruned {
      // The records found before have been pruned meanwhile: pruned segments are the first ones.
      found.records = []
      found.pruned = max(found.pruned, stream.nextRevision)
      return
    }
    let records = try records(at: stream.positions, of: segment.file) { segment.index.frame(of: $0) }
    if let first = records.first, first.revision != stream.firstRevision {
      throw StoreError(.malformed, "the index says another revision than the record", position: first.position)
    }
    found.records += records
  }

  private func records(
    at positions: [UInt64], of file: any DiskFile, frame: (UInt64) -> IndexedFrame?
  ) throws(StoreError) -> [StoredRecord] {
    var found: [StoredRecord] = []
    found.reserveCapacity(positions.count)
    var rest = positions[...]
    while let next = rest.first {
      guard let frame = frame(next) else {
        throw StoreError(.malformed, "the index has no frame for a position", position: next)
      }
      let inFrame = rest.prefix { $0 < frame.end }
      for record in try reader.records(at: inFrame, in: frame, of: file) {
        guard record.isOf(stream: name) else {
          throw StoreError(.malformed, "the index names a record of another stream", position: record.position)
        }
        found.append(record)
      }
      rest = rest.dropFirst(inFrame.count)
    }
    return found
  }

  private func addLast(_ first: UInt64, rebuilding: Bool, to found: inout Found) throws(StoreError) {
    var tail: (file: any DiskFile, offset: UInt64, position: UInt64)?
    do throws(StoreError) {
      let (file, positions, frames, end) = try catalog.withActive(first) { index throws(StoreError) in
        if try index.file.size() > index.offset { tail = (index.file, index.offset, index.end) }
        let positions = index.stream(name)?.positions ?? []
        return (index.file, positions, positions.map { index.frame(of: $0) }, try index.footerEnd)
      }
      if let end {
        // It was sealed or pruned since the segments were listed.
        return try addClosed(first, before: end, rebuilding: rebuilding, to: &found)
      }
      let places = Dictionary(zip(positions, frames)) { $1 }
      found.records += try records(at: positions, of: file) { places[$0] ?? nil }
    } catch {
      guard error.code == .malformed else { throw error }
      // The directories are wrong: only the lines count.
      let file = try disk.open(layout.segment(first), .read)
      tail = (file, try FileHead(of: file).end, first)
    }
    guard let tail else { return }
    // Reads the same open file, whichever file has its name by now: the offset belongs to that file.
    let reading = try SegmentReading(
      layout: layout, disk: disk, segment: first, offset: tail.offset, position: tail.position, in: tail.file)
    while let record = try reading.next(), reading.isIn(segment: first) {
      if record.isOf(stream: name) { found.records.append(record.alone) }
    }
  }

  private static func altered(_ error: StoreError) -> StoreError {
    guard error.code == .malformed else { return error }
    return StoreError(
      .altered, error.message, file: error.file, position: error.position, offset: error.offset,
      advice: "run auditctl verify")
  }
}
