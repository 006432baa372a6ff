// Opening a log for writing (DESIGN §4): reads its tail, moves torn bytes to quarantine, refuses what was altered.

/// The end of the log, ready to be written on.
struct RecoveredLog {
  /// The last segment's file and its state; nil if the store has no segment yet.
  var segment: (file: any DiskFile, first: UInt64, tail: Tail)?
  /// The pieces that were cut off on the way, latest segment first.
  var damages: [RecoveredDamage]
  /// The latest checkpoint.
  var checkpoint: SignedNote?
}

/// Recovers the log of one store, whose lock the caller holds.
struct Recovery {
  let layout: StoreLayout
  let disk: any Disk

  /// Reads the end of the log and mends it. Afterwards the last segment ends with a whole commit or between two frames.
  ///
  /// - Throws: `altered` if bytes known to be synced are damaged, `truncated` if a checkpoint says there was more.
  func run() throws(StoreError) -> RecoveredLog {
    var log = RecoveredLog(segment: nil, damages: [], checkpoint: try layout.latestCheckpoint(on: disk))
    var firsts = try layout.segmentList(on: disk)
    if firsts.isEmpty { try refuseLost() }
    while let first = firsts.popLast() {
      let file = try disk.open(layout.segment(first), .update)
      if let tail = try mend(file, first: first, log: &log) {
        log.segment = (file, first, tail)
        try moveOverlaps(firsts + [first], log: &log)
        break
      }
    }
    let size = log.segment?.tail.frontier.size ?? 0
    let signed = try signedSize(log)
    if signed > size { throw smaller(than: signed, has: size) }
    if let signed = log.checkpoint, signed.size == size, let tail = log.segment?.tail, tail.frontier.root != signed.root
    {
      throw StoreError(
        .altered, "the log's root is not the one that its checkpoint of \(size) records states", file: layout.root,
        advice: "keep it as evidence and run auditctl verify")
    }
    return log
  }

  /// Throws `missingSegment` if a store without segments once had one: neither the draft from its creation exists, nor
  /// bytes that an earlier recovery cut from the very beginning of the log.
  private func refuseLost() throws(StoreError) {
    let name = SegmentName.name(first: 0)
    if try disk.names(in: layout.segments).contains(name + Draft.suffix) { return }
    let cut = "\(name.prefix(20))-0"
    if try disk.names(in: layout.quarantine).contains(where: { $0.hasPrefix(cut + ".") || $0.hasPrefix(cut + "-") }) {
      return
    }
    throw StoreError(
      .missingSegment, "the store has lost its segments", file: layout.segments,
      advice: "put them back, or keep the store as evidence; if nothing was ever recorded in it, remove the directory")
  }

  /// The tail of a segment after mending, or nil if the whole file had to go.
  private func mend(
    _ file: any DiskFile, first: UInt64, log: inout RecoveredLog
  ) throws(StoreError) -> Tail? {
    let head: FileHead
    let header: SegmentHeader
    do throws(StoreError) {
      head = try FileHead(of: file)
      header = try SegmentHeader(frame: head.frame)
      guard header.first == first else {
        // No crash leaves this.
        throw StoreError(
          .altered, "the header says another first position than the name", file: file.path, position: first,
          offset: 11, advice: "keep the store as evidence and run auditctl verify")
      }
    } catch {
      guard error.code == .malformed || error.code == .torn else { throw error.inFile(file.path) }
      try refuseIfSynced(
        first, damagedAt: 0, of: file, because: error.message,
        log: log, known: first, isCut: error.code == .torn)
      try refuseGap(before: first, file)
      log.damages.append(try Quarantine(layout: layout, disk: disk).keep(file, first: first, from: 0))
      try disk.remove(file.path)
      try disk.syncDirectory(layout.segments)
      return nil
    }
    let tail = try Tail(of: file, head: head, header: header)
    guard let damage = tail.damage else {
      try rewriteUnsynced(file, tail, headEnd: head.end)
      return tail
    }
    try refuseIfSynced(
      tail.frontier.size, damagedAt: damage.offset, of: file, because: damage.message, log: log, known: tail.synced,
      isCut: damage.isCut)
    log.damages.append(try Quarantine(layout: layout, disk: disk).keep(file, first: first, from: damage.offset))
    try file.truncate(to: damage.offset)
    try rewriteUnsynced(file, tail, headEnd: head.end)
    try file.sync()
    return tail
  }

