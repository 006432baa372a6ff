/// Finds the next revision of a stream that was not written to lately: backwards through the directories.
struct RevisionLookup {
  let layout: StoreLayout
  let disk: any Disk

  /// The next revision of `stream`; 0 where the log has no record of it. Cost: one read a frame, back to the stream's
  /// last record. The caller has the right to write, and has written what was queued.
  func next(of stream: String, writer: SegmentWriter) throws(StoreError) -> Int {
    if let next = writer.nextRevision(of: stream) { return next }
    let name = Array(stream.utf8)
    if let next = try search(writer.file, from: try writer.lastDirectory(), for: name) { return next }
    for first in try layout.segmentList(on: disk).reversed() where first < writer.first {
      let file = try disk.open(layout.segment(first), .read)
      let last = try DirectoryChain.last(of: file, headEnd: try FileHead(of: file).end)
      if let next = try search(file, from: last.directory, for: name) { return next }
    }
    return 0
  }

  private func search(
    _ file: any DiskFile, from last: FrameDirectory?, for name: [UInt8]
  ) throws(StoreError) -> Int? {
    var directory = last
    while let current = directory {
      if let stream = current.streams.first(where: { $0.name == name }) {
        return stream.firstRevision + stream.positions.count
      }
      // Each directory stands before the one that names it, so that bad bytes cannot send this in a circle.
      guard current.previous > 0, current.previous < current.offset else { return nil }
      directory = try DirectoryChain.directory(at: current.previous, of: file)
    }
    return nil
  }
}
