/// A store, opened for reading; any process, also while a writer has it. Takes no lock and writes nothing.
public struct LogReader: Sendable {
  /// The store's directory, as it was given.
  public let directory: String
  /// What the store says of itself, when it was opened.
  public let identity: StoreIdentity
  let layout: StoreLayout
  let disk: any Disk

  /// Opens the store at `directory`. Throws `notFound` where there is no such directory, `notAStore` where it holds no
  /// store, `malformed`, `unsupported`, `permission`.
  public init(directory: String) throws(StoreError) {
    try self.init(directory: directory, disk: SystemDisk())
  }

  init(directory: String, disk: any Disk) throws(StoreError) {
    self.directory = directory
    self.disk = disk
    layout = StoreLayout(directory)
    identity = try StoreIdentity(of: layout, on: disk)
  }

  /// A cursor that gives the records from `position` on; a position behind the end is waited for. Cost: finds the frame
  /// by the directories of its segment. Throws `missingSegment` where the log begins later.
  public func cursor(from position: UInt64 = 0) throws(StoreError) -> RecordCursor {
    RecordCursor(try SegmentReading(layout: layout, disk: disk, position: position))
  }

  /// All records of one stream, in order; empty where there are none. Cost: reads the directory of each frame, and
  /// decodes the frames that have records of the stream, and what has no directory yet.
  public func records(of stream: String) throws(StoreError) -> [StoredRecord] {
    let name = Array(stream.utf8)
    var found: [StoredRecord] = []
    for first in try layout.segmentList(on: disk) {
      try forEachFrame(ofSegment: first) { directory throws(StoreError) in
        guard let positions = directory.streams.first(where: { $0.name == name })?.positions,
          let start = positions.first,
          let end = positions.last
        else { return }
        let reading = try SegmentReading(
          layout: layout, disk: disk, segment: first, offset: directory.offset, position: start)
        while let record = try reading.next() {
          if record.isOf(stream: name) { found.append(record) }
          if record.position >= end { break }
        }
      } tail: { record in
        if record.isOf(stream: name) { found.append(record) }
      }
    }
    return found
  }

  /// Counts and sizes. Cost: reads all directories, and decodes what has none yet.
  public func statistics() throws(StoreError) -> StoreStatistics {
    var counts = StoreStatistics(
      records: 0, streams: 0, segments: 0, bytesOnDisk: 0, bytesRaw: 0,
      lastCheckpoint: try layout.latestCheckpoint(on: disk))
    for first in try layout.segmentList(on: disk) {
      counts.segments += 1
      counts.bytesOnDisk += try disk.open(layout.segment(first), .read).size()
      try forEachFrame(ofSegment: first) { directory in
        counts.records = max(counts.records, directory.end)
        counts.bytesRaw += directory.rawBytes
        counts.streams += directory.streams.count { $0.firstRevision == 0 }
      } tail: { record in
        counts.records = max(counts.records, record.position + 1)
        counts.bytesRaw += UInt64(record.line.count) + 1
        if record.revision == 0 { counts.streams += 1 }
      }
    }
    return counts
  }

  /// Calls `frame` with each directory of a segment, in order, and `tail` with each record that has no directory yet.
  private func forEachFrame(
    ofSegment first: UInt64, _ frame: (FrameDirectory) throws(StoreError) -> Void, tail: (StoredRecord) -> Void
  ) throws(StoreError) {
    let file = try disk.open(layout.segment(first), .read)
    // What a later segment replaces is read there.
    let later = try layout.segmentList(on: disk).first { $0 > first }
    let isReplaced = try later.map { later throws(StoreError) in
      try SegmentHeader.supersedes(later, in: layout, on: disk)
    }
    let limit = isReplaced == true ? later : nil
    let last = try DirectoryChain.last(of: file, headEnd: try FileHead(of: file).end, limit: limit)
    var directories: [FrameDirectory] = []
    var next = last.directory
    while let directory = next {
      directories.append(directory)
      guard directory.previous > 0, directory.previous < directory.offset else { break }
      next = try DirectoryChain.directory(at: directory.previous, of: file)
    }
    for directory in directories.reversed() { try frame(directory) }
    if last.isTail || limit != nil { return }
    let start = last.directory?.end ?? first
    let reading = try SegmentReading(layout: layout, disk: disk, segment: first, offset: last.end, position: start)
    while let record = try reading.next(), reading.isIn(segment: first) { tail(record) }
  }
}
