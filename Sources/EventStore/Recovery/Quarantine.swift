/// What recovery cut off.
struct RecoveredDamage: Sendable, Hashable {
  /// The name of the segment file.
  var segment: String
  /// Where the cut bytes stood.
  var offset: UInt64
  /// The number of cut bytes.
  var bytes: UInt64
  /// The name of the file in quarantine that has them now.
  var quarantine: String
}

/// The folder for bytes that recovery cut off.
struct Quarantine {
  let layout: StoreLayout
  let disk: any Disk

  /// Copies the bytes of a segment from `offset` to the end into a file of their own, durable when it returns. If whole
  /// pieces are zeros, the copy has holes: a file with a size and nothing in it fills no disk.
  func keep(_ file: any DiskFile, first: UInt64, from offset: UInt64) throws(StoreError) -> RecoveredDamage {
    let segment = SegmentName.name(first: first)
    let stem = "\(segment.prefix(20))-\(offset)"
    let taken = Set(try disk.names(in: layout.quarantine))
    var name = stem + ".bin"
    var attempt = 1
    while taken.contains(name) {
      attempt += 1
      name = "\(stem)-\(attempt).bin"
    }
    var done: UInt64 = 0
    // It gets its name when it is complete: a part of the cut bytes must not look like all of them.
    try disk.putInPlace(of: layout.quarantine + "/" + name) { copy throws(StoreError) in
      while true {
        done = try file.data(from: offset + done) - offset
        let piece = try file.read(at: offset + done, count: 1 << 20)
        if piece.isEmpty { break }
        if piece.contains(where: { $0 != 0 }) { try copy.write(piece.span, at: done) }
        done += UInt64(piece.count)
      }
      if try copy.size() < done { try copy.truncate(to: done) }
      try copy.sync()
    }
    try disk.syncDirectory(layout.quarantine)
    return RecoveredDamage(segment: segment, offset: offset, bytes: done, quarantine: name)
  }

  /// Moves the bytes of the segment `first` from the record `limit` on to quarantine, if a later segment supersedes
  /// them. Returns nil if there are none.
  func moveOverlap(ofSegment first: UInt64, from limit: UInt64) throws(StoreError) -> RecoveredDamage? {
    let file = try disk.open(layout.segment(first), .update)
    let last = try DirectoryChain.last(of: file, headEnd: try FileHead(of: file).end, limit: limit)
    // If the boundary is not found, the segment is damaged, and is kept as evidence.
    guard last.directory?.end == limit, try file.size() > last.end else { return nil }
    let moved = try keep(file, first: first, from: last.end)
    try file.truncate(to: last.end)
    try file.sync()
    return moved
  }

  /// The names of the files whose bytes were cut from segments that begin before a position; files with other names are
  /// ignored.
  func names(before position: UInt64) throws(StoreError) -> [String] {
    try disk.names(in: layout.quarantine).filter { name in
      guard name.hasSuffix(".bin"), let first = SegmentName.first(of: name.prefix(20) + SegmentName.suffix),
        name.dropFirst(20).first == "-"
      else { return false }
      return first < position
    }
  }

  /// Removes those files, durable when it returns. Returns how many they were.
  func prune(before position: UInt64) throws(StoreError) -> Int {
    let old = try names(before: position)
    for name in old { try disk.remove(layout.quarantine + "/" + name) }
    if !old.isEmpty { try disk.syncDirectory(layout.quarantine) }
    return old.count
  }
}
