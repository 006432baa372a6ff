// Ends frames, writes their directories and checkpoints, and makes them durable.

extension SegmentWriter {
  /// Ends the open frame, if there is one, and writes its directory.
  func closeFrame() throws(StoreError) {
    out.removeAll(keepingCapacity: true)
    switch state {
    case .none: return
    case .open(let frame), .spent(let frame):
      out.append(contentsOf: frame.ending)
      try finish(frame, length: offset + UInt64(out.count) - frame.offset)
    case .owed(let frame, let length): try finish(frame, length: length)
    }
  }

  /// Syncs what was found at opening. No copy of it is kept in memory, so that a failed sync is an error here. A file
  /// that ends with the statement that all of it is synced was synced by `StoreCreation.prepareFolders`, so that this
  /// statement is durable too.
  func settle() throws(StoreError) {
    if case .none = state, announced >= size, try SyncedEvidence.ends(file) {
      (synced, settled) = (size, size)
      return
    }
    try closeFrame()
    try file.sync()
    (synced, settled) = (size, size)
    try announce()
  }

  /// Makes everything durable, and says so in the directory of the last frame.
  func sync() throws(StoreError) {
    if let broken { throw broken }
    switch state {
    case .none: break
    case .open(let frame), .spent(let frame):
      do throws(StoreError) {
        try write(frame.ending)
        state = .owed(frame, length: offset - frame.offset)
      } catch {
        // What was written before needs no space any more: on a full disk it is synced all the same. If the sync
        // replaced this file with a new one, the frame ended with it.
        guard broken == nil, synced < size else { throw error }
        let current = file
        try syncFile()
        guard file !== current else { throw error }
      }
    case .owed: break
    }
    if synced < size { try syncFile() }
    try closeFrame()
    try announce()
  }

  private func announce() throws(StoreError) {
    guard announced < size else { return }
    // The last directory was written before the sync, so the synced position is written by itself.
    var body: [UInt8] = []
    body.appendUInt64(size)
    try write(SkippableFrame(kind: .synced, body: body).encoded)
    announced = size
  }

  /// Like `sync`, and what it wrote last is durable too.
  func syncWhole() throws(StoreError) {
    try sync()
    try syncFile()
  }

  /// Writes a signed checkpoint between two frames, durable when it returns.
  func append(_ note: SignedNote) throws(StoreError) {
    if isClosed {
      try removeStray()
      try begin()
    }
    try closeFrame()
    let bytes = SkippableFrame(kind: .note, body: Array(note.text.utf8)).encoded
    var current: any DiskFile
    repeat {
      // After a failed sync the log goes on in another file, which may lack the note.
      current = file
      try write(bytes)
      try syncFile()
    } while file !== current
  }

  /// Writes the NOTE of a handover, if it is missing, durable when it returns.
  func writeHandover() throws(StoreError) {
    guard let note = owedHandover else { return }
    if let broken { throw broken }
    // So that no power cut brings an older `latest` back to a log that has this NOTE.
    try disk.syncDirectory(layout.checkpoints)
    try append(note)
    (handover, owedHandover) = (note, nil)
  }

  /// The revision that the next record of `stream` has by the frame that is still open.
  func nextRevision(of stream: String) -> Int? {
    switch state {
    case .none: nil
    case .open(let frame), .spent(let frame), .owed(let frame, _): frame.nextRevision(of: stream)
    }
  }

  private func finish(_ frame: OpenFrame, length: UInt64) throws(StoreError) {
    try refuseIfGone()
    let place = offset + UInt64(out.count)
    let said = frame.directory(length: length, previous: directory, synced: min(synced, size), frontier: frontier)
    out.append(contentsOf: SkippableFrame(kind: .directory, body: said.encoded).encoded)
    try write(out)
    directory = place
    announced = max(announced, min(synced, size))
    closed = size
    state = .none
  }

  /// Ends the log if its file no longer exists: checked once a frame and with each sync, so that records acknowledged
  /// without a sync are not lost for long.
  private func refuseIfGone() throws(StoreError) {
    do throws(StoreError) {
      try (file as? GuardedFile)?.refuseIfGone()
    } catch {
      if error.code == .missingSegment { broken = error }
      throw error
    }
  }

  func syncFile() throws(StoreError) {
    let target = closed
    let begun = observer.start
    do {
      try file.sync()
    } catch {
      try leaveFile(because: error)
      return
    }
    synced = size
    settled = max(settled, target)
    observer.synced(durable: size, written: size, since: begun)
  }
}