  /// Throws `altered` if anything says that records from `position` on were synced: then the damage is not a torn tail.
  private func refuseIfSynced(
    _ position: UInt64, damagedAt offset: UInt64, of file: any DiskFile, because message: String, log: RecoveredLog,
    known: UInt64, isCut: Bool
  ) throws(StoreError) {
    let inFile = max(known, try SyncedEvidence.position(in: file, from: offset))
    let signed = try signedSize(log)
    if position >= inFile, isCut, position < signed { throw smaller(than: signed, has: position) }
    guard position < max(inFile, signed) else { return }
    throw StoreError(
      .altered, "\(message), in a part of the log that was synced", file: file.path, position: position, offset: offset,
      advice: "keep the store as evidence and run auditctl verify")
  }

  /// Throws `altered` if a segment that cannot be read has a name that lies behind the end of the one before: it was
  /// begun when everything before it was synced, so that records are missing.
  private func refuseGap(before first: UInt64, _ file: any DiskFile) throws(StoreError) {
    var end: UInt64 = 0
    if let previous = try layout.segmentList(on: disk).last(where: { $0 < first }) {
      let file = try disk.open(layout.segment(previous), .read)
      // If that one cannot be read either, it was not the last segment: no crash leaves it so.
      if let head = try? FileHead(of: file), let header = try? SegmentHeader(frame: head.frame) {
        end = try Tail(of: file, head: head, header: header).frontier.size
      }
    }
    guard end < first else { return }
    throw StoreError(
      .altered, "the log ends with \(end) records before a segment that begins with record \(first) and cannot be read",
      file: file.path, position: end, advice: "keep the store as evidence and run auditctl verify")
  }

  /// The largest size that a checkpoint states. Not only `latest` is read: an older checkpoint may have replaced it.
  private func signedSize(_ log: RecoveredLog) throws(StoreError) -> UInt64 {
    max(log.checkpoint?.size ?? 0, try layout.checkpointSizes(on: disk).max() ?? 0)
  }

  private func smaller(than signed: UInt64, has size: UInt64) -> StoreError {
    StoreError(
      .truncated, "the log has \(size) records, its checkpoint covers \(signed)", file: layout.root,
      advice: "keep it as evidence; auditctl restore --accept-loss begins a store with a new origin")
  }

  /// Moves superseded bytes to quarantine. Cost: reads the header of each segment.
  private func moveOverlaps(_ firsts: [UInt64], log: inout RecoveredLog) throws(StoreError) {
    for (before, first) in zip(firsts, firsts.dropFirst())
    where (try? SegmentHeader.supersedes(first, in: layout, on: disk)) == true {
      let quarantine = Quarantine(layout: layout, disk: disk)
      if let moved = try quarantine.moveOverlap(ofSegment: before, from: first) { log.damages.append(moved) }
    }
  }

  /// Writes once more the bytes that are not known to be synced. A sync of an earlier process may have failed; its
  /// pages have counted as clean since, and only pages that are written again are synced again.
  ///
  /// The same holds for a directory, and the bytes after it, that was written after the sync that it reports: they are
  /// written again as well. `StoreCreation.prepareFolders` has done so if a file ends with a statement that it was
  /// synced.
  private func rewriteUnsynced(_ file: any DiskFile, _ tail: Tail, headEnd: UInt64) throws(StoreError) {
    if tail.isSealed { return }
    if tail.synced >= tail.frontier.size, try SyncedEvidence.ends(file) { return }
    var start = tail.directory > 0 ? tail.directory : headEnd
    var place = tail.synced < tail.frontier.size ? tail.directory : 0
    while place > 0 {
      let directory = try DirectoryChain.directory(at: place, of: file)
      start = place
      guard directory.end > tail.synced else { break }
      start = directory.offset
      guard directory.previous < place else { break }
      place = directory.previous
    }
    try FileRewriting.rewrite(file, from: start, to: tail.offset)
  }
}
