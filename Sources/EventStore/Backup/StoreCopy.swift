// Copies a store, also while its writer runs. The checkpoints are read first, the segments after them: so the copy has
// what its checkpoints cover. Half a commit at its end is cut off in the copy, as it is when a log is opened after a
// crash.

/// The copying of one store into the folders of another.
struct StoreCopy {
  let source: StoreLayout
  let target: StoreLayout
  let disk: any Disk
  /// Takes a log that is smaller than its checkpoints, and a backup that is smaller than it was.
  let takesTruncated: Bool
  /// Receives the number of bytes copied and the total.
  let progress: WorkProgress?

  /// The result of a copy.
  struct Result {
    /// The identity of the source when its checkpoints were read.
    var identity: StoreIdentity
    /// The tree over the records.
    var frontier: MerkleFrontier
    /// The first positions of the segments.
    var firsts: [UInt64]
    /// The largest checkpoint of the source; it may cover more than the copy has.
    var last: SignedNote?
  }

  /// Copies segments and checkpoints, durable when it returns; store.json is not written.
  ///
  /// - Throws: `truncated` if the source is smaller than a checkpoint, or a backup smaller than it was; `altered` if
  ///   its end is damaged, or a backup has other records than it had; and what reading and writing throw.
  func run() throws(StoreError) -> Result {
    try StoreCreation(layout: target, disk: disk).prepareFolders()
    let (identity, notes, latest) = try published()
    let last = (notes.map(\.note) + [latest].compactMap { $0 }).max { $0.size < $1.size }
    let firsts = try source.segmentList(on: disk)
    guard !firsts.isEmpty else {
      throw StoreError(
        .missingSegment, "the store has no segments", file: source.segments, advice: "run auditctl verify")
    }
    try copySegments(firsts, isLive: identity.backup == nil)
    let frontier = try mend(takesTruncated ? nil : latest, of: identity)
    if let last, last.size > frontier.size, !takesTruncated {
      throw StoreError(
        .truncated, "the log has \(frontier.size) records, its checkpoint covers \(last.size)", file: source.root,
        advice: "keep it as evidence; restore --accept-loss begins a log that names what is lost")
    }
    if let mark = identity.backup { try check(frontier, against: mark) }
    let kept = notes.filter { $0.note.size <= frontier.size }
    for (name, note) in kept { try put(note, name) }
    // The writer may have been about to replace `latest`.
    let fitting = (kept.map(\.note) + [latest].compactMap { $0 }).filter { $0.size <= frontier.size }
    if let newest = fitting.max(by: { $0.size < $1.size }) { try put(newest, "latest") }
    return Result(
      identity: identity, frontier: frontier, firsts: try target.segmentList(on: disk), last: last)
  }

  /// Compares the records of a backup with those that it was made of.
  private func check(_ frontier: MerkleFrontier, against mark: BackupMark) throws(StoreError) {
    if frontier.size < mark.size {
      if takesTruncated { return }
      throw StoreError(
        .truncated, "the backup has \(frontier.size) records, and was made of \(mark.size)", file: source.root,
        advice: "keep it as evidence and take another; restore --accept-loss makes a log of what is left")
    }
    guard frontier.size == mark.size, frontier.root.description == mark.root else {
      throw StoreError(
        .altered, "the backup does not have the records that it was made of", file: source.root,
        advice: "run auditctl verify on it and keep it as evidence")
    }
  }

  private typealias Published = (
    identity: StoreIdentity, notes: [(name: String, note: SignedNote)], latest: SignedNote?
  )

  /// What the source publishes. Read again if a key was named, or handed over, meanwhile.
  private func published() throws(StoreError) -> Published {
    var identity = try StoreIdentity(of: source, on: disk)
    while true {
      let found = (identity, try checkpoints(), try source.latestCheckpoint(on: disk))
      let now = try StoreIdentity(of: source, on: disk)
      if now == identity { return found }
      identity = now
    }
  }

  private func checkpoints() throws(StoreError) -> [(name: String, note: SignedNote)] {
    let names: [String]
    do throws(StoreError) {
      names = try disk.names(in: source.checkpoints)
    } catch {
      guard error.code == .notFound else { throw error }
      return []
    }
    var found: [(name: String, note: SignedNote)] = []
    for name in names where UInt64(name) != nil {
      if let note = try source.note(at: source.checkpoints + "/" + name, on: disk) { found.append((name, note)) }
    }
    return found
  }

  private func put(_ note: SignedNote, _ name: String) throws(StoreError) {
    try disk.replace(target.checkpoints + "/" + name, with: Array(note.text.utf8), in: target.checkpoints)
  }

  // MARK: Segments

  /// How much is read and written at once.
  private static let piece = 1 << 20

  private func copySegments(_ firsts: [UInt64], isLive: Bool) throws(StoreError) {
    var sizes: [UInt64] = []
    for first in firsts { sizes.append(try disk.open(source.segment(first), .read).size()) }
    let total = sizes.reduce(0, &+)
    var done: UInt64 = 0
    for first in firsts {
      let from = try disk.open(source.segment(first), .read)
      let to = try disk.open(target.segment(first), .createNew)
      // The size as of now, so that the copy never has half of a commit that is being written.
      let size = try from.size()
      if isLive { try sync(from) }
      var offset: UInt64 = 0
      while offset < size {
        offset = try from.copyHole(from: offset, upTo: size, to: to)
        let bytes = try from.read(at: offset, count: Int(min(size - offset, UInt64(Self.piece))))
        if bytes.isEmpty { break }
        try to.write(bytes.span, at: offset)
        offset += UInt64(bytes.count)
        progress?(min(done + offset, total), total)
      }
      try to.sync()
      done += offset
    }
    try disk.syncDirectory(target.segments)
  }

  /// Syncs the copied bytes at their source. If a power cut removed them there but not here, the copy would be a
  /// different log.
  private func sync(_ file: any DiskFile) throws(StoreError) {
    do throws(StoreError) { try file.sync() } catch {
      // Some read-only file systems refuse to sync; they cannot lose anything either.
      if (try? disk.open(file.path, .update)) != nil { throw error }
    }
  }

  /// Ends the copy after its last whole commit, closes its last frame, and gives the tree over its records.
  private func mend(_ latest: SignedNote?, of identity: StoreIdentity) throws(StoreError) -> MerkleFrontier {
    if let latest { try put(latest, "latest") }
    let recovered: RecoveredLog
    do throws(StoreError) {
      recovered = try Recovery(layout: target, disk: disk).run()
    } catch {
      // The error names a file of the copy, which is removed; the source has the same fault.
      guard let file = error.file, file.hasPrefix(target.root) else { throw error }
      var told = error
      told.file = source.root + file.dropFirst(target.root.count)
      throw told
    }
    for name in try disk.names(in: target.quarantine) { try disk.remove(target.quarantine + "/" + name) }
    guard recovered.segment != nil else {
      throw StoreError(.altered, "no segment is whole", file: source.segments, advice: "run auditctl verify")
    }
    let writer = try SegmentWriter(
      recovered, layout: target, disk: disk, identity: identity, options: LogOptions())
    try writer.settle()
    try writer.syncWhole()
    return writer.frontier
  }
}
