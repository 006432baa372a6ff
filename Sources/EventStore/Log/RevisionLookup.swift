/// Finds what the disk knows of streams: backwards through the directories. The caller has the right to write.
struct RevisionLookup {
  let layout: StoreLayout
  let disk: any Disk
  let writer: SegmentWriter

  /// The next revision of `stream`; 0 where the log has no record of it. What was queued must have been written. Cost: one
  /// read a frame, back to the stream's last record.
  func next(of stream: String) throws(StoreError) -> Int {
    if let next = writer.nextRevision(of: stream) { return next }
    let name = Array(stream.utf8)
    var found = 0
    try forEachDirectory { directory in
      guard let stream = directory.streams.first(where: { $0.name == name }) else { return true }
      found = stream.firstRevision + stream.positions.count
      return false
    }
    return found
  }

  /// The hashes of the names of all streams that closed frames have. Cost: one read a frame of the whole log.
  func hashes() throws(StoreError) -> Set<Int> {
    var found: Set<Int> = []
    try forEachDirectory { directory in
      for stream in directory.streams where stream.firstRevision == 0 {
        found.insert(String(decoding: stream.name, as: UTF8.self).hashValue)
      }
      return true
    }
    return found
  }

  /// Calls `visit` with the directories from the last to the first, until it says false.
  private func forEachDirectory(_ visit: (FrameDirectory) -> Bool) throws(StoreError) {
    guard try walk(writer.file, from: try writer.lastDirectory(), visit) else { return }
    for first in try layout.segmentList(on: disk).reversed() where first < writer.first {
      let file = try disk.open(layout.segment(first), .read)
      let last = try DirectoryChain.last(of: file, headEnd: try FileHead(of: file).end)
      guard try walk(file, from: last.directory, visit) else { return }
    }
  }

  private func walk(
    _ file: any DiskFile, from last: FrameDirectory?, _ visit: (FrameDirectory) -> Bool
  ) throws(StoreError) -> Bool {
    var directory = last
    while let current = directory {
      guard visit(current) else { return false }
      // Each directory stands before the one that names it, so that bad bytes cannot send this in a circle.
      guard current.previous > 0, current.previous < current.offset else { return true }
      directory = try DirectoryChain.directory(at: current.previous, of: file)
    }
    return true
  }
}
